import { fill, identity } from '../../contract/index.ts'
import type { ConditionFunction } from '../types.ts'

interface Params {
  list: string
  value: string
}

/** Lists hold thousands of plates: each is brought into comparable form once. */
const comparable = new WeakMap<readonly string[], ReadonlySet<string>>()

/** The value stands in a list of the site, compared as an identity. A list that is not there holds nothing. */
export const inList: ConditionFunction = {
  holds(params, { values, site }) {
    const { list: name, value } = params as Params
    const list = site.list(name)
    if (!list) return false
    const wanted = identity(fill(value, values))
    return wanted !== '' && entriesOf(list).has(wanted)
  },
}

function entriesOf(list: readonly string[]): ReadonlySet<string> {
  let entries = comparable.get(list)
  if (!entries) {
    entries = new Set(list.map(identity))
    comparable.set(list, entries)
  }
  return entries
}
