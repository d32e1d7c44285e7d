import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import type { Refused } from '../api.ts'
import { t } from '../language.ts'
import { go } from '../navigate.ts'
import { Does } from '../outline.ts'
import { Problems } from '../problems.ts'
import type { Store } from '../state.ts'
import { bring, type Looked, lookAt, type Renaming } from './at-box.ts'
import { Names, Needed } from './names.ts'
import { say } from './words.ts'

/** As much of a file as is read: the box takes no larger one. */
const MOST_BYTES = 64 * 1024

/** A file from elsewhere: looked at first, its names set to those of this site, then imported, Off. */
export function Bring({ store, mend }: { store: Store; mend(text: string): void }) {
  const [text, setText] = useState('')
  // What it was at first: its names are those of the other site, whatever is chosen for them here.
  const [first, setFirst] = useState<Looked | null>(null)
  const [looked, setLooked] = useState<Looked | null>(null)
  const [names, setNames] = useState<Renaming>({})
  const [problem, setProblem] = useState('')
  const [taken, setTaken] = useState(false)
  const [busy, setBusy] = useState(false)

  const failed = (error: Error) => setProblem(error.message)
  const look = async (yaml: string, chosen: Renaming) => {
    setProblem('')
    setBusy(true)
    const found = await lookAt(yaml, chosen).catch((error: Error) => {
      failed(error)
      return null
    })
    setBusy(false)
    if (found) setLooked(found)
    return found
  }
  const choose = async (event: Event) => {
    const file = (event.target as HTMLInputElement).files?.[0]
    if (!file) return
    const given = await file.slice(0, MOST_BYTES + 1).text()
    setText(given)
    setNames({})
    setTaken(false)
    setLooked(null)
    setFirst(null)
    setFirst(await look(given, {}))
  }
  const map = (what: keyof Renaming, name: string, to: string) => {
    const next = { ...names, [what]: { ...names[what], [name]: to } }
    setNames(next)
    look(text, next)
  }
  const take = async () => {
    setBusy(true)
    await bring(text, names, taken).then(
      ({ workflow }) => {
        store.keepWorkflow(workflow)
        go(`/workflows/${workflow.id}`)
      },
      (error: Refused) => {
        failed(error)
        setTaken(error.code === 'name_taken')
      },
    )
    setBusy(false)
  }
  const { outline = null, problems = [], refused = '', yaml = text } = looked ?? {}
  return html`
    <section class="bring" aria-labelledby="bring">
      <h2 id="bring">${say('new.import')}</h2>
      <label class="drop low">
        <span>${say('new.choose')}</span>
        <input type="file" accept=".yaml,.yml,application/yaml,text/yaml" onChange=${choose} />
      </label>
      ${
        outline &&
        html`<div class="card one">
          <h3>${say('new.would', { name: outline.name })}</h3>
          <${Does} outline=${outline} />
          <${Needed} outline=${outline} />
          ${first && html`<${Names} wanted=${first.wanted} names=${names} map=${map} />`}
        </div>`
      }
      ${(problem || refused) && html`<p class="problem" role="alert">${problem || refused}</p>`}
      ${problems.length > 0 && html`<${Problems} problems=${problems} />`}
      ${
        looked &&
        html`<p class="choices">
          ${
            !refused &&
            html`<button type="button" class="main" disabled=${busy} onClick=${take}>
              ${taken ? t('editor.copy') : say('new.save')}
            </button>`
          }
          <button type="button" disabled=${busy} onClick=${() => mend(yaml)}>${say('new.mend')}</button>
        </p>`
      }
    </section>
  `
}
