import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from './language.ts'
import type { Store } from './state.ts'

/** Where a workflow begins, which is loaded when somebody begins one. */
export function NewView({ store }: { store: Store }) {
  const [loaded, setLoaded] = useState<typeof import('./new/index.ts') | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    document.title = `${t('new.title')} · Gatehouse`
    import('./new/index.ts').then(setLoaded, (error: Error) => setProblem(error.message))
  }, [])
  if (loaded) return html`<${loaded.NewPage} store=${store} />`
  return html`
    <p class="back"><a href="/">‹ ${t('workflow.back')}</a></p>
    <h1>${t('new.title')}</h1>
    ${problem ? html`<p class="problem" role="alert">${problem}</p>` : html`<p class="none">${t('app.loading')}</p>`}
  `
}
