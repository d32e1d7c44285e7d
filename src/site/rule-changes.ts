/** What is different between two sets of rules: in one line, and in full. */
import type { JsonValue } from '../core/index.ts'
import { entriesOf, type Rules } from './rules.ts'
import type { ListChange, ListEntry, RuleChange, RulePart } from './types.ts'

/** Entries that are named of what a change adds or takes away; the rest is counted. */
const MOST_NAMED = 100

/** By camera: what changed of each is said with its id. */
const OF_CAMERAS = ['cameras', 'zones', 'masks'] as const

/** Parts of the rules, beside the lists. */
export const PARTS = [
  'facts',
  'modes',
  'people',
  'camera_roles',
  ...OF_CAMERAS,
  'tools',
  'destinations',
] as const satisfies readonly RulePart[]

/** What is different between two sets of rules, in one line. */
export function ruleChanges(before: Rules, after: Rules): string {
  const said = changedParts(before, after).map(part => {
    const name = part.replace('_', ' ')
    const ids = OF_CAMERAS.flatMap(each => (each === part ? changedKeys(before[each], after[each]) : []))
    return ids.length ? `${name}: ${ids.join(', ')}` : name
  })
  for (const { name, was, is } of changedLists(before, after)) {
    const { added, removed } = listChange(was ?? [], is ?? [])
    said.push(`list ${name}: ${is ? `${added} added, ${removed} removed` : 'as the site file says'}`)
  }
  return said.join('; ') || 'nothing'
}

/** The same in full: what was set of each part before and after, of lists the entries. */
export function changesBetween(before: Rules, after: Rules): RuleChange[] {
  return [
    ...changedParts(before, after).map(part => ({
      part,
      before: (before[part] ?? null) as JsonValue,
      after: (after[part] ?? null) as JsonValue,
    })),
    ...changedLists(before, after).map(({ name, was, is }) => ({
      part: 'list' as const,
      name,
      set: is !== null,
      ...listChange(was ?? [], is ?? []),
    })),
  ]
}

/** What becomes of a list where one takes the place of another. */
export function listChange(was: readonly ListEntry[], is: readonly ListEntry[]): ListChange {
  const [old, fresh] = [was, is].map(
    entries => new Map(entries.map(({ value, note = '' }) => [value, note])),
  ) as [Map<string, string>, Map<string, string>]
  const added = [...fresh.keys()].filter(value => !old.has(value))
  const removed = [...old.keys()].filter(value => !fresh.has(value))
  const noted = [...fresh].filter(([value, note]) => old.has(value) && old.get(value) !== note)
  return {
    added: added.length,
    removed: removed.length,
    noted: noted.length,
    first_added: added.slice(0, MOST_NAMED),
    first_removed: removed.slice(0, MOST_NAMED),
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

const changedParts = (before: Rules, after: Rules) => PARTS.filter(part => !same(before[part], after[part]))

function changedKeys(was: object = {}, is: object = {}): string[] {
  const [old, fresh] = [was, is].map(of => new Map<string, unknown>(Object.entries(of)))
  return [...new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])].filter(
    key => !same(old?.get(key), fresh?.get(key)),
  )
}

function changedLists(before: Rules, after: Rules) {
  const [old, fresh] = [before.lists ?? {}, after.lists ?? {}]
  const of = (lists: typeof old, name: string) =>
    Object.hasOwn(lists, name) ? entriesOf(lists[name] ?? []) : null
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
    .filter(name => !same(old[name], fresh[name]))
    .map(name => ({ name, was: of(old, name), is: of(fresh, name) }))
}
