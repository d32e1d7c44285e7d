import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from './language.ts'

type View = 'builder' | 'text'

const asked = (): View => (location.hash === '#text' ? 'text' : 'builder')

/** Which of both is shown; the address says so, so that a reload shows the same. */
export function useView(): [View, (view: View) => void] {
  const [view, setView] = useState(asked)
  useEffect(() => {
    const look = () => setView(asked())
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  const set = (next: View) => {
    history.replaceState(history.state, '', next === 'text' ? '#text' : location.pathname + location.search)
    setView(next)
  }
  return [view, set]
}

/** One file, shown as cards or as its text. */
export function Views({ view, set }: { view: View; set(view: View): void }) {
  return html`
    <p class="views" role="group" aria-label=${t('editor.views')}>
      ${(['builder', 'text'] as const).map(
        one =>
          html`<button type="button" key=${one} aria-pressed=${view === one} onClick=${() => set(one)}>${t(`editor.${one}`)}</button>`,
      )}
    </p>
  `
}
