/** What a name means at one place of a workflow. */
import type { Given } from '../kind.ts'
import type { NodePath, SiteView, Workflow } from '../types.ts'
import { type Giver, type Scope, scopesOf } from './scope.ts'

/** What a reference such as `plate`, `trigger.plate` or `look.company` means at one place. */
export type Resolved =
  | { ok: true; givers: readonly Giver[]; certain: boolean; clean: boolean; identity: boolean }
  /** A name that the payload may hold. */
  | { ok: 'open'; clean: boolean }
  | { ok: false; code: 'unknown_value' | 'unknown_step' | 'ambiguous_value'; givers: readonly Giver[] }

/** Resolves a reference; several givers are fine only where no run can pass more than one of them. */
export function resolve(scope: Scope, reference: string): Resolved {
  const dot = reference.indexOf('.')
  const slug = dot < 0 ? null : reference.slice(0, dot)
  const name = dot < 0 ? reference : reference.slice(dot + 1)
  const found = scope.givers.filter(giver =>
    slug === null
      ? giver.name === name
      : (giver.name === name && giver.slug === slug) || giver.name === reference,
  )
  if (found.length === 0) {
    if (scope.open && (slug === null || slug === 'trigger')) return { ok: 'open', clean: scope.open.clean }
    const known = slug === null || slug === 'trigger' || scope.givers.some(giver => giver.slug === slug)
    return { ok: false, code: known ? 'unknown_value' : 'unknown_step', givers: [] }
  }
  if (!exclusive(found.map(giver => giver.from))) {
    return { ok: false, code: 'ambiguous_value', givers: found }
  }
  return {
    ok: true,
    givers: found,
    certain: found.some(giver => giver.certain),
    clean: found.every(giver => giver.given.clean),
    identity: found.every(giver => giver.given.identity === true),
  }
}

/**
 * Whether no run passes two of these steps: at each step where their ways part they part into different outcomes,
 * and nothing around it repeats.
 */
export function exclusive(paths: readonly NodePath[]): boolean {
  return part(paths.map(segments), 0)
}

function part(ways: readonly string[][], depth: number): boolean {
  if (ways.length < 2) return true
  const groups = new Map<string | undefined, string[][]>()
  for (const way of ways) {
    const group = groups.get(way[depth])
    if (group) group.push(way)
    else groups.set(way[depth], [way])
  }
  // One of them ends here: it stands around the others, or is one of them twice.
  if (groups.has(undefined)) return false
  // The outermost lists run one step after the other, as every list does.
  const outcomes = new Set([...groups.keys()].map(head => (depth === 0 ? '' : head?.replace(/\[\d+\]$/, ''))))
  if (outcomes.size < groups.size) return false
  return [...groups].every(
    ([head, group]) => group.length < 2 || (!head?.startsWith('do[') && part(group, depth + 1)),
  )
}

/** `then[0]["Let in"][1].delivery[0]` as its parts `then[0]`, `["Let in"][1]`, `delivery[0]`. */
function segments(path: NodePath): string[] {
  return path.match(/(?:\["(?:[^"\\]|\\.)*"\]|[^.[\]]+)\[\d+\]/g) ?? [path]
}

/** A value at one place, as a reference names it. */
export type ValueHere = Given & {
  from: NodePath
  /** False where some way to this place does not pass its giver: it may be missing. */
  certain: boolean
  /** All the givers, where a run may have passed more than one: the reference is an error. */
  ambiguous?: NodePath[]
}

/**
 * The values that can be named at a step (`when`: by the file-level `if`; `end`: at the end of `then`), by
 * reference: `plate`, `trigger.plate`, `look.company`. A value that several exclusive steps give is clean only
 * if all of them give it clean.
 */
export function valuesAt(workflow: Workflow, path: NodePath, site?: SiteView): Map<string, ValueHere> {
  const scope = scopesOf(workflow, site).get(path)
  const values = new Map<string, ValueHere>()
  for (const giver of scope?.givers ?? []) {
    for (const reference of giver.slug === null
      ? [giver.name]
      : [giver.name, `${giver.slug}.${giver.name}`]) {
      if (!scope || values.has(reference)) continue
      const resolved = resolve(scope, reference)
      if (resolved.ok === 'open') continue
      const last = resolved.givers.at(-1) ?? giver
      values.set(reference, {
        ...last.given,
        clean: resolved.ok && resolved.clean,
        from: last.from,
        certain: resolved.ok && resolved.certain,
        ...(resolved.ok ? {} : { ambiguous: resolved.givers.map(each => each.from) }),
      })
    }
  }
  return values
}
