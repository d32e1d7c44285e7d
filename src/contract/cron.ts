/** Cron lines of five fields: numbers, `*`, ranges, lists, steps, and the English names of months and days. */

interface Field {
  name: string
  from: number
  to: number
  names?: readonly string[]
}

const FIELDS: readonly Field[] = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of month', from: 1, to: 31 },
  {
    name: 'month',
    from: 1,
    to: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of week', from: 0, to: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]

/** What is wrong with a cron line, in one sentence; null: nothing. */
export function cronFault(line: string): string | null {
  const parts = line.trim().split(/\s+/)
  if (parts.length !== FIELDS.length) {
    return `A cron line has five fields (minute, hour, day of month, month, day of week): this one has ${parts.length}.`
  }
  for (const [index, field] of FIELDS.entries()) {
    const part = parts[index] ?? ''
    if (!part.split(',').every(item => fits(item, field))) {
      return `${JSON.stringify(part)} is no ${field.name}: use ${field.from} to ${field.to}, *, ranges, lists or steps.`
    }
  }
  return null
}

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

function numberOf(text: string, field: Field): number | null {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return named + field.from
  if (!/^\d{1,2}$/.test(text)) return null
  const value = Number(text)
  return value >= field.from && value <= field.to ? value : null
}
