import type { Effect } from '../../contract/index.ts'
import { GatehouseError, type JsonValue, messageOf } from '../../core/index.ts'
import {
  type ActionDone,
  type ActionRoom,
  actions,
  type SitePort,
  Uncertain,
  Undelivered,
} from '../../kinds/index.ts'
import type { NoticeRow } from '../../store/index.ts'
import { actionRoom, observedAt } from '../action-room.ts'
import { cameraFor } from '../camera-for.ts'
import { isObject } from '../json.ts'
import type { EngineDeps } from '../ports.ts'
import type { Node } from '../program.ts'
import type { Ended, Run } from '../run.ts'
import { capOf } from '../severity.ts'
import { runCorrelation } from '../taint.ts'
import { deliveryId } from '../tells.ts'

/** A finished action and what it leaves for people. */
export interface Acted {
  ended: Ended
  notice: Omit<NoticeRow, 'id'> | null
  /** A message that did not get through may be sent again. */
  again?: Undelivered
}

/** Carries an action out. Never rejects: a failure is a result. */
export async function runAction(
  run: Run,
  node: Node,
  step: { id: number; seq: number; inputs: JsonValue; effect: Effect },
  boxId: string,
  deps: EngineDeps,
): Promise<Acted> {
  const { effect, inputs } = step
  const site = deps.site()
  const action = actions[node.step.kind as keyof typeof actions]
  if (!action)
    return { ended: failed('not_possible', 'This version cannot do that yet.', true), notice: null }
  try {
    const cap = capOf(run, node, site, deps)
    const running = action.run(inputs, {
      room: roomOf(run, step.id, deps),
      deliveryId: deliveryId(boxId, run.id, step.seq),
      correlationId: runCorrelation(boxId, run.id),
      effect,
      severest: cap.most,
      capped: cap.why,
      signal: run.signal,
      outgoing: deps.outgoing,
      siteMode: deps.siteMode,
      world: deps.world ?? {},
    })
    const done = running instanceof Promise ? await running : running
    return {
      ended: { status: 'done', outcome: null, result: done.receipt, ai: null },
      notice: done.notice ? noticeOf(done.notice, run, step, site, deps.clock.now()) : null,
    }
  } catch (error) {
    if (error instanceof Uncertain) return { ended: unknown(error.message), notice: null }
    const code = error instanceof GatehouseError ? error.code : 'failed'
    const ended = failed(code, messageOf(error), effect === 'move')
    return { ended, notice: null, ...(error instanceof Undelivered && effect !== 'move' && { again: error }) }
  }
}

function roomOf(run: Run, stepId: number, deps: EngineDeps): ActionRoom {
  const { facts, id: runId, signal } = run
  const about = { runId, stepId, cameraId: facts.cameraId, at: observedAt(facts), signal }
  return actionRoom(about, deps, (what, media) => {
    if (what === 'clip') run.hasClip = true
    else run.lastMedia = media
  })
}

/** `ends`: nothing that was to follow on this path runs; `always` does. */
export function failed(code: string, message: string, ends: boolean): Ended {
  const result = { code, message, ...(ends && { ends_path: true }) }
  return { status: 'failed', outcome: null, result, ai: null }
}

/** The run was stopped before the step was begun. */
export function stopped(): Ended {
  const result = { code: 'stopped', message: 'The run was stopped.', stopped: true, ends_path: true }
  return { status: 'failed', outcome: null, result, ai: null }
}

/** A move of which nobody knows whether it happened. */
export function unknown(message: string): Ended {
  return { status: 'unknown', outcome: null, result: { code: 'unknown', message, ends_path: true }, ai: null }
}

function noticeOf(
  notice: NonNullable<ActionDone['notice']>,
  run: Run,
  step: { id: number; inputs: JsonValue },
  site: SitePort,
  createdAt: number,
): Omit<NoticeRow, 'id'> {
  const params = isObject(step.inputs) ? step.inputs : {}
  const attached = Array.isArray(params.attach) && params.attach.length > 0
  return {
    ...notice,
    runId: run.id,
    stepId: step.id,
    cameraId:
      typeof params.camera === 'string'
        ? (cameraFor(params.camera, run.facts.cameraId, site) ?? run.facts.cameraId)
        : run.facts.cameraId,
    mediaId: attached ? run.lastMedia : null,
    createdAt,
  }
}
