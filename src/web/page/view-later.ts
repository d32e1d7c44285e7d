import { html } from 'htm/preact'
import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from './language.ts'
import type { Key } from './words/en/index.ts'

/** A view whose code is loaded when somebody opens it; until then its heading is there. `back`: what leads back home. */
export function viewLater<P extends object>(
  title: Key,
  load: () => Promise<FunctionComponent<P>>,
  back?: Key,
): FunctionComponent<P> {
  let known: FunctionComponent<P> | null = null
  return function Later(props) {
    const [, setLoaded] = useState(false)
    const [problem, setProblem] = useState('')
    useEffect(() => {
      if (known) return
      document.title = `${t(title)} · Gatehouse`
      load().then(
        view => {
          known = view
          setLoaded(true)
        },
        (error: Error) => setProblem(error.message),
      )
    }, [])
    if (known) return html`<${known} ...${props} />`
    return html`
      ${back && html`<p class="back"><a href="/">‹ ${t(back)}</a></p>`}
      <h1>${t(title)}</h1>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : html`<p class="none">${t('app.loading')}</p>`}
    `
  }
}
