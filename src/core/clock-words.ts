const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** A time as its clock shows it, with the day of the week, which nobody should have to work out: `Monday 2026-11-30 21:17+01:00`. */
export function clockWords(time: Temporal.PlainDateTime, offset = ''): string {
  const minute = time.toString({ smallestUnit: 'minute' }).replace('T', ' ')
  return `${WEEKDAYS[time.dayOfWeek - 1]} ${minute}${offset}`
}
