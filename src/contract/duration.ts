const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** The longest duration that a file may name: a year. */
export const LONGEST_MS = 366 * UNIT_MS.d

/** Milliseconds of `500ms`, `5s`, `2m`, `1h`, `7d`; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text)
  return match ? Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS] : null
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
  return unit ? `${Number(match[1])}${unit}` : null
}
