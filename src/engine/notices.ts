import type { NoticeFilter, NoticeRow, Store } from '../store/index.ts'
import type { EngineDeps } from './ports.ts'
import { runCorrelation } from './taint.ts'
import type { NoticeView } from './types.ts'

/** What people were told, newest first. */
export function noticesOf(filter: NoticeFilter, store: Store): NoticeView[] {
  return store.notices.list(filter).map(row => noticeView(row, store))
}

/** Tells the floors above of a notice that is on the disk. */
export function publishNotice(id: number, { store, bus }: Pick<EngineDeps, 'store' | 'bus'>): void {
  const row = store.notices.get(id)
  if (row) bus.publish('notice', noticeView(row, store))
}

/** A notice as it goes out, with what led to it. It bears the version that the run began with. */
function noticeView(row: NoticeRow, store: Store): NoticeView {
  const run = row.runId === null ? null : store.runs.get(row.runId)
  const workflow = run && store.workflows.get(run.workflowId)
  const { id, kind, severity, title, body, audience, cameraId, mediaId, stepId } = row
  return {
    id,
    run: row.runId,
    step: stepId === null ? null : (store.steps.get(stepId)?.seq ?? null),
    workflow:
      run && workflow
        ? {
            id: workflow.id,
            slug: workflow.slug,
            name: workflow.name,
            version: store.versions.get(run.versionId)?.number ?? 0,
          }
        : null,
    kind,
    severity,
    title,
    body,
    audience,
    camera_id: cameraId,
    media: mediaId,
    chain: run && workflow ? [...run.chain, workflow.slug] : [],
    correlation_id: run && runCorrelation(store.meta.boxId, run.id),
    unsettled: isUnsettled(row, store),
    at: new Date(row.createdAt).toISOString(),
  }
}

function isUnsettled({ runId, stepId }: NoticeRow, store: Store): boolean {
  if (runId === null || stepId === null) return false
  return store.intents.ofRun(runId).some(each => each.stepId === stepId && each.status === 'unknown')
}

/** Somebody has to look whether a move happened. */
export function unknownMove(
  step: { runId: number; stepId: number; kind: string },
  run: { workflow: string; cameraId: string | null },
  why: string,
  createdAt: number,
): Omit<NoticeRow, 'id'> {
  const title = `${run.workflow}: look whether “${step.kind}” happened`
  return boxAlert({ ...step, cameraId: run.cameraId, title, body: why, createdAt })
}

/** What the box itself has to say, whatever the file says. */
export function boxAlert({
  runId,
  stepId,
  title,
  body,
  cameraId,
  createdAt,
}: Pick<NoticeRow, 'runId' | 'stepId' | 'title' | 'body' | 'cameraId' | 'createdAt'>): Omit<NoticeRow, 'id'> {
  const rest = { kind: 'alert', severity: 'high', audience: null, mediaId: null } as const
  return { runId, stepId, title, body, cameraId, createdAt, ...rest }
}
