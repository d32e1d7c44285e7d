import { type Cron, DAYS, type Json, parseCron, parseDuration } from '../../contract/index.ts'
import { instantOf, localTime } from '../local-time.ts'

/** A date that a cron line names comes within this: 29 February may be eight years away. */
const DAYS_AHEAD = 366 * 9

/**
 * When a schedule runs next after an instant, all in epoch ms; null: never. Intervals are counted from `anchor`,
 * whatever the site's clock does; times of day and cron lines follow that clock, and each of their local times
 * runs once on both daylight-saving nights.
 */
export function nextOccurrence(
  params: { [key: string]: Json },
  after: number,
  { timeZone, anchor }: { timeZone: string; anchor: number },
): number | null {
  const { cron, every, at, days } = params
  if (typeof every === 'string') {
    const ms = parseDuration(every) ?? 0
    return ms > 0 ? anchor + (Math.floor((after - anchor) / ms) + 1) * ms : null
  }
  if (typeof cron === 'string') return nextLocal(parseCron(cron), after, timeZone)
  if (typeof at !== 'string') return null
  const [hour = 0, minute = 0] = at.split(':').map(Number)
  const on: Cron['on'] = ({ weekday }) => !Array.isArray(days) || days.includes(DAYS[weekday - 1] ?? '')
  return nextLocal({ hours: [hour], minutes: [minute], on }, after, timeZone)
}

/** Local times in order are instants in order (several may be one and the same), so the first later one is it. */
function nextLocal({ hours, minutes, on }: Cron, after: number, timeZone: string): number | null {
  const now = localTime(after, timeZone)
  let date = now.toPlainDate()
  let from = now.hour
  for (let i = 0; i < DAYS_AHEAD; i++) {
    if (on({ month: date.month, day: date.day, weekday: date.dayOfWeek })) {
      for (const hour of hours) {
        if (hour < from) continue
        for (const minute of minutes) {
          const instant = instantOf(date, new Temporal.PlainTime(hour, minute), timeZone)
          if (instant > after) return instant
        }
      }
    }
    date = date.add({ days: 1 })
    from = 0
  }
  return null
}
