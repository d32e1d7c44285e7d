const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Digits by unit: about a year or three at most, so that no sum of times loses precision. */
export const DURATION = '^([0-9]{1,9}ms|[0-9]{1,8}s|[0-9]{1,6}m|[0-9]{1,4}h|[0-9]{1,3}d)$'
const duration = new RegExp(DURATION)

/** Milliseconds of `500ms`, `5s`, `2m`, `1h`, `7d`; null for anything else. */
export function parseDuration(text: string): number | null {
  if (!duration.test(text)) return null
  const unit = text.replace(/^[0-9]+/, '') as keyof typeof UNIT_MS
  return Number.parseInt(text, 10) * UNIT_MS[unit]
}

const SPELLINGS: Readonly<Record<string, keyof typeof UNIT_MS>> = {
  millisecond: 'ms',
  msec: 'ms',
  ms: 'ms',
  second: 's',
  sec: 's',
  s: 's',
  minute: 'm',
  min: 'm',
  m: 'm',
  hour: 'h',
  hr: 'h',
  h: 'h',
  day: 'd',
  d: 'd',
}

/** The duration that was probably meant by `5 min`, `30 Seconds` or a bare number of seconds; null: no idea. */
export function guessDuration(text: string): string | null {
  const match = /^(\d{1,9})\s*([a-z]*)$/i.exec(text.trim())
  if (!match) return null
  const word = (match[2] ?? '').toLowerCase()
  const unit = word === '' ? 's' : (SPELLINGS[word] ?? SPELLINGS[word.replace(/s$/, '')])
  const guess = `${Number(match[1])}${unit}`
  return unit && duration.test(guess) ? guess : null
}
