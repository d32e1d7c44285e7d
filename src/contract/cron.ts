/** Cron lines of five fields: numbers, `*`, ranges, lists, steps, and the English names of months and days. */

interface Field {
  name: string
  from: number
  to: number
  names?: readonly string[]
}

const MINUTE: Field = { name: 'minute', from: 0, to: 59 }
const HOUR: Field = { name: 'hour', from: 0, to: 23 }
const DAY: Field = { name: 'day of month', from: 1, to: 31 }
const MONTH: Field = {
  name: 'month',
  from: 1,
  to: 12,
  names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
}
const WEEKDAY: Field = {
  name: 'day of week',
  from: 0,
  to: 7,
  names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
}
const FIELDS: readonly Field[] = [MINUTE, HOUR, DAY, MONTH, WEEKDAY]

/** The most days that each month can have. */
const DAYS_IN = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The local times that a cron line names. */
export interface Cron {
  /** Ascending. */
  minutes: readonly number[]
  hours: readonly number[]
  /** Whether it runs on that day; `weekday` 1 (Monday) to 7 (Sunday). */
  on(date: { month: number; day: number; weekday: number }): boolean
}

/** What is wrong with a cron line, in one sentence; null: nothing. */
export function cronFault(line: string): string | null {
  const parts = partsOf(line)
  if (parts.length !== FIELDS.length) {
    return `A cron line has five fields (minute, hour, day of month, month, day of week): this one has ${parts.length}.`
  }
  for (const [index, field] of FIELDS.entries()) {
    const part = parts[index] ?? ''
    if (!part.split(',').every(item => fits(item, field))) {
      return `${JSON.stringify(part)} is no ${field.name}: use ${field.from} to ${field.to}, *, ranges, lists or steps.`
    }
  }
  const [, , day = '', month = '', weekday = ''] = parts
  const least = Math.min(...numbersOf(day, DAY))
  const comes = numbersOf(month, MONTH).some(each => least <= (DAYS_IN[each - 1] ?? 0))
  return comes || !isStar(weekday) ? null : 'No month in this cron line has that day: it would never run.'
}

/**
 * Reads a cron line in which `cronFault` finds nothing. As cron has always done it, a day fits when the day of
 * the month or the day of the week does, where both are restricted, and when both do, where one begins with `*`.
 */
export function parseCron(line: string): Cron {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = partsOf(line)
  const [days, months] = [new Set(numbersOf(day, DAY)), new Set(numbersOf(month, MONTH))]
  const weekdays = new Set(numbersOf(weekday, WEEKDAY).map(each => each || 7))
  const either = !isStar(day) && !isStar(weekday)
  return {
    minutes: numbersOf(minute, MINUTE),
    hours: numbersOf(hour, HOUR),
    on: date => {
      const [fitsDay, fitsWeekday] = [days.has(date.day), weekdays.has(date.weekday)]
      return months.has(date.month) && (either ? fitsDay || fitsWeekday : fitsDay && fitsWeekday)
    },
  }
}

const partsOf = (line: string) => line.trim().split(/\s+/)
const isStar = (part: string) => part.startsWith('*')

function fits(item: string, field: Field): boolean {
  const [range = '', step, ...more] = item.split('/')
  if (more.length > 0) return false
  if (step !== undefined && !(/^\d{1,2}$/.test(step) && Number(step) >= 1 && Number(step) <= field.to))
    return false
  if (range === '*') return true
  const ends = range.split('-').map(end => numberOf(end, field))
  if (ends.length > 2 || ends.some(end => end === null)) return false
  const [first, last] = ends
  // A step needs something to step over.
  if (last === undefined) return step === undefined
  return Number(first) <= Number(last)
}

/** The numbers that a part names, ascending, each once. */
function numbersOf(part: string, field: Field): number[] {
  const found = new Set<number>()
  for (const item of part.split(',')) {
    const [range = '', step = '1'] = item.split('/')
    const [first, last = first] =
      range === '*' ? [field.from, field.to] : range.split('-').map(end => numberOf(end, field))
    for (let n = first ?? 0; n <= (last ?? -1); n += Number(step)) found.add(n)
  }
  return [...found].sort((a, b) => a - b)
}

function numberOf(text: string, field: Field): number | null {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return named + field.from
  if (!/^\d{1,2}$/.test(text)) return null
  const value = Number(text)
  return value >= field.from && value <= field.to ? value : null
}
