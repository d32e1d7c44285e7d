/** Longer than this nobody who asks here can wait; what claims more is as good as never. */
const MOST_MS = 24 * 3_600_000

/**
 * How long a server asks not to be asked again, ms: its `retry-after` is a number of seconds or a date of HTTP. Null
 * where it says nothing that can be understood, at most a day.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,15}$/.test(text)) return Math.min(MOST_MS, Number(text) * 1000)
  // The one form of a date that is sent today; others are left unread rather than guessed.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.min(MOST_MS, Math.max(0, at - now))
}
