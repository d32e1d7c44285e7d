import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { t } from './language.ts'

type View = 'builder' | 'text'

const asked = (): View => (new URLSearchParams(location.search).get('view') === 'text' ? 'text' : 'builder')

/** Which of both is shown; the address says so, so that a reload shows the same. */
export function useView(): [View, (view: View) => void] {
  const [view, setView] = useState(asked)
  const set = (next: View) => {
    history.replaceState(history.state, '', location.pathname + (next === 'text' ? '?view=text' : ''))
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
