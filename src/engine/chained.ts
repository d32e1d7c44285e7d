import { type IncomingEvent, messageOf } from '../core/index.ts'
import type { DueRow, NoticeRow } from '../store/index.ts'
import { isForLackOfRoom, isFresh } from './admit.ts'
import { alertId } from './alert-id.ts'
import { isObject } from './json.ts'
import { noticeView } from './notices.ts'
import type { EngineDeps } from './ports.ts'
import type { Admission, NoticeView } from './types.ts'
import type { Workflows } from './workflows.ts'

/** The kind of `due` row of an alert that may start other workflows of this box. */
export const CHAINED = 'chained'
const SCHEMA = 'alert.fired.v1'
/** What found no room, or was not heard of, is looked at again after this. */
const AGAIN_MS = 1_000

/**
 * An alert that a workflow raises may start others on the same box. A row that is written with the alert promises it,
 * so that neither a crash nor a full box forgets it; with the event goes which workflows led to it.
 */
export class Chained {
  readonly #deps: EngineDeps
  readonly #workflows: Workflows
  readonly #submit: (event: IncomingEvent) => Promise<Admission[]>
  readonly #trying = new Set<number>()
  #open = false

  constructor(
    deps: EngineDeps,
    workflows: Workflows,
    submit: (event: IncomingEvent) => Promise<Admission[]>,
  ) {
    this.#deps = deps
    this.#workflows = workflows
    this.#submit = submit
  }

  start(): void {
    this.#open = true
    for (const row of this.#deps.store.due.all()) if (row.kind === CHAINED) this.ring(row)
  }

  stop(): void {
    this.#open = false
  }

  /** Whether a notice may start anything. */
  follows({ kind, runId }: Pick<NoticeRow, 'kind' | 'runId'>): boolean {
    if (kind !== 'alert' || runId === null) return false
    for (const { row, program } of this.#workflows.all()) {
      const when = program?.workflow.when
      if (row.state === 'off' || !when) continue
      if (when.kind === 'alert' || (when.kind === 'event' && when.params.schema === SCHEMA)) return true
    }
    return false
  }

  /** Writes the promise, inside of the commit that writes the notice. Answers with its row. */
  promise(notice: number): DueRow {
    const row = {
      at: this.#deps.clock.now() + AGAIN_MS,
      kind: CHAINED,
      runId: null,
      stepId: null,
      payload: { notice },
    }
    return { ...row, id: this.#deps.store.due.add(row) }
  }

  /** Keeps a promise that is on the disk. */
  ring(row: DueRow): void {
    if (!this.#open || this.#trying.has(row.id)) return
    this.#trying.add(row.id)
    this.#keep(row)
      .catch(error => this.#deps.log.error({ error: messageOf(error) }, 'an alert could not be followed'))
      .finally(() => this.#trying.delete(row.id))
  }

  async #keep({ id, payload }: DueRow): Promise<void> {
    const { store, clock } = this.#deps
    const notice = isObject(payload) && typeof payload.notice === 'number' ? payload.notice : 0
    const row = store.notices.get(notice)
    const event = row && alertOf(noticeView(row, store), store.meta.boxId)
    const admissions = event ? await this.#submit(event) : []
    const again =
      event && isFresh(event, clock.now()) && admissions.some(each => isForLackOfRoom(each.reason))
    await store.write(() => {
      if (again) store.due.move(id, clock.now() + AGAIN_MS, payload)
      else store.due.remove(id)
    })
  }
}

/** The alert as an event, in the words of an alert that comes from outside; null: nobody's workflow raised it. */
function alertOf(notice: NoticeView, boxId: string): IncomingEvent | null {
  if (notice.kind !== 'alert' || notice.workflow === null) return null
  // Under the id with which it goes out: what comes back is known.
  const id = alertId(boxId, notice.id, notice.at)
  const source = `workflow.${notice.workflow.slug}`
  const { severity, title, body: description, chain } = notice
  return {
    kind: 'alert',
    id,
    at: Date.parse(notice.at),
    cameraId: notice.camera_id,
    schema: SCHEMA,
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
