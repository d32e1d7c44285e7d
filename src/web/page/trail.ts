import { html } from 'htm/preact'
import { useEffect } from 'preact/hooks'
import { typing } from './keys.ts'
import { t } from './language.ts'
import { go } from './navigate.ts'

/** The list that a run was opened from, newest first. */
let trail: readonly number[] = []

export function setTrail(runs: readonly number[]): void {
  trail = runs
}

/** Those beside a run in that list; where it was opened by its address, in what is known. */
function beside(
  id: number,
  known: readonly number[],
): { newer: number | undefined; older: number | undefined } {
  const list = trail.includes(id) ? trail : known
  const at = list.indexOf(id)
  return { newer: at > 0 ? list[at - 1] : undefined, older: at >= 0 ? list[at + 1] : undefined }
}

/** From one run of a list to the next, by link or by the arrow keys. `known`: runs, newest first. */
export function Trail({ id, known }: { id: number; known: readonly number[] }) {
  const { newer, older } = beside(id, known)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (typing(event)) return
      // A key that follows quickly counts from where the address is already.
      const here = beside(Number(/^\/runs\/(\d+)/.exec(location.pathname)?.[1]), known)
      const to = { ArrowLeft: here.newer, ArrowRight: here.older }[event.key]
      if (to !== undefined) go(`/runs/${to}`)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [known])
  if (newer === undefined && older === undefined) return null
  return html`
    <span class="trail" role="group" aria-label=${t('trail.title')}>
      ${newer !== undefined && html`<a href=${`/runs/${newer}`} aria-keyshortcuts="ArrowLeft" rel="prev">← ${t('trail.newer')}</a>`}
      ${older !== undefined && html`<a href=${`/runs/${older}`} aria-keyshortcuts="ArrowRight" rel="next">${t('trail.older')} →</a>`}
    </span>
  `
}
