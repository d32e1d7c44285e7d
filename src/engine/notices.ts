import type { NoticeRow, Store } from '../store/index.ts'
import type { Run } from './run.ts'
import { runCorrelation } from './taint.ts'
import type { NoticeView } from './types.ts'

type NewNotice = Omit<NoticeRow, 'id'>

/** A notice of a run is written with the result of its step, and told once that is on the disk. */
export function notice(run: Run, seq: number, row: NewNotice, store: Store, boxId: string): void {
  const { facts, loaded, id } = run
  const view: NoticeView = {
    id: 0,
    run: id,
    step: seq,
    workflow: { id: loaded.row.id, slug: loaded.row.slug, version: numberOf(run, store) },
    kind: row.kind === 'alert' ? 'alert' : 'notify',
    severity: row.severity ?? 'medium',
    title: row.title,
    body: row.body,
    audience: row.audience,
    camera_id: row.cameraId,
    media: row.mediaId,
    chain: [...facts.chain, loaded.row.slug],
    correlation_id: runCorrelation(boxId, id),
    at: new Date(row.createdAt).toISOString(),
  }
  run.writes.push(() => {
    view.id = store.notices.add(row)
  })
  run.notices.push(view)
}

/** Number of the version that the run began with. */
function numberOf({ loaded, facts }: Run, store: Store): number {
  if (loaded.row.versionId === facts.versionId) return loaded.number
  return store.versions.get(facts.versionId)?.number ?? loaded.number
}

/** What the box itself has to say about a run, whatever the file says. */
export function alarm(run: Run, stepId: number, title: string, body: string, createdAt: number): NewNotice {
  const { cameraId } = run.facts
  const plain = { kind: 'alert', audience: null, mediaId: null } as const
  return { ...plain, runId: run.id, stepId, severity: 'high', title, body, cameraId, createdAt }
}
