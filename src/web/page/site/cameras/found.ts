import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { discover, getOffered, say } from './api.ts'
import type { Filled } from './filled.ts'

interface FoundProps {
  kind: Filled['kind']
  take(part: Partial<Filled>): void
}

interface Offer {
  place: string
  name: string | null
}

/** Cameras to choose from: those that the recorder lists, and those that answer in the network once that is asked for. */
export function Found({ kind, take }: FoundProps) {
  const [offers, setOffers] = useState<Offer[] | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const look = async () => {
    setBusy(true)
    setProblem('')
    try {
      setOffers(
        kind === 'nvr'
          ? (await getOffered()).map(({ id, name }) => ({ place: id, name }))
          : (await discover()).map(({ url, name }) => ({ place: url, name })),
      )
    } catch (error) {
      setProblem((error as Error).message)
    }
    setBusy(false)
  }
  useEffect(() => {
    if (kind === 'nvr') look()
  }, [])
  if (kind !== 'nvr' && kind !== 'onvif') return null
  const choose = ({ place, name }: Offer) =>
    take({ ...(kind === 'nvr' ? { nvr: place } : { url: place }), ...(name && { name }) })
  return html`
    ${
      kind === 'onvif' &&
      html`<p><button type="button" disabled=${busy} onClick=${look}>${say(busy ? 'found.looking' : 'found.look')}</button></p>`
    }
    ${problem && html`<p class="attention" role="alert">${problem}</p>`}
    <div role="status">
      ${offers && !offers.length && html`<p class="meta">${say(`found.none.${kind}`)}</p>`}
    </div>
    ${
      offers &&
      offers.length > 0 &&
      html`<ul class="offers">
        ${offers.map(
          offer => html`
            <li key=${offer.place}>
              <button type="button" onClick=${() => choose(offer)}>
                <strong>${offer.name ?? offer.place}</strong>
                ${offer.name && html`<span class="meta">${offer.place}</span>`}
              </button>
            </li>
          `,
        )}
      </ul>`
    }
  `
}
