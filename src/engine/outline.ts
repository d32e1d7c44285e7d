import {
  effectAt,
  fillNeeds,
  guardFacts,
  type Needs,
  type Step,
  type Workflow,
  walk,
} from '../contract/index.ts'
import type { JsonValue } from '../core/index.ts'
import type { SitePort } from '../kinds/index.ts'
import type { ApprovalEffect, RunRow, Store } from '../store/index.ts'
import { type CameraScope, isInScope, readsOf, weighty } from './reach.ts'
import { said } from './stated.ts'

/** One thing that a file does outside of the box. */
export interface OutlineAct extends Pick<ApprovalEffect, 'action' | 'target' | 'detail'> {
  path: string
  effect: 'tell' | 'move'
  /** What a move rests on; null: nothing, so that it is not made. Of a message always null. */
  guard: 'reply' | 'identity' | 'authority' | null
}

/** What a file does at this site: what it moves, whom it tells and asks, what it reads. */
export interface Outline {
  name: string
  description: string | null
  trigger: string
  acts: OutlineAct[]
  asks: { path: string; kind: 'ask_person' | 'call'; who: string[]; message: string }[]
  reads: ('plates' | 'faces')[]
  /** What a site must have for it. */
  needs: Needs
  /** The names of the cameras that bear each role here. */
  cameras: { [role: string]: string[] }
  /** Steps in which a model decides. */
  judges: number
  /** Why turning it On takes an admin, in half a sentence; null: it does not. */
  needs_admin: string | null
}

/** How many runs there were in Test, and how they ended. */
export interface TestHistory {
  runs: number
  done: number
  failed: number
  stopped: number
}

/**
 * What a file does at this site, for people who have to decide about it. It is said by the box, not by the file.
 * `scope`: they see these cameras; null: all.
 */
export function outlineOf(
  workflow: Workflow,
  site: SitePort,
  slug: string,
  scope: CameraScope = null,
): Outline {
  const view = site.view(slug)
  const acts: OutlineAct[] = []
  const asks: Outline['asks'] = []
  let judges = 0
  walk(workflow, ({ step, path }) => {
    if (step.kind === 'ai' || step.kind === 'call') judges++
    const asked = askedBy(step)
    if (asked) asks.push({ path, ...asked })
    const effect = effectAt(workflow, path, view)
    if (effect === 'read') return
    const guard = effect === 'move' ? (guardFacts(workflow, path, view)?.kind ?? null) : null
    acts.push({ path, effect, guard, ...said(step.kind, step.params as JsonValue) })
  })
  const needs = fillNeeds(workflow, view)
  return {
    name: workflow.name,
    description: workflow.description ?? null,
    trigger: workflow.when.kind,
    acts,
    asks,
    reads: readsOf(workflow),
    needs,
    cameras: Object.fromEntries(
      (needs.cameras ?? []).map(role => [
        role,
        site
          .camerasWithRole(role)
          .filter(id => isInScope(scope, id, site))
          .map(id => site.cameraName(id) ?? id),
      ]),
    ),
    judges,
    needs_admin: weighty(workflow, site, slug),
  }
}

/** Whom a step asks, and what. */
function askedBy({ kind, params }: Step): Omit<Outline['asks'][number], 'path'> | null {
  if (kind !== 'ask_person' && kind !== 'call') return null
  const { who = [], message, goal } = params as { who?: string | string[]; message?: string; goal?: string }
  return { kind, who: [who].flat(), message: message ?? goal ?? '' }
}

/** What came of a workflow while it was in Test. */
export function testHistory(workflowId: number, store: Store): TestHistory {
  const counts = store.runs.tally(workflowId, 'test')
  const runs = Object.values(counts).reduce((sum, n) => sum + n, 0)
  const of = (...statuses: RunRow['status'][]) =>
    statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  return { runs, done: of('done'), failed: of('failed', 'unknown'), stopped: of('stopped') }
}
