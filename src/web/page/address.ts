import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { useAsked } from './asked.ts'
import { Field } from './field.ts'
import { t } from './language.ts'
import { confirmHttp, getHttp, type Http, setHttp } from './session.ts'
import { clock } from './words.ts'

const HTTPS = ['own', 'files', 'off'] as const

/** Where the box is reached. A change is confirmed at the new address, or is taken back. */
export function Address({ zone }: { zone: string }) {
  const { found, problem, busy, doing } = useAsked(getHttp)
  if (!found) return problem ? html`<p class="problem" role="alert">${problem}</p>` : null
  return html`
    <section aria-labelledby="address">
      <h2 id="address">${t('address.title')}</h2>
      ${
        found.trial &&
        html`<p class="attention" role="status">
          ${t('address.trial', { url: found.url, at: clock(found.trial.until, zone) })}
          <button type="button" disabled=${busy} onClick=${() => doing(confirmHttp())}>${t('address.keep')}</button>
        </p>`
      }
      <p>${found.url}</p>
      ${found.fingerprint && html`<p class="meta mono">${t('address.fingerprint', { text: found.fingerprint })}</p>`}
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
      <summary>${t('address.change')}</summary>
      <form class="door" onSubmit=${change}>
        <${Field} label=${t('address.host')} value=${host} set=${setHost} />
        <${Field} label=${t('address.port')} value=${port} set=${setPort} />
        <label class="field">
          <span>${t('address.how')}</span>
          <select
            onChange=${(event: Event) => setHttps((event.target as HTMLSelectElement).value as Http['https'])}
          >
            ${HTTPS.map(
              each =>
                html`<option value=${each} selected=${each === https}>${t(`address.https_${each}`)}</option>`,
            )}
          </select>
        </label>
        <button class="main" disabled=${busy}>${t('address.try')}</button>
        <p role="status">
          ${next && html`${t('address.next', { keep: t('address.keep') })} <a href=${next}>${next}</a>`}
        </p>
      </form>
    </details>
  `
}
