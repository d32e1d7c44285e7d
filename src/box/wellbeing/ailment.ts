/** What it takes for people to be told that something is not well, and that it is again: once each, however it flaps. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** So often in an hour is coming and going. */
const FLAPS = 6
/** What was told has to be well for so long. */
const WELL_MS = 5 * MINUTE_MS
/** And so long where it came and went. */
const STEADY_MS = 30 * MINUTE_MS

/** How something is at the moment. */
export type Sign =
  | { is: 'ill'; problem: string }
  | { is: 'well' }
  /** Nothing was heard of it lately. */
  | { is: 'unknown' }

/** What is remembered of something that is not well, or was not a moment ago. */
export interface Ailment {
  /** Why, as it was said last. */
  problem: string
  /** When this spell began, or where people were told, the first (epoch ms). */
  since: number
  /** Since when it is well again; null: it is not. */
  wellSince: number | null
  /** When it fell ill within the last hour, or since people were told. */
  falls: number[]
  told: 'nothing' | 'ill' | 'flaps'
}

/** What people are told of it now. */
export type News =
  | { kind: 'ill'; problem: string; since: number }
  | { kind: 'flaps'; problem: string; times: number }
  | { kind: 'well'; since: number; until: number; times: number }

export interface Next {
  /** Null: there is nothing to remember. */
  ailment: Ailment | null
  news: News | null
}

/** The state after a sign. `graceMs`: it has to be ill for so long before people are told. */
export function next(before: Ailment | null, sign: Sign, now: number, graceMs: number): Next {
  if (sign.is === 'unknown') return { ailment: before, news: null }
  if (sign.is === 'ill') return ill(before, sign.problem, now, graceMs)
  return before ? well(before, now) : { ailment: null, news: null }
}

function ill(before: Ailment | null, problem: string, now: number, graceMs: number): Next {
  const fell = before === null || before.wellSince !== null
  const falls = fell ? [...(before?.falls ?? []), now].slice(-100) : before.falls
  const told = before?.told ?? 'nothing'
  const since = told !== 'nothing' || !fell ? (before?.since ?? now) : now
  const ailment: Ailment = { problem, since, wellSince: null, falls, told }
  if (told !== 'nothing') return { ailment, news: null }
  const times = falls.filter(at => at > now - HOUR_MS).length
  if (now - since >= graceMs)
    return { ailment: { ...ailment, told: 'ill' }, news: { kind: 'ill', problem, since } }
  if (times < FLAPS) return { ailment, news: null }
  return {
    ailment: { ...ailment, since: falls[0] ?? now, told: 'flaps' },
    news: { kind: 'flaps', problem, times },
  }
}

function well(before: Ailment, now: number): Next {
  const wellSince = before.wellSince ?? now
  const ailment = { ...before, wellSince }
  if (before.told === 'nothing') {
    const recent = before.falls.some(at => at > now - HOUR_MS)
    return { ailment: recent ? ailment : null, news: null }
  }
  const flapped = before.told === 'flaps' || before.falls.filter(at => at > now - HOUR_MS).length >= FLAPS
  if (now - wellSince < (flapped ? STEADY_MS : WELL_MS)) return { ailment, news: null }
  const news = { kind: 'well', since: before.since, until: wellSince, times: before.falls.length } as const
  return { ailment: null, news }
}

/** Out of what was stored; null: that is nothing which this version knows. */
export function ailmentIn(text: string): Ailment | null {
  try {
    const { problem, since, wellSince, falls, told } = JSON.parse(text) as Ailment
    const known = ['nothing', 'ill', 'flaps'].includes(told) && Array.isArray(falls)
    const times = [since, wellSince ?? 0, ...falls].every(at => Number.isFinite(at))
    return known && times && typeof problem === 'string' ? { problem, since, wellSince, falls, told } : null
  } catch {
    return null
  }
}
