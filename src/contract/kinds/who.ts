import type { NodeNeeds } from '../kind.ts'

/** The roles and people that `role:guard` and `person:Anna` name; placeholders name nobody beforehand. */
export function whoNeeds(who: readonly string[]): Required<Pick<NodeNeeds, 'roles' | 'people'>> {
  const named = (prefix: string) =>
    who.filter(one => one.startsWith(prefix) && !one.includes('{')).map(one => one.slice(prefix.length))
  return { roles: named('role:'), people: named('person:') }
}
