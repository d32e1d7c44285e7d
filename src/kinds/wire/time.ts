import { GatehouseError, type JsonValue } from '../../core/index.ts'

/** How far ahead of ours a sender's clock may run: within it, "now" is meant. */
const SKEW_MS = 5 * 60_000
/** Numbers below this are seconds since the epoch, others milliseconds. */
const MILLISECONDS_FROM = 100_000_000_000

/**
 * When something was observed, out of an ISO 8601 text (UTC where it names no zone) or a number of seconds or
 * milliseconds since the epoch. Null where there is no readable time.
 */
export function readTime(value: JsonValue | undefined): number | null {
  if (typeof value === 'number') {
    const ms = value < MILLISECONDS_FROM ? value * 1000 : value
    return ms > 0 && ms < 8.64e15 ? Math.round(ms) : null
  }
  if (typeof value !== 'string') return null
  const match =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i.exec(
      value.trim(),
    )
  if (!match) return null
  try {
    return Temporal.Instant.from(`${match[1]}T${match[2]}${match[3] ?? 'Z'}`).epochMilliseconds
  } catch {
    return null
  }
}

/**
 * The same for a time that must be right where it is there: absent means now, a little ahead means now. Throws
 * `bad_event` for a time that cannot be read and for one in the future (it would never count as late).
 */
export function observedAt(value: JsonValue | undefined, now: number): number {
  if (value === undefined || value === null) return now
  const at = readTime(value)
  if (at === null)
    throw new GatehouseError('bad_event', 'The time of the event is not ISO 8601, as 2026-01-31T22:00:00Z.', {
      status: 422,
    })
  if (at > now + SKEW_MS)
    throw new GatehouseError(
      'bad_event',
      'The event is dated in the future: check the clock of its sender.',
      {
        status: 422,
      },
    )
  return Math.min(at, now)
}
