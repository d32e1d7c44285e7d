/** Times of the site's clock as instants, with one rule for both daylight-saving nights. */

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
