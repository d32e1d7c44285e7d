/** What people were told, as the page keeps it. */
import type { NoticeView, RunView } from './api.ts'

/** More is read page by page. */
const MOST = 300

/** With one or more in their places, newest first; what is unsettled is never dropped. */
export function withNotices(all: readonly NoticeView[], more: readonly NoticeView[]): NoticeView[] {
  const byId = new Map([...all, ...more].map(notice => [notice.id, notice]))
  const sorted = [...byId.values()].sort((a, b) => b.id - a.id)
  return sorted.filter(({ unsettled }, i) => unsettled || i < MOST)
}

/** What a run's steps say by now of moves that nobody knew of. */
export function settledBy(all: readonly NoticeView[], run: RunView): NoticeView[] {
  return all.map(notice => {
    if (!notice.unsettled || notice.run !== run.id) return notice
    const step = run.steps.find(({ seq }) => seq === notice.step)
    return step && step.status !== 'unknown' ? { ...notice, unsettled: false } : notice
  })
}

const SEEN = 'gatehouse-seen'

/** The newest notice that this browser showed at its last visit. */
export function lastSeen(): number {
  try {
    return Number(localStorage.getItem(SEEN) ?? 0) || 0
  } catch {
    return 0
  }
}

/** Remembers it, where the browser lets us. */
export function rememberSeen(id: number): void {
  try {
    if (id > lastSeen()) localStorage.setItem(SEEN, String(id))
  } catch {
    // Then everything is new at every visit.
  }
}
