import { foldText, sameIdentity } from '../../contract/index.ts'
import type { SitePort, ToolFunction } from '../types.ts'
import { short } from './words.ts'

const MOST_LISTS = 24
const MOST_FACTS = 3

/** Exact comparison, nothing looser: a plate that is nearly another is another. */
export const siteLookup: ToolFunction = {
  async run({ value }, { site }) {
    const wanted = String(value)
    const names = [...site.view().lists].slice(0, MOST_LISTS)
    const isIn = (name: string) => (site.list(name) ?? []).some(entry => sameIdentity(entry, wanted))
    const roles = site.person(wanted)
    const facts = factsAbout(wanted, site)
    return {
      result: {
        value: short(wanted, 100),
        in_lists: names.filter(isIn),
        not_in_lists: names.filter(name => !isIn(name)),
        person_of_the_site: roles !== null,
        ...(roles?.length && { roles: [...roles] }),
        ...(facts.length && { facts }),
      },
    }
  },
}

/** Lines of the site's facts that name it as a whole. */
function factsAbout(wanted: string, { facts }: SitePort): string[] {
  const word = foldText(wanted)
  if (word.length < 3) return []
  return facts
    .split('\n')
    .filter(line => ` ${foldText(line).replace(/[.,:;!?()"]/g, ' ')} `.includes(` ${word} `))
    .slice(0, MOST_FACTS)
    .map(line => short(line, 200))
}
