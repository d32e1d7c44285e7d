import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from './language.ts'

export interface TryBesideProps {
  /** The workflow that it is a draft of; null: of none yet. */
  id: number | null
  /** As it stands in the editor. */
  text: string
  /** It cannot be tried before these are mended. */
  errors: number
  zone?: string
}

/** What is being written, on what happened lately: beside it where there is room, beneath it elsewhere. */
export function TryBeside(props: TryBesideProps) {
  const [open, setOpen] = useState(false)
  const [panel, setPanel] = useState<typeof import('./tryout/index.ts') | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    if (open) import('./tryout/index.ts').then(setPanel, (error: Error) => setProblem(error.message))
  }, [open])
  return html`
    <aside class=${`tryout ${open ? 'open' : ''}`} aria-labelledby="tryout">
      <h2 id="tryout">
        <button type="button" class="opens" aria-expanded=${open} aria-controls="tryout-panel" onClick=${() => setOpen(!open)}>
          ${t('tryout.title')}
        </button>
      </h2>
      <div id="tryout-panel" hidden=${!open}>
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        ${open && panel && html`<${panel.Tryout} ...${props} />`}
      </div>
    </aside>
  `
}
