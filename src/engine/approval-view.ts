import { iso } from '../core/index.ts'
import type { SitePort } from '../kinds/index.ts'
import type { ApprovalRow, Store } from '../store/index.ts'
import { standstill } from './moves.ts'
import type { ApprovalView } from './types.ts'
import { workflowRef } from './workflow-ref.ts'

/** A question as people see it. `now`: epoch ms. */
export function approvalView(row: ApprovalRow, store: Store, site: SitePort, now: number): ApprovalView {
  const run = store.runs.get(row.runId)
  const workflow = run && store.workflows.get(run.workflowId)
  const camera = run?.cameraId ?? null
  return {
    id: row.id,
    run: row.runId,
    step: store.steps.get(row.stepId)?.seq ?? 0,
    workflow: workflowRef(run?.workflowId ?? 0, workflow),
    camera,
    camera_name: camera === null ? null : site.cameraName(camera),
    who: row.who,
    message: row.message,
    parts: row.parts,
    by_ai: row.parts.some(part => part.by_ai),
    replies: row.replies.map(({ reply, effects }) => ({
      reply,
      default: reply === row.defaultReply,
      effects,
    })),
    pictures: row.media,
    stands_still: row.status === 'open' && workflow ? standstill(workflow) : null,
    status: row.status,
    answer: row.answer,
    answered_by: row.answeredBy,
    identified_by: row.identifiedBy,
    seen_again: row.seenAgain,
    asked_at: iso(row.askedAt),
    deadline: iso(row.deadline),
    left_ms: row.status === 'open' ? Math.max(0, row.deadline - now) : null,
    decided_at: row.decidedAt === null ? null : iso(row.decidedAt),
  }
}
