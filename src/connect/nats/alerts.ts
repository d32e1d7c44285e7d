import { cut } from '../../core/index.ts'
import type { NoticeView } from '../../engine/index.ts'
import { type NoticeChannel, neverTold } from '../notices/channel.ts'
import { tokenOf } from './subjects.ts'

/** What the NVR takes of a title and a description. */
const MOST_TITLE = 200
const MOST_DESCRIPTION = 4000
/** Whoever listens there shall not drown in what one site raises. */
const PER_SECOND = 50

/** Sends a message; resolves once the server has it. */
export type Publish = (subject: string, body: string) => Promise<void>

/** The alerts of this box's workflows, as the NVR and other boxes hear alerts. */
export class NatsAlerts implements NoticeChannel {
  readonly name = 'nats'
  readonly perSecond = PER_SECOND
  readonly #publish: Publish

  constructor(publish: Publish) {
    this.#publish = publish
  }

  /** What the box says of itself is for its people: an alert there has a workflow as its source. */
  wants({ kind, workflow }: NoticeView): boolean {
    return kind === 'alert' && workflow !== null
  }

  async deliver(notice: NoticeView, { id }: { id: string }): Promise<void> {
    const { workflow } = notice
    if (!workflow) throw neverTold('An alert on NATS needs its workflow.')
    await this.#publish(
      `opennvr.alerts.workflow.${tokenOf(workflow.slug)}.${tokenOf(notice.camera_id ?? '')}`,
      JSON.stringify(alertOf(notice, workflow, id)),
    )
  }
}

function alertOf(notice: NoticeView, workflow: NonNullable<NoticeView['workflow']>, id: string): object {
  return {
    alert_id: id,
    fired_at: notice.at,
    title: cut(notice.title, MOST_TITLE),
    description: cut(notice.body, MOST_DESCRIPTION),
    severity: notice.severity,
    source: { kind: 'workflow', name: workflow.slug, version: String(workflow.version) },
    camera_id: notice.camera_id,
    // Of the run: by it and by the chain it is known as an echo, wherever it comes back from.
    correlation_id: notice.correlation_id,
    evidence: {
      workflow_id: workflow.id,
      workflow_version: workflow.version,
      run_id: notice.run,
      chain: notice.chain,
    },
    tags: [],
  }
}
