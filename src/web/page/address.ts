import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { useAsked } from './asked.ts'
import { Field } from './field.ts'
import { confirmHttp, getHttp, type Http, setHttp } from './session.ts'
import { clock } from './words.ts'

const HTTPS: readonly [Http['https'], string][] = [
  ['own', "By https, with the box's own certificate"],
  ['files', 'By https, with cert.pem and key.pem in its data folder'],
  ['off', 'In the clear: on this machine, or behind a proxy that encrypts'],
]

/** Where the box is reached. A change is confirmed at the new address, or is taken back. */
export function Address({ zone }: { zone: string }) {
  const { found, problem, busy, doing } = useAsked(getHttp)
  if (!found) return problem ? html`<p class="problem" role="alert">${problem}</p>` : null
  return html`
    <section aria-labelledby="address">
      <h2 id="address">Address</h2>
      ${
        found.trial &&
        html`<p class="attention" role="status">
          <strong>${found.url}</strong> is tried until ${clock(found.trial.until, zone)}: then everything is as
          before, unless somebody confirms it there.
          <button type="button" disabled=${busy} onClick=${() => doing(confirmHttp())}>Keep it</button>
        </p>`
      }
      <p>${found.url}</p>
      ${found.fingerprint && html`<p class="meta mono">Fingerprint ${found.fingerprint}</p>`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <${Change} http=${found} busy=${busy} doing=${doing} />
    </section>
  `
}

function Change({
  http,
  busy,
  doing,
}: {
  http: Http
  busy: boolean
  doing: (work: Promise<Http>) => Promise<Http | null>
}) {
  const [host, setHost] = useState(http.host)
  const [port, setPort] = useState(String(http.port))
  const [https, setHttps] = useState(http.https)
  const [next, setNext] = useState('')
  const change = async (event: Event) => {
    event.preventDefault()
    const made = await doing(setHttp({ host, port: Number(port), https }))
    if (made) setNext(made.url)
  }
  return html`
    <details>
      <summary>Change it</summary>
      <form class="door" onSubmit=${change}>
        <${Field} label="Address: 127.0.0.1 for this machine, 0.0.0.0 for all networks" value=${host} set=${setHost} />
        <${Field} label="Port" value=${port} set=${setPort} />
        <label class="field">
          <span>How</span>
          <select
            onChange=${(event: Event) => setHttps((event.target as HTMLSelectElement).value as Http['https'])}
          >
            ${HTTPS.map(([each, words]) => html`<option value=${each} selected=${each === https}>${words}</option>`)}
          </select>
        </label>
        <button class="main" disabled=${busy}>Try it for five minutes</button>
        <p role="status">
          ${next && html`Now open <a href=${next}>${next}</a>, sign in and choose <em>Keep it</em>.`}
        </p>
      </form>
    </details>
  `
}
