import { type Bus, type IncomingEvent, type Log, messageOf } from '../core/index.ts'
import type { EngineApi, EngineTopics, NoticeView } from '../engine/index.ts'

export interface OwnAlertsOptions {
  bus: Bus<EngineTopics>
  engine: Pick<EngineApi, 'submit'>
  /** The id of this box: alerts of two boxes do not collide. */
  boxId: () => string
  log: Log
}

/** An alert that a workflow raises may start others on the same box; with it goes which workflows led to it. */
export class OwnAlerts {
  readonly #options: OwnAlertsOptions
  #unsubscribe: (() => void) | null = null

  constructor(options: OwnAlertsOptions) {
    this.#options = options
  }

  start(): void {
    const { bus, engine, boxId, log } = this.#options
    this.#unsubscribe ??= bus.on('notice', notice => {
      const event = alertOf(notice, boxId())
      if (!event) return
      engine.submit(event).catch(error => {
        log.warn({ run: notice.run, error: messageOf(error) }, 'an alert started no other workflow')
      })
    })
  }

  stop(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = null
  }
}

/** The alert as an event, in the words of an alert that comes from outside; null: nobody's workflow raised it. */
function alertOf(notice: NoticeView, boxId: string): IncomingEvent | null {
  if (notice.kind !== 'alert' || notice.workflow === null) return null
  const id = `alrt_${boxId}_${notice.id}`
  const source = `workflow.${notice.workflow.slug}`
  const { severity, title, body: description, chain } = notice
  return {
    kind: 'alert',
    id,
    at: Date.parse(notice.at),
    cameraId: notice.camera_id,
    schema: 'alert.fired.v1',
    source,
    severity,
    payload: { alert_id: id, title, description, severity, source, tags: [], evidence: { chain } },
    correlationId: notice.correlation_id,
    chain,
    by: null,
    workflowId: null,
    pictures: [],
  }
}
