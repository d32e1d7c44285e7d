/** Names of one site become those of another: everything else of the text stays as it was written. */
import { needsOf } from './check-names.ts'
import type { NodeNeeds } from './kind.ts'
import { locator } from './locate.ts'
import { ReadContext } from './read-context.ts'
import { readWorkflow } from './read-workflow.ts'
import { applyFix, ProblemList, positions } from './reporter.ts'
import { entryOf, readSource, type Src } from './source.ts'
import type { TextEdit } from './types.ts'
import { textsIn } from './values/index.ts'

type Names = { readonly [name: string]: string }

/** By what they are called in the file. */
export interface Renaming {
  /** Roles of cameras. */
  cameras?: Names
  lists?: Names
  /** Roles of people. */
  roles?: Names
  destinations?: Names
}

export const RENAMED = ['cameras', 'lists', 'roles', 'destinations'] as const

/** Where in the parameters of a kind names of a sort stand: what a payload's own keys hold is none. */
const PLACES: Readonly<Record<(typeof RENAMED)[number], RegExp>> = {
  cameras: /^(\.(camera|cameras|look_at))?(\[\d+\])*$/,
  lists: /^\.list$/,
  roles: /^\.who(\[\d+\])*$/,
  destinations: /^\.to$/,
}

/** As a name stands in the text: what YAML would read as something else is quoted. */
const spelled = (name: string) =>
  /^[a-z_][\w-]*$/i.test(name) && !/^(true|false|null)$/i.test(name) ? name : JSON.stringify(name)

/** The file with other names; as it is where it is not understood. */
export function rename(text: string, renaming: Renaming): string {
  const problems = new ProblemList(text)
  const source = readSource(text, problems)
  if (!source) return text
  const reading = new ReadContext(text, problems)
  const workflow = readWorkflow(source, reading)
  if (!workflow || problems.hasErrors) return text
  const locate = locator(source, reading.inside, positions(text))
  const edits = new Map<number, TextEdit>()
  const put = (from: number, to: number, name: string, old: string) => {
    const at = text.slice(from, to).lastIndexOf(old)
    if (at < 0) return
    // A whole scalar may want quotes; a part of one (`role:guard`) is text already, and so is one that has them.
    const whole = at === 0 && to - from === old.length
    const insert = whole ? spelled(name) : name
    edits.set(from + at, { from: from + at, to: from + at + old.length, insert })
  }
  for (const { needs, params, path } of needsOf(workflow))
    for (const sort of RENAMED)
      for (const old of named(needs, sort)) {
        const name = nameOf(renaming, sort, old)
        if (name === null) continue
        const said = sort === 'roles' ? `role:${old}` : old
        for (const place of textsIn(params, path)) {
          if (place.text !== said || !PLACES[sort].test(place.path.slice(path.length))) continue
          const { from, to } = locate(place.path)
          put(from, to, name, old)
        }
      }
  const header = source.type === 'map' ? entryOf(source, 'needs')?.value : undefined
  for (const { from, to, old, sort } of headerNames(header)) {
    const name = nameOf(renaming, sort, old)
    if (name !== null) put(from, to, name, old)
  }
  return applyFix(text, { title: '', edits: [...edits.values()].sort((a, b) => a.from - b.from) })
}

function nameOf(renaming: Renaming, sort: (typeof RENAMED)[number], old: string): string | null {
  const names = renaming[sort] ?? {}
  const name = Object.hasOwn(names, old) ? names[old] : undefined
  return name === undefined || name === old ? null : name
}

const named = (needs: NodeNeeds, sort: (typeof RENAMED)[number]): readonly string[] => needs[sort] ?? []

/** What the file says that it needs. */
function headerNames(header: Src | undefined) {
  if (header?.type !== 'map') return []
  return RENAMED.flatMap(sort => {
    const value = entryOf(header, sort)?.value
    if (value?.type === 'list')
      return value.items.flatMap(item =>
        item.type === 'scalar' ? [{ from: item.from, to: item.to, old: String(item.value), sort }] : [],
      )
    return value?.type === 'map'
      ? value.entries.map(({ key, keyFrom, keyTo }) => ({ from: keyFrom, to: keyTo, old: key, sort }))
      : []
  })
}
