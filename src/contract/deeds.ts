/** What a file does outside of the box, whom it asks and what it reads: for people who have to decide about it. */
import { effectAt, guardFacts } from './proof/index.ts'
import { walk } from './tree.ts'
import type { Json, SiteView, Step, Workflow } from './types.ts'

/** One thing that a file does outside of the box. */
export interface Deed {
  path: string
  effect: 'tell' | 'move'
  /** What a move rests on; null: nothing, so that it is not made. Of a message always null. */
  guard: 'reply' | 'identity' | 'authority' | null
  /** Kind of the action: `webhook`. */
  action: string
  /** What it is done to: a destination, a mode, an app's action. */
  target: string
  /** What is sent, in one line; null where nothing more is to say. */
  detail: string | null
}

/** What a file does, asks and reads. */
export interface Deeds {
  acts: Deed[]
  asks: { path: string; kind: 'ask_person' | 'call'; who: string[]; message: string }[]
  reads: ('plates' | 'faces')[]
  /** Steps in which a model decides. */
  judges: number
}

/** As much of what is sent as stands beside a reply. */
const MOST_DETAIL = 200

/** Without a site the classes count that the file declares. */
export function deedsOf(workflow: Workflow, site?: SiteView): Deeds {
  const acts: Deed[] = []
  const asks: Deeds['asks'] = []
  let judges = 0
  walk(workflow, ({ step, path }) => {
    if (step.kind === 'ai' || step.kind === 'call') judges++
    const asked = askedBy(step)
    if (asked) asks.push({ path, ...asked })
    const effect = effectAt(workflow, path, site)
    if (effect === 'read') return
    const guard = effect === 'move' ? (guardFacts(workflow, path, site)?.kind ?? null) : null
    acts.push({ path, effect, guard, ...saidOf(step.kind, step.params as Json) })
  })
  return { acts, asks, reads: readsOf(workflow), judges }
}

/** Whom a step asks, and what. */
function askedBy({ kind, params }: Step): Omit<Deeds['asks'][number], 'path'> | null {
  if (kind !== 'ask_person' && kind !== 'call') return null
  const { who = [], message, goal } = params as { who?: string | string[]; message?: string; goal?: string }
  return { kind, who: [who].flat(), message: message ?? goal ?? '' }
}

/** What it reads of people and vehicles, plates before faces. */
export function readsOf(workflow: Workflow): ('plates' | 'faces')[] {
  const { kind, params } = workflow.when
  const reads = new Set<'plates' | 'faces'>()
  if (kind === 'event' && params.schema === 'plate.recognized.v1') reads.add('plates')
  walk(workflow, ({ step }) => {
    const { fields, tools } = (step.kind === 'ai' ? step.params : {}) as { fields?: object; tools?: string[] }
    const measures = Object.values(fields ?? {}).map(
      field => (field as { measure?: unknown } | null)?.measure,
    )
    if (measures.includes('plate') || tools?.includes('recent_plates')) reads.add('plates')
    if (tools?.includes('recognize_faces')) reads.add('faces')
  })
  return (['plates', 'faces'] as const).filter(each => reads.has(each))
}

/** An action in the words of its parameters: what it is done to, and what is sent. */
export function saidOf(action: string, params: Json): Pick<Deed, 'action' | 'target' | 'detail'> {
  const given = params !== null && typeof params === 'object' && !Array.isArray(params) ? params : {}
  const text = (value: Json | undefined): string =>
    typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
  const parts = (target: string, ...details: (Json | undefined)[]) => {
    const detail = details.map(text).filter(Boolean).join(' ')
    const short = detail.length > MOST_DETAIL ? `${detail.slice(0, MOST_DETAIL - 1).toWellFormed()}…` : detail
    return { action, target, detail: short || null }
  }
  switch (action) {
    case 'webhook':
    case 'mqtt':
      return parts(text(given.to), given.method, given.json)
    case 'home_assistant':
      return parts(text(given.service), given.target, given.data)
    case 'app':
      return parts([given.id, given.action].map(text).join(': '), given.params)
    case 'site_mode':
      return parts(text(given.to))
    case 'ptz_preset':
      return parts(text(given.camera), given.preset)
    case 'notify':
      return parts(Array.isArray(given.who) ? given.who.map(text).join(', ') : text(given.who), given.message)
    case 'alert':
      return parts(text(given.severity), given.title)
    default:
      return parts(typeof params === 'string' ? params : text(given.camera))
  }
}
