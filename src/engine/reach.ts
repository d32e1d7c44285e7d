import {
  type CamerasNamed,
  camerasNamed,
  readsOf,
  type Workflow,
  type WorkflowState,
} from '../contract/index.ts'
import { GatehouseError } from '../core/index.ts'
import type { SitePort } from '../kinds/index.ts'
import type { WorkflowRow } from '../store/index.ts'
import { movesAt } from './moves.ts'
import type { EngineDeps } from './ports.ts'
import { compile, type Program } from './program.ts'

/** Cameras, each `<id>` or `role:<role>`; null: all. */
export type CameraScope = readonly string[] | null

/** How far whoever saves or switches something reaches. Absent: all the way. */
export interface Reach {
  /** Who answers for what is saved: it sees no more than they do from then on. Null: nobody by name. */
  user: number | null
  cameras: CameraScope
  /** May turn On what moves something, or reads plates or faces. */
  admin: boolean
}

type Cameras = Pick<SitePort, 'rolesOf' | 'camerasWithRole' | 'cameraName'>

/** Whether a camera is among them. */
export function isInScope(scope: CameraScope, cameraId: string, site: Cameras): boolean {
  if (scope === null || scope.includes(cameraId)) return true
  return site.rolesOf(cameraId).some(role => scope.includes(`role:${role}`))
}

/** What a role stands for at this site; a loop over several cameras of one role names each by its id. */
function behind(role: string, site: Cameras): readonly string[] {
  const ids = site.camerasWithRole(role)
  return ids.length || site.cameraName(role) === null ? ids : [role]
}

/** Roles of which some camera is not among them. */
function uncovered(scope: readonly string[], roles: readonly string[], site: Cameras): string[] {
  return roles.filter(role => {
    if (scope.includes(`role:${role}`)) return false
    const ids = behind(role, site)
    return !ids.length || ids.some(id => !isInScope(scope, id, site))
  })
}

/** Why a file reaches beyond these cameras, as the second half of a sentence; null: it does not. */
export function beyond(scope: CameraScope, { trigger, steps }: CamerasNamed, site: Cameras): string | null {
  if (scope === null) return null
  if (trigger === null) return 'its trigger takes events of any camera unless it names some under `cameras`'
  return stepsBeyond(scope, steps, site) ?? named(uncovered(scope, trigger, site))
}

/** The same of its steps alone: an event of a camera starts it, or does not, by that camera. */
export function stepsBeyond(scope: CameraScope, steps: CamerasNamed['steps'], site: Cameras): string | null {
  if (scope === null) return null
  if (steps === null) return 'its steps may look at any camera'
  return named(uncovered(scope, steps, site))
}

/** Whether something of it may be looked at: its steps look at no other camera, and its trigger at one of these. */
export function isVisible(scope: CameraScope, { trigger, steps }: CamerasNamed, site: Cameras): boolean {
  if (scope === null) return true
  if (stepsBeyond(scope, steps, site) !== null) return false
  if (!trigger?.length) return true
  return trigger.some(
    role => scope.includes(`role:${role}`) || behind(role, site).some(id => isInScope(scope, id, site)),
  )
}

function named(roles: readonly string[]): string | null {
  if (!roles.length) return null
  return `${roles.join(', ')} ${roles.length === 1 ? 'is' : 'are'} not, or not wholly, among them`
}

const looked = new WeakMap<Program, CamerasNamed>()

/** Which cameras a version is about; looked for once. */
export function camerasOf(program: Program): CamerasNamed {
  const known = looked.get(program) ?? camerasNamed(program.workflow)
  looked.set(program, known)
  return known
}

/** Throws `out_of_scope` or `admin_needed` (403) for a file that reaches further than whoever saves it. */
export function demandReach(
  workflow: Workflow,
  reach: Reach,
  row: Pick<WorkflowRow, 'name' | 'slug' | 'state'> | null,
  site: SitePort,
): void {
  demandScope(workflow, reach, site)
  const why = row?.state === 'on' && !reach.admin ? weighty(workflow, site, row.slug) : null
  if (row && why !== null) throw adminNeeded(row.name, why)
}

/** Throws `out_of_scope` (403). */
export function demandScope(workflow: Workflow, { cameras }: Reach, site: SitePort): void {
  const why = beyond(cameras, camerasNamed(workflow), site)
  if (why === null) return
  throw new GatehouseError('out_of_scope', `This goes beyond the cameras that you may see: ${why}.`, {
    status: 403,
  })
}

/** The cameras that a workflow may see: those of whoever saved it, as they are now. Null: all. */
export function scopeOf(savedBy: number | null | undefined, deps: EngineDeps): CameraScope {
  return savedBy === null || savedBy === undefined ? null : (deps.scopeOf?.(savedBy) ?? null)
}

/** Why turning it On takes an admin, in half a sentence; null: it does not. */
export function weighty(workflow: Workflow, site: SitePort, slug: string): string | null {
  const [move] = movesAt(compile(workflow), site, slug)
  if (move !== undefined) return 'it moves something'
  const reads = readsOf(workflow)
  return reads.length ? `it reads ${reads.at(-1)}` : null
}

/** Of a new workflow: what takes an admin is in Test until one turns it On. */
export function stateOf(
  workflow: Workflow,
  { state = workflow.state, reach }: { state?: WorkflowState; reach?: Reach },
  site: SitePort,
): WorkflowState {
  const held = state === 'on' && reach && !reach.admin && weighty(workflow, site, '') !== null
  return held ? 'test' : state
}

export function adminNeeded(name: string, why: string): GatehouseError {
  const message = `${name} is an admin's to turn On, since ${why}: ask one, or leave it in Test.`
  return new GatehouseError('admin_needed', message, { status: 403 })
}
