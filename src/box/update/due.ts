/** How long after its time a nightly update may still begin: never in the middle of a day. */
const LATE_MS = 2 * 3_600_000

/** Whether a time of day (`03:30`, in a zone) is now, or was a little while ago. */
export function isDue(at: string | null, now: number, zone: string): boolean {
  const since = at === null ? -1 : sinceToday(at, now, zone)
  return since >= 0 && since < LATE_MS
}

/** Whether a time of day has passed since `last` (ISO 8601): what was missed is made up for. */
export function isPast(at: string | null, last: string | null, now: number, zone: string): boolean {
  if (at === null) return false
  const today = sinceToday(at, now, zone)
  const latest = now - (today >= 0 ? today : today + 24 * 3_600_000)
  const done = last === null ? Number.NEGATIVE_INFINITY : Date.parse(last)
  // A clock that was wrong once must not end all backups.
  return done < latest || done > now
}

function sinceToday(at: string, now: number, zone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
  return local.since(local.withPlainTime(at)).total('milliseconds')
}
