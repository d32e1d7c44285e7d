import { type Deed, type Deeds, deedsOf, fillNeeds, type Needs, type Workflow } from '../contract/index.ts'
import type { SitePort } from '../kinds/index.ts'
import type { RunRow, Store } from '../store/index.ts'
import { type CameraScope, isInScope, weighty } from './reach.ts'

export type OutlineAct = Deed

/** What a file does at this site: what it moves, whom it tells and asks, what it reads. */
export interface Outline extends Deeds {
  name: string
  description: string | null
  trigger: string
  /** What a site must have for it. */
  needs: Needs
  /** The names of the cameras that bear each role here. */
  cameras: { [role: string]: string[] }
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
  const needs = fillNeeds(workflow, view)
  return {
    name: workflow.name,
    description: workflow.description ?? null,
    trigger: workflow.when.kind,
    ...deedsOf(workflow, view),
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
    needs_admin: weighty(workflow, site, slug),
  }
}

/** What came of a workflow while it was in Test. */
export function testHistory(workflowId: number, store: Store): TestHistory {
  const counts = store.runs.tally(workflowId, 'test')
  const runs = Object.values(counts).reduce((sum, n) => sum + n, 0)
  const of = (...statuses: RunRow['status'][]) =>
    statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  return { runs, done: of('done'), failed: of('failed', 'unknown'), stopped: of('stopped') }
}
