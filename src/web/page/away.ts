import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from './language.ts'
import type { State, Store } from './state.ts'
import { clock, took } from './words.ts'

/** A line that breaks for less is not worth a word. */
const PATIENCE_MS = 3_000
/** So long it is said that the box is there again. */
const BACK_MS = 10_000

/** On every view while the box cannot be reached: since when, what that means, and that it is tried again by itself. */
export function AwayBanner({ state, store }: { state: State; store: Store }) {
  const { away, zone } = state
  const now = useTicks(away !== null)
  const before = useRef<number | null>(null)
  const [back, setBack] = useState('')
  useEffect(() => {
    const since = before.current
    before.current = away
    if (away !== null || since === null || Date.now() - since < PATIENCE_MS) return
    setBack(t('away.back', { time: lasted(Date.now() - since) }))
    const timer = window.setTimeout(() => setBack(''), BACK_MS)
    return () => window.clearTimeout(timer)
  }, [away])

  const isAway = away !== null && now - away >= PATIENCE_MS
  return html`
    <section class="away" aria-label=${t('away.title')} hidden=${!isAway}>
      <div role="alert">
        ${isAway && html`<strong>${t('away.title')}</strong> <p>${t('away.means')}</p>`}
      </div>
      ${
        isAway &&
        html`<p class="tries">
          <span class="since">${t('away.since', { at: clock(new Date(away).toISOString(), zone), time: lasted(now - away) })}</span>
          <span>${t('away.tries')}</span>
          <button type="button" onClick=${() => store.again()}>${t('away.try')}</button>
        </p>`
      }
    </section>
    <p class="back-again" role="status">${!isAway && back}</p>
  `
}

/** `4 s`, `3 min`. */
const lasted = (ms: number): string => (ms < 60_000 ? `${Math.round(ms / 1000)} s` : took(ms))

/** The time, every second while somebody wants to know. */
function useTicks(wanted: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!wanted) return
    setNow(Date.now())
    const timer = window.setInterval(() => setNow(Date.now()), 1_000)
    return () => window.clearInterval(timer)
  }, [wanted])
  return now
}
