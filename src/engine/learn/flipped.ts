import { cut, GatehouseError } from '../../core/index.ts'
import type { CasesOutcome } from '../types.ts'
import { NOT_RUN } from './template.ts'

/** Cases that are named in one line. */
const MOST_NAMED = 3
/** Of the name of one. */
const LONGEST = 60

/** Whether anything comes out differently that was right. */
export function flips({ worse, template, own }: CasesOutcome): boolean {
  return worse > 0 || (template?.flipped ?? 0) > 0 || (own?.flipped ?? 0) > 0
}

/** Something that was right comes out differently: nothing was switched. */
export class CasesFlipped extends GatehouseError {
  readonly cases: CasesOutcome

  constructor(cases: CasesOutcome) {
    const said = [markedWords(cases), ownWords(cases), templateWords(cases)]
      .filter(words => words !== null)
      .join(' ')
    super('cases_flipped', `${said} Look at them, then confirm that it goes On all the same, or mend it.`, {
      status: 409,
    })
    this.cases = cases
  }
}

function markedWords({ worse }: CasesOutcome): string | null {
  if (worse === 0) return null
  return worse === 1
    ? '1 run that people marked as right comes out differently now.'
    : `${worse} runs that people marked as right come out differently now.`
}

function ownWords({ own }: CasesOutcome): string | null {
  if (!own?.flipped) return null
  return own.flipped === 1
    ? '1 of its cases came out right before and does not now.'
    : `${own.flipped} of its cases came out right before and do not now.`
}

/** `2 of 9 cases of the template yard-watch.yaml come out differently: person.jpg (clear, not person), …` */
function templateWords({ template }: CasesOutcome): string | null {
  if (!template || template.flipped === 0) return null
  const { name, tried, flipped } = template
  const judged = tried.filter(one => one.flipped !== null).length
  const named = tried
    .filter(one => one.flipped)
    .slice(0, MOST_NAMED)
    .map(one => `${cut(one.case, LONGEST)} (${one.decision ?? 'nothing'}, not ${one.expected})`)
  const more = flipped > MOST_NAMED ? `, and ${flipped - MOST_NAMED} more` : ''
  const come = flipped === 1 ? 'comes' : 'come'
  const late = tried.filter(one => one.kept_out?.code === NOT_RUN).length
  const rest = late ? ` Not run, for want of time: ${late}.` : ''
  return `${flipped} of ${judged} cases of the template ${name} ${come} out differently: ${named.join(', ')}${more}.${rest}`
}
