/** Times of the site's clock as instants, with one rule for both daylight-saving nights. */
import { DAYS } from '../contract/index.ts'
import { clockWords } from '../core/index.ts'

/** A part of the day; `days` name the day on which it begins. */
export interface Window {
  from: string
  to: string
  days?: readonly string[] | null
}

/**
 * Whether an instant (epoch ms) lies in the window: `from` inclusive, `to` exclusive, over midnight where `to` is not
 * after `from`.
 */
export function inWindow({ from, to, days }: Window, now: number, timeZone: string): boolean {
  const today = localTime(now, timeZone).toPlainDate()
  const [opens, closes] = [Temporal.PlainTime.from(from), Temporal.PlainTime.from(to)]
  const overMidnight = Temporal.PlainTime.compare(opens, closes) >= 0
  for (const begins of overMidnight ? [today, today.subtract({ days: 1 })] : [today]) {
    if (days && !days.includes(DAYS[begins.dayOfWeek - 1] ?? '')) continue
    const start = instantOf(begins, opens, timeZone)
    const end = instantOf(overMidnight ? begins.add({ days: 1 }) : begins, closes, timeZone)
    if (now >= start && now < end) return true
  }
  return false
}

/**
 * Epoch ms at which the clock of the zone first shows that time on that date, or has just passed over it: a local
 * time that does not exist is the first instant after the gap, one that exists twice is the first of the two.
 */
export function instantOf(date: Temporal.PlainDate, plainTime: Temporal.PlainTime, timeZone: string): number {
  const found = date.toZonedDateTime({ timeZone, plainTime })
  if (found.toPlainTime().equals(plainTime)) return found.epochMilliseconds
  const before = date.toPlainDateTime(plainTime).toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  return (before.getTimeZoneTransition('next') ?? found).epochMilliseconds
}

/** What the zone's clock shows at an instant (epoch ms). */
export function localTime(at: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
}

/** What the site's clock shows, for a model: facts such as opening hours mean that one. */
export function siteClock(now: number, { timeZone }: { readonly timeZone: string }): string {
  const time = localTime(now, timeZone)
  return clockWords(time.toPlainDateTime(), time.offset)
}
