import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import type { Problem } from '../../contract/index.ts'
import type { Refused } from './api.ts'
import { useAsked } from './asked.ts'
import { NewFile } from './edit.ts'
import { bring, draftOf, getTemplates, inspect, problemsOf } from './files.ts'
import { t, term } from './language.ts'
import { Barred, useMay } from './may.ts'
import { go } from './navigate.ts'
import { Does, type Outline } from './outline.ts'
import { Problems } from './problems.ts'
import type { Store } from './state.ts'

/** As much of a file as is read: the box takes no larger one. */
const MOST_BYTES = 64 * 1024

/** With nothing in it yet: what starts it is pressed by hand until something else is chosen. */
const emptyFile = (name: string): string =>
  `contract: workflow.v1\nname: ${name}\nstate: test\nwhen:\n  button: {}\nthen: []\n`

/** A new workflow: out of a template, or out of a file from elsewhere. */
export function NewPage({ store }: { store: Store }) {
  const { found, problem } = useAsked(getTemplates)
  const [file, setFile] = useState<string | null>(null)
  const [draft] = useState(() => draftOf('new'))
  useEffect(() => {
    document.title = `${t('new.title')} · Gatehouse`
  }, [])
  if (!useMay('manage')) return html`<h1>${t('new.title')}</h1><${Barred} from="manage" />`
  if (file !== null)
    return html`
      <p class="back"><a href="/">‹ ${t('workflow.back')}</a></p>
      <h1>${t('new.title')}</h1>
      <${NewFile} file=${file} store=${store} />
    `
  return html`
    <p class="back"><a href="/">‹ ${t('workflow.back')}</a></p>
    <div class="workflow">
      <h1>${t('new.title')}</h1>
      <p class="tools">
        <button type="button" class="main" onClick=${() => setFile(emptyFile(t('new.title')))}>${t('new.empty')}</button>
        ${draft !== null && html`<button type="button" onClick=${() => setFile(draft)}>${t('new.draft')}</button>`}
        <span class="meta">${t('new.empty_why')}</span>
      </p>
      <${Bring} store=${store} mend=${setFile} />
      <section aria-labelledby="templates">
        <h2 id="templates">${t('new.templates')}</h2>
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        <ul class="entries">
          ${(found ?? []).map(
            one => html`
              <li key=${one.file}>
                <span><strong>${one.name}</strong> <span class="meta">${one.description}</span></span>
                <button type="button" aria-label=${t('new.use', { name: one.name })} onClick=${() => setFile(one.yaml)}>
                  ${t('new.use_it')}
                </button>
              </li>
            `,
          )}
        </ul>
      </section>
    </div>
  `
}

/** A file from elsewhere: looked at first, then imported, Off. */
function Bring({ store, mend }: { store: Store; mend(text: string): void }) {
  const [text, setText] = useState('')
  const [outline, setOutline] = useState<Outline | null>(null)
  const [problems, setProblems] = useState<Problem[] | null>(null)
  const [problem, setProblem] = useState('')
  const [taken, setTaken] = useState(false)

  const refused = (error: Refused) => {
    setProblem(error.message)
    const found = problemsOf(error)
    if (found.length) setProblems(found)
    setTaken(error.code === 'name_taken')
  }
  const choose = async (event: Event) => {
    const file = (event.target as HTMLInputElement).files?.[0]
    if (!file) return
    setOutline(null)
    setProblems(null)
    setProblem('')
    const given = await file.slice(0, MOST_BYTES + 1).text()
    setText(given)
    await inspect(given).then(looked => {
      setOutline(looked.outline)
      setProblems(looked.problems)
    }, refused)
  }
  const take = () =>
    bring(text, taken).then(({ workflow }) => {
      store.keepWorkflow(workflow)
      go(`/workflows/${workflow.id}`)
    }, refused)

  return html`
    <section class="bring" aria-labelledby="bring">
      <h2 id="bring">${t('new.import')}</h2>
      <label class="drop low">
        <span>${t('new.choose')}</span>
        <input type="file" accept=".yaml,.yml,application/yaml,text/yaml" onChange=${choose} />
      </label>
      ${
        outline &&
        html`<div class="card one">
          <h3>${t('new.would', { name: outline.name })}</h3>
          <${Does} outline=${outline} />
          <${Needed} outline=${outline} />
        </div>`
      }
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${problems && problems.length > 0 && html`<${Problems} problems=${problems} />`}
      ${
        (outline || problems) &&
        html`<p class="choices">
          ${outline && html`<button type="button" class="main" onClick=${take}>${t(taken ? 'editor.copy' : 'new.save')}</button>`}
          <button type="button" onClick=${() => mend(text)}>${t('new.mend')}</button>
        </p>`
      }
    </section>
  `
}

/** What a site has to have for it, and which cameras its roles are here. */
function Needed({ outline: { needs, cameras } }: { outline: Outline }) {
  const entries = Object.entries(needs as Record<string, string[] | Record<string, string>>)
  return html`
    <dl class="does">
      <dt>${t('new.needs')}</dt>
      ${entries.map(
        ([what, names]) =>
          html`<dd key=${what}>${term('new', `needs_${what}`) ?? what}: ${(Array.isArray(names) ? names : Object.keys(names)).join(', ')}</dd>`,
      )}
      ${Object.entries(cameras).map(
        ([role, names]) =>
          html`<dd key=${role}>${t('new.means', { role, names: names.join(', ') || t('new.nobody') })}</dd>`,
      )}
    </dl>
  `
}
