import type { Severity } from '../contract/index.ts'
import type { NoticeFilter, NoticeRow, Store, WorkflowRow } from '../store/index.ts'
import { isObject } from './json.ts'
import type { EngineDeps } from './ports.ts'
import type { Run, RunNotice } from './run.ts'
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

/** The same for a run at work, which knows all that a notice says: nothing is read for it. */
export function publishOfRun(
  { loaded, facts, id, hasClip }: Run,
  { row, unsettled }: RunNotice,
  { store, bus }: Pick<EngineDeps, 'store' | 'bus'>,
): void {
  const version =
    facts.versionId === loaded.row.versionId ? loaded.number : store.versions.get(facts.versionId)?.number
  const about = { id, chain: facts.chain, version, workflow: loaded.row }
  const clip = hasClip ? clipOf(row, store) : null
  bus.publish('notice', viewOf(row, about, { unsettled, clip }, store))
}

/** A notice as it goes out, with what led to it. It bears the version that the run began with. */
export function noticeView(row: NoticeRow, store: Store): NoticeView {
  const run = row.runId === null ? null : store.runs.get(row.runId)
  const workflow = run && store.workflows.get(run.workflowId)
  const version = run && store.versions.get(run.versionId)?.number
  const about = run && workflow ? { id: run.id, chain: run.chain, version: version ?? 0, workflow } : null
  return viewOf(row, about, { unsettled: isUnsettled(row, store), clip: clipOf(row, store) }, store)
}

interface About {
  id: number
  chain: readonly string[]
  version: number | undefined
  workflow: Pick<WorkflowRow, 'id' | 'slug' | 'name'>
}

function viewOf(
  row: NoticeRow,
  run: About | null,
  { unsettled, clip }: { unsettled: boolean; clip: number | null },
  store: Store,
): NoticeView {
  const { id, kind, severity, title, body, audience, cameraId, mediaId, stepId } = row
  return {
    id,
    run: row.runId,
    step: stepId === null ? null : store.steps.seqOf(stepId),
    workflow: run && {
      id: run.workflow.id,
      slug: run.workflow.slug,
      name: run.workflow.name,
      version: run.version ?? 0,
    },
    kind,
    severity,
    title,
    body,
    audience,
    camera_id: cameraId,
    media: mediaId,
    clip,
    chain: run ? [...run.chain, run.workflow.slug] : [],
    correlation_id: run && runCorrelation(store.meta.boxId, run.id),
    unsettled,
    over: (row.overAt ?? null) !== null,
    at: new Date(row.createdAt).toISOString(),
  }
}

/** What the run recorded last, where the step that tells of it attaches that. */
function clipOf({ runId, stepId }: NoticeRow, store: Store): number | null {
  if (runId === null || stepId === null) return null
  const clip = store.media.clipsOf(runId).at(-1)
  const inputs = clip ? store.steps.get(stepId)?.inputs : null
  const attach = isObject(inputs ?? null) ? (inputs as { attach?: unknown }).attach : null
  return clip && Array.isArray(attach) && attach.includes('clip') ? clip.id : null
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

/** A move that was wanted and was not made: whoever wanted it has to hear of it. */
export function failedMove(
  step: { runId: number; stepId: number; kind: string },
  run: { workflow: string; cameraId: string | null },
  why: string,
  createdAt: number,
): Omit<NoticeRow, 'id'> {
  const title = `${run.workflow}: the move “${step.kind}” was not made`
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
  about = null,
}: Pick<NoticeRow, 'runId' | 'stepId' | 'title' | 'body' | 'cameraId' | 'createdAt' | 'about'>): Omit<
  NoticeRow,
  'id'
> {
  const rest = { kind: 'alert', severity: 'high', audience: null, mediaId: null } as const
  return { runId, stepId, title, body, cameraId, createdAt, about, ...rest }
}

/** The box tells people something that belongs to no run; resolves once that is on the disk. */
export async function tellPeople(
  news: { title: string; body: string; severity?: Severity; about?: number; cameraId?: string },
  { store, bus, clock }: Pick<EngineDeps, 'store' | 'bus' | 'clock'>,
): Promise<void> {
  const { severity = 'high', ...said } = news
  const row = {
    ...boxAlert({ runId: null, stepId: null, cameraId: null, createdAt: clock.now(), ...said }),
    severity,
  }
  publishNotice(await store.write(() => store.notices.add(row)), { store, bus })
}
