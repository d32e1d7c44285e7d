import { html } from 'htm/preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { ask } from '../api.ts'
import { Field } from '../field.ts'
import { useSeesAll, Who } from '../may.ts'
import { said } from '../said.ts'
import { Sure } from '../sure.ts'
import { type Found, forget, type Gone, lookFor, type What } from './api.ts'
import { say, sayCount } from './words.ts'

const KINDS = ['plate', 'face', 'span'] as const
const COUNTED = [
  ...(['runs', 'pictures', 'clips', 'events', 'notices', 'cases', 'promises', 'audit'] as const),
  ...(['copies', 'set_aside'] as const),
]

interface Camera {
  id: string
  name: string
}

/** A plate, a face or a span of time: what there is of it is shown, and goes once that is confirmed. */
export function Forget({ zone }: { zone: string }) {
  const [what, setWhat] = useState<What | null>(null)
  const [found, setFound] = useState<Found | null>(null)
  const [gone, setGone] = useState<Gone | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState('')
  const [sure, setSure] = useState(false)
  const [cameras, setCameras] = useState<readonly Camera[]>([])
  const mayAll = [useContext(Who).may.includes('system.manage'), useSeesAll()].every(Boolean)
  useEffect(() => {
    ask<{ cameras?: Camera[] }>('/system/health').then(
      ({ cameras: all = [] }) => setCameras(all),
      () => undefined,
    )
  }, [])
  if (!mayAll) return html`<p class="meta barred">${say('forget.no')}</p>`
  const look = async (wanted: What) => {
    setWhat(wanted)
    setProblem('')
    setGone(null)
    setFound(null)
    setBusy(say('forget.looking'))
    try {
      setFound(await lookFor(wanted))
    } catch (error) {
      setProblem((error as Error).message)
    }
    setBusy('')
  }
  const go = async () => {
    if (!what) return
    setBusy(say('forget.going'))
    try {
      setGone(await forget(what))
      setFound(null)
    } finally {
      setBusy('')
    }
  }
  return html`
    <section class="forget" aria-labelledby="forget">
      <h2 id="forget">${say('forget.title')}</h2>
      <p class="meta">${say('forget.about')}</p>
      <${Asks} cameras=${cameras} zone=${zone} busy=${busy !== ''} look=${look} />
      <p class="meta" role="status">${busy}</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${found && what && html`<${Seen} found=${found} forget=${() => setSure(true)} />`}
      ${gone && html`<${Over} gone=${gone} />`}
      ${
        sure &&
        what &&
        html`<${Sure} title=${say('forget.sure')} act=${say('forget.go')} danger doing=${go} done=${() => setSure(false)}>
          <p><strong>${named(what, cameras)}</strong></p>
          <p>${say('forget.sure_why')}</p>
        </${Sure}>`
      }
    </section>
  `
}

interface AsksProps {
  cameras: readonly Camera[]
  zone: string
  busy: boolean
  look(what: What): void
}

function Asks({ cameras, zone, busy, look }: AsksProps) {
  const [kind, setKind] = useState<(typeof KINDS)[number]>('plate')
  const [text, setText] = useState('')
  const [from, setFrom] = useState('')
  const [until, setUntil] = useState('')
  const [camera, setCamera] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    if (kind === 'span') look({ from, until, camera: camera || null })
    else look(kind === 'plate' ? { plate: text } : { face: text })
  }
  return html`
    <form class="care-form" onSubmit=${submit}>
      <fieldset class="modes">
        <legend>${say('forget.what')}</legend>
        ${KINDS.map(
          each => html`
            <label key=${each}>
              <input type="radio" name="forget" value=${each} checked=${kind === each} onChange=${() => setKind(each)} />
              <span>${say(`forget.${each}`)}</span>
            </label>
          `,
        )}
      </fieldset>
      ${
        kind === 'span'
          ? html`
            <div class="pair">
              <${Field} key="from" label=${say('forget.from')} type="datetime-local" value=${from} set=${setFrom} />
              <${Field} key="until" label=${say('forget.until')} type="datetime-local" value=${until} set=${setUntil} />
            </div>
            <p class="meta">${say('forget.zone', { zone })}</p>
            <label class="field">
              <span>${say('forget.camera')}</span>
              <select value=${camera} onChange=${(event: Event) => setCamera((event.target as HTMLSelectElement).value)}>
                <option value="">${say('forget.all')}</option>
                ${cameras.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}
              </select>
            </label>
          `
          : html`<${Field} key=${kind} label=${say(`forget.${kind}_of`)} value=${text} set=${setText} />`
      }
      <button type="submit" class="main" disabled=${busy}>${say('forget.look')}</button>
    </form>
  `
}

function Seen({ found, forget }: { found: Found; forget: () => void }) {
  const { running, written } = found
  const nothing = COUNTED.every(each => each === 'copies' || each === 'set_aside' || found[each] === 0)
  return html`
    <h3>${say('forget.found')}</h3>
    ${nothing && html`<p>${say('forget.nothing')}</p>`}
    <${Counts} of=${found} />
    ${running > 0 && html`<p class="attention">${sayCount('forget.running', running)}</p>`}
    ${
      written.workflows.length > 0 &&
      html`<p class="attention">${say('forget.workflows', { names: written.workflows.join(', ') })}</p>`
    }
    ${written.rules && html`<p class="attention">${say('forget.rules')}</p>`}
    <p class="meta">${say('forget.elsewhere')}</p>
    <p><button type="button" class="danger" onClick=${forget}>${say('forget.go')}</button></p>
  `
}

function Over({ gone }: { gone: Gone }) {
  const { kept, left, clean, copy_problem: why } = gone
  return html`
    <div role="status"><h3>${say('forget.gone')}</h3></div>
    <${Counts} of=${gone} />
    ${kept > 0 && html`<p>${sayCount('forget.kept', kept)}</p>`}
    ${left.length > 0 && html`<p class="attention">${say('forget.left', { runs: left.join(', ') })}</p>`}
    ${!clean && html`<p class="attention">${say('forget.unclean')}</p>`}
    ${why !== null && html`<p class="attention">${say('forget.no_copy', { why: said(why) })}</p>`}
    <p class="meta">${say('forget.elsewhere')}</p>
  `
}

function Counts({ of }: { of: Found | Gone }) {
  const there = COUNTED.filter(each => of[each] > 0)
  if (!there.length) return null
  return html`
    <dl class="facts rows counts">
      ${there.map(each => html`<div key=${each}><dt>${say(`forget.${each}`)}</dt><dd>${of[each]}</dd></div>`)}
    </dl>
  `
}

function named(what: What, cameras: readonly Camera[]): string {
  if ('plate' in what) return say('forget.sure_plate', { what: what.plate })
  if ('face' in what) return say('forget.sure_face', { what: what.face })
  const { from, until, camera } = what
  const at = cameras.find(({ id }) => id === camera)?.name ?? say('forget.all')
  return say('forget.sure_span', { from: from.replace('T', ' '), until: until.replace('T', ' '), camera: at })
}
