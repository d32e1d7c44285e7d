/** Questions to people, as the page keeps them. */
import type { ApprovalView } from './api.ts'
import { t } from './language.ts'

export interface Question extends ApprovalView {
  /** By this browser's own clock (epoch ms), which need not be the box's: when the time to answer is over. */
  ends: number | null
}

/** Decided ones that are kept. */
const MOST_DECIDED = 10

export function questionOf(view: ApprovalView): Question {
  return { ...view, ends: view.left_ms === null ? null : Date.now() + view.left_ms }
}

/** With one in its place: open ones first, the most urgent before the others, then the latest decided. */
export function withQuestion(all: readonly Question[], one: Question): Question[] {
  const others = all.filter(({ id }) => id !== one.id)
  const known = all.find(({ id }) => id === one.id)
  // What is decided stays decided, in whatever order the news comes.
  const next = known && known.status !== 'open' && one.status === 'open' ? known : one
  const sorted = [...others, next]
  const open = sorted.filter(({ status }) => status === 'open')
  const decided = sorted.filter(({ status }) => status !== 'open')
  open.sort((a, b) => a.deadline.localeCompare(b.deadline) || a.id - b.id)
  decided.sort((a, b) => b.id - a.id)
  return [...open, ...decided.slice(0, MOST_DECIDED)]
}

/** `42 s left`, `3 min left`, `2 h left`. */
export function left(ms: number): string {
  if (ms <= 0) return t('inbox.time_up')
  if (ms < 100_000) return t('inbox.left_s', { n: Math.ceil(ms / 1000) })
  if (ms < 100 * 60_000) return t('inbox.left_min', { n: Math.ceil(ms / 60_000) })
  return t('inbox.left_h', { n: Math.ceil(ms / 3_600_000) })
}

/** `role:guard` → `guard`. */
export const whom = (who: readonly string[]): string =>
  who.map(one => one.replace(/^(role|person):/, '')).join(', ') || t('inbox.whoever')
