/** Which values exist at each place of a workflow, who gives them and whether they are clean. */
import type { Given } from '../kind.ts'
import { actionKind, flowKind, triggers } from '../kinds/index.ts'
import { nodePath } from '../tree.ts'
import type { NodePath, SiteView, Step, Workflow } from '../types.ts'

/** One value of one giver. */
export interface Giver {
  name: string
  /** The giver's own name, for `{slug.name}`; `trigger` for the trigger. */
  slug: string | null
  /** `when`, or the path of the step. */
  from: NodePath
  given: Given
  /** Whether every way that leads here has passed the giver. */
  certain: boolean
}

/** What can be named at one place. */
export interface Scope {
  givers: readonly Giver[]
  /** What any other name is, where the trigger's payload has no known keys. */
  open: Given | null
}

/** The scopes of one workflow, by the path of a step; `when` is the file-level `if`, `end` what `always` sees. */
export type Scopes = ReadonlyMap<NodePath, Scope>

/** Lays out the scopes of a whole file. Time and space grow with steps × values. */
export function scopesOf(workflow: Workflow, site?: SiteView): Scopes {
  const { kind, params } = workflow.when
  const open = triggers[kind].open?.(params, site) ?? null
  const scopes = new Map<NodePath, Scope>()
  const put = (path: NodePath, givers: readonly Giver[]) => scopes.set(path, { givers, open })
  const start = named('when', 'trigger', triggers[kind].gives(params, site))
  put('when', start)
  const end = flow(workflow.then, '', 'then', start, put)
  const always = end.map(giver => (giver.from === 'when' ? giver : { ...giver, certain: false }))
  put('end', always)
  flow(workflow.always, '', 'always', always, put)
  return scopes
}

type Put = (path: NodePath, givers: readonly Giver[]) => void

/** Walks one list of steps and answers what exists behind it. */
function flow(
  list: readonly Step[],
  parent: NodePath,
  outcome: string,
  before: readonly Giver[],
  put: Put,
): readonly Giver[] {
  let now = before
  list.forEach((step, index) => {
    const path = nodePath(parent, outcome, index)
    put(path, now)
    now = passing(step, path, now, put)
  })
  return now
}

function passing(step: Step, path: NodePath, before: readonly Giver[], put: Put): readonly Giver[] {
  const own = givenBy(step, path)
  if (step.kind === 'for_each') {
    // What one round gives is there in the next; what the loop itself gives, behind it.
    const inside = added(before, givenInside(step, path))
    const body = step.paths.do ?? []
    const end = flow(body, path, 'do', merge(inside, givenWithin(body, path, 'do')), put)
    return added(
      merge(before, end).filter(giver => giver.from !== path),
      own,
    )
  }
  const after = added(before, own)
  return Object.entries(step.paths).reduce(
    (now, [outcome, list]) => merge(now, flow(list, path, outcome, after, put)),
    after,
  )
}

/** All that the steps of a list and those inside them give to what comes behind them. */
function givenWithin(list: readonly Step[], parent: NodePath, outcome: string): Giver[] {
  return list.flatMap((step, index) => {
    const path = nodePath(parent, outcome, index)
    const inner = Object.entries(step.paths).flatMap(([name, within]) => givenWithin(within, path, name))
    return [...givenBy(step, path), ...inner]
  })
}

/** With what a step gives; in a loop it may have given the same in an earlier round. */
function added(now: readonly Giver[], own: readonly Giver[]): readonly Giver[] {
  const [first] = own
  if (!first) return now
  const names = new Set(own.map(giver => giver.name))
  return [...now.filter(giver => giver.from !== first.from || !names.has(giver.name)), ...own]
}

/** `now` and whatever `branch` has beside it, which some ways do not pass. */
function merge(now: readonly Giver[], branched: readonly Giver[]): readonly Giver[] {
  const seen = new Set(now.map(giver => `${giver.from} ${giver.name}`))
  const more = branched.filter(giver => !seen.has(`${giver.from} ${giver.name}`))
  return more.length === 0 ? now : [...now, ...more.map(giver => ({ ...giver, certain: false }))]
}

function givenBy(step: Step, path: NodePath): Giver[] {
  const descriptor = flowKind(step.kind) ?? actionKind(step.kind)
  return named(path, step.name ?? null, descriptor?.gives?.(step.params as never) ?? {})
}

function givenInside(step: Step, path: NodePath): Giver[] {
  const given = flowKind(step.kind)?.givesInside?.(step.params as never) ?? {}
  return named(path, step.name ?? null, given)
}

function named(from: NodePath, slug: string | null, values: Record<string, Given>): Giver[] {
  return Object.entries(values).map(([name, given]) => ({ name, slug, from, given, certain: true }))
}
