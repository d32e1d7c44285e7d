import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { makeBundle } from './api.ts'
import { say } from './words.ts'

/** A file for whoever helps. */
export function Help() {
  const [state, setState] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const make = () => {
    setProblem('')
    setBusy(true)
    makeBundle()
      .then(
        () => setState(say('help.made')),
        (error: Error) => setProblem(error.message),
      )
      .finally(() => setBusy(false))
  }
  return html`
    <section aria-labelledby="help">
      <h2 id="help">${say('help.title')}</h2>
      <p class="meta">${say('help.about')}</p>
      <p><button type="button" disabled=${busy} onClick=${make}>${say('help.make')}</button></p>
      <p class="meta" role="status">${state}</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </section>
  `
}
