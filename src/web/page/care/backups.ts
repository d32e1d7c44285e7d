import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { useAsked } from '../asked.ts'
import { Field, Whose } from '../field.ts'
import { said } from '../said.ts'
import { useKnows } from '../together.ts'
import { bytes, clock } from '../words.ts'
import { type Backups, getBackups, makeBackup } from './api.ts'
import { Restore } from './restore.ts'
import { say } from './words.ts'

/** The copies that the box made of itself, a backup to take along, and one that is brought. */
export function Copies({ zone }: { zone: string }) {
  const { found, problem, doing } = useAsked(getBackups)
  useKnows(found !== null || problem !== '')
  return html`
    <section aria-labelledby="backups">
      <h2 id="backups">${say('copies.title')}</h2>
      <p class="meta">${say('copies.about')}</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${found?.restore_problem && html`<p class="problem">${say('restore.problem', { why: said(found.restore_problem) })}</p>`}
      ${found && html`<${Kept} found=${found} zone=${zone} />`}
      <details>
        <summary>${say('copies.make')}</summary>
        <${Make} made=${() => doing(Promise.resolve())} />
      </details>
      <details>
        <summary>${say('restore.title')}</summary>
        <${Restore} zone=${zone} restores=${found?.restores ?? true} />
      </details>
    </section>
  `
}

function Kept({
  found: { copies, last, scheduled, set_aside: aside },
  zone,
}: {
  found: Backups
  zone: string
}) {
  return html`
    <dl class="facts rows">
      <div>
        <dt>${say('copies.daily')}</dt>
        <dd>
          ${copies.length === 0 && say('copies.none')}
          ${copies.map(({ at, bytes: size }) => html`<div key=${at}>${clock(at, zone)}, ${bytes(size)}</div>`)}
        </dd>
      </div>
      <div>
        <dt>${say('copies.last')}</dt>
        <dd>${last ? say('copies.last_by', { at: clock(last.at, zone), name: last.by }) : say('copies.last_never')}</dd>
      </div>
      ${
        scheduled &&
        html`<div>
          <dt>${say('copies.scheduled')}</dt>
          <dd>
            ${scheduled.made_at ? clock(scheduled.made_at, zone) : say('copies.scheduled_never')}
            ${scheduled.problem !== null && html`<div class="attention">${said(scheduled.problem)}</div>`}
          </dd>
        </div>`
      }
      ${
        aside.length > 0 &&
        html`<div>
          <dt>${say('copies.aside')}</dt>
          <dd>
            ${aside.map(
              ({ name, at }) =>
                html`<div key=${name}>${say('copies.aside_of', { at: at ? clock(at, zone) : name })}</div>`,
            )}
          </dd>
        </div>`
      }
    </dl>
  `
}

function Make({ made }: { made: () => void }) {
  const [passphrase, setPassphrase] = useState('')
  const [pictures, setPictures] = useState(true)
  const [state, setState] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setProblem('')
    setBusy(true)
    const options = { passphrase: passphrase || null, pictures }
    const progress = (n: number) => setState(say('copies.making', { n: size(n) }))
    progress(0)
    try {
      setState(say('copies.made', { n: size(await makeBackup(options, progress)) }))
      made()
    } catch (error) {
      setState('')
      setProblem((error as Error).message)
    }
    setBusy(false)
  }
  return html`
    <form class="care-form" onSubmit=${submit}>
      <${Whose} name="Gatehouse backup" />
      <${Field}
        label=${say('copies.passphrase')}
        type="password"
        autocomplete="new-password"
        value=${passphrase}
        set=${setPassphrase}
        optional
      />
      <p class="meta">${say('copies.why_passphrase')}</p>
      <label class="check">
        <input
          type="checkbox"
          checked=${pictures}
          onChange=${(event: Event) => setPictures((event.target as HTMLInputElement).checked)}
        />
        <span>${say('copies.pictures')}</span>
      </label>
      <button type="submit" class="main" disabled=${busy}>${say('copies.go')}</button>
      <p class="meta" role="status">${state}</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </form>
  `
}

/** Of what is small, too, there is something. */
const size = (count: number) => bytes(count === 0 ? 0 : Math.max(count, 1_000_000))
