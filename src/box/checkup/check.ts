/** One thing that was looked at. */
export interface Check {
  /** What sort of thing: `Camera`, `Site file`. */
  area: string
  /** Which of them; null: there is one. */
  name: string | null
  /** `note`: it works, and whoever looks after the box should know. */
  state: 'good' | 'note' | 'bad'
  /** How it is, in plain words. */
  text: string
  /** What to do about it; null: nothing. */
  advice: string | null
}

export function good(area: string, name: string | null, text: string): Check {
  return { area, name, state: 'good', text, advice: null }
}

export function note(area: string, name: string | null, text: string, advice: string | null = null): Check {
  return { area, name, state: 'note', text, advice }
}

export function bad(area: string, name: string | null, text: string, advice: string | null = null): Check {
  return { area, name, state: 'bad', text, advice }
}

/** How long ago something was, for people. */
export function agoOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
