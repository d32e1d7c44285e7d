/** A new workflow: said in a sentence, out of a template, or out of a file from elsewhere. */
import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { useAsked } from '../asked.ts'
import { NewFile } from '../edit.ts'
import { draftOf, getTemplates } from '../files.ts'
import { t } from '../language.ts'
import { Barred, useMay } from '../may.ts'
import { said } from '../said.ts'
import type { Store } from '../state.ts'
import { Bring } from './bring.ts'
import { Describe } from './describe.ts'
import { say } from './words.ts'

/** What is opened in the editor, unsaved. */
interface Begun {
  file: string
  /** What it was drafted from. */
  from?: string
}

/** With nothing in it yet: what starts it is pressed by hand until something else is chosen. */
const emptyFile = (name: string): string =>
  `contract: workflow.v1\nname: ${name}\nstate: test\nwhen:\n  button: {}\nthen: []\n`

export function NewPage({ store }: { store: Store }) {
  const { found, problem } = useAsked(getTemplates)
  const [begun, setBegun] = useState<Begun | null>(null)
  const [draft] = useState(() => draftOf('new'))
  if (!useMay('manage')) return html`<h1>${t('new.title')}</h1><${Barred} from="manage" />`
  if (begun)
    return html`
      <p class="back"><a href="/workflows/new" onClick=${() => setBegun(null)}>‹ ${t('new.title')}</a></p>
      <h1>${t('new.title')}</h1>
      ${begun.from && html`<p class="hint">${say('new.drafted', { sentence: begun.from })}</p>`}
      <${NewFile} file=${begun.file} store=${store} />
    `
  return html`
    <p class="back"><a href="/">‹ ${t('workflow.back')}</a></p>
    <div class="workflow">
      <h1>${t('new.title')}</h1>
      <p class="tools">
        <button type="button" class="main" onClick=${() => setBegun({ file: emptyFile(t('new.title')) })}>
          ${say('new.empty')}
        </button>
        ${draft !== null && html`<button type="button" onClick=${() => setBegun({ file: draft })}>${say('new.unsaved')}</button>`}
        <span class="meta">${say('new.empty_why')}</span>
      </p>
      <${Describe} drafted=${(file: string, from: string) => setBegun({ file, from })} />
      <section aria-labelledby="templates">
        <h2 id="templates">${say('new.templates')}</h2>
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        <ul class="entries">
          ${(found ?? []).map(
            one => html`
              <li key=${one.file}>
                <span><strong>${one.name}</strong> <span class="meta">${said(one.description ?? '')}</span></span>
                <button
                  type="button"
                  aria-label=${say('new.use', { name: one.name })}
                  onClick=${() => setBegun({ file: one.yaml })}
                >
                  ${say('new.use_it')}
                </button>
              </li>
            `,
          )}
        </ul>
      </section>
      ${(found || problem) && html`<${Bring} store=${store} mend=${(file: string) => setBegun({ file })} />`}
    </div>
  `
}
