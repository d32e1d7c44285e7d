import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from './language.ts'
import type { State } from './state.ts'

/** The site's screens, which are loaded when somebody opens one. */
export function SiteView({ path, state }: { path: string; state: State }) {
  const [site, setSite] = useState<typeof import('./site/index.ts') | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    document.title = `${t('site.title')} · Gatehouse`
    import('./site/index.ts').then(setSite, (error: Error) => setProblem(error.message))
  }, [])
  if (problem) return html`<p class="problem" role="alert">${problem}</p>`
  if (!site) return html`<h1>${t('site.title')}</h1><p class="none">${t('app.loading')}</p>`
  return html`<${site.SitePage} path=${path} state=${state} />`
}
