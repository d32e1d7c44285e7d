import { type ApprovalView, alertId, approvalView, type NoticeView, noticeView } from '../../engine/index.ts'
import type { Site } from '../../site/index.ts'
import type { Store } from '../../store/index.ts'

/** Something that waits to be told. */
export interface Waiting<T> {
  id: number
  /** Epoch ms. */
  at: number
  /** All of it, as it is now; null: there is nothing to tell any more. */
  read(): T | null
  /** Its id outside of the box, the same over all tries and channels. */
  told(): string
}

/** A table of what people are told, in the order in which it was written. */
export interface Outbox<T> {
  /** The id of the newest; 0: there is none. */
  last(): number
  /** How many there are behind `after`, and behind which the newest `most` of them stand. */
  backlog(after: number, most: number): { count: number; from: number }
  following(after: number, limit: number): Waiting<T>[]
}

/** Alerts and notifications. */
export function noticesOutbox(store: Store): Outbox<NoticeView> {
  return {
    last: () => store.notices.last(),
    backlog: (after, most) => store.notices.backlog(after, most),
    following: (after, limit) =>
      store.notices.following(after, limit).map(row => ({
        id: row.id,
        at: row.createdAt,
        read: () => noticeView(row, store),
        told: () => alertId(store.meta.boxId, row.id, new Date(row.createdAt).toISOString()),
      })),
  }
}

/** Questions to people, as long as they wait for an answer. */
export function questionsOutbox(store: Store, site: () => Site, now: () => number): Outbox<ApprovalView> {
  return {
    last: () => store.approvals.last(),
    // Those that are decided cost nothing: none is passed over unread.
    backlog: after => ({ count: 0, from: after }),
    following: (after, limit) =>
      store.approvals.following(after, limit).map(row => ({
        id: row.id,
        at: row.askedAt,
        read: () => {
          const current = store.approvals.get(row.id)
          if (current?.status !== 'open' || current.deadline <= now()) return null
          return approvalView(current, store, site(), now())
        },
        told: () => alertId(store.meta.boxId, row.id, `question ${new Date(row.askedAt).toISOString()}`),
      })),
  }
}
