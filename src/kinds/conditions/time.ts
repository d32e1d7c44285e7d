import { DAYS } from '../../contract/index.ts'
import { instantOf } from '../local-time.ts'
import type { ConditionFunction } from '../types.ts'

interface Params {
  from: string
  to: string
  days?: string[]
}

/**
 * The clock of the site stands in the window: `from` inclusive, `to` exclusive, over midnight where `to` is not
 * after `from`; `days` name the day on which the window begins. On the two daylight-saving nights a time that
 * does not exist means the first instant after the gap, and one that exists twice means its first.
 */
export const time: ConditionFunction = {
  holds(params, { now, site }) {
    const { from, to, days } = params as Params
    const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(site.timeZone).toPlainDate()
    const [opens, closes] = [Temporal.PlainTime.from(from), Temporal.PlainTime.from(to)]
    const overMidnight = Temporal.PlainTime.compare(opens, closes) >= 0
    for (const begins of overMidnight ? [today, today.subtract({ days: 1 })] : [today]) {
      if (days && !days.includes(DAYS[begins.dayOfWeek - 1] ?? '')) continue
      const start = instantOf(begins, opens, site.timeZone)
      const end = instantOf(overMidnight ? begins.add({ days: 1 }) : begins, closes, site.timeZone)
      if (now >= start && now < end) return true
    }
    return false
  },
}
