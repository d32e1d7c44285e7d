import { html } from 'htm/preact'
import { t, term } from './language.ts'
import { said } from './said.ts'
import { bytes } from './words.ts'

/** The model that the site names, as it was when it was last asked. */
interface Named {
  name: string
  backend?: string | null
  state?: string
  why?: string | null
}

/** As the box says of its models. */
export interface ModelsSaid {
  gates?: { suite: string; passed: boolean; why: string | null }[]
  models: { name: string; description: string; licence: string; files: { state: string }[] }[]
  installed?: { name: string; bytes: number; misfit: string | null; in_use: boolean; warnings: string[] }[]
  language?: Named | null
  vision?: Named | null
}

/** Which models there are, which one the site names, and what is not offered with it, and why. */
export function Models({
  models: { gates = [], models, installed = [], language, vision },
}: {
  models: ModelsSaid
}) {
  return html`
    <section aria-labelledby="offered">
      <h2 id="offered">${t('box.gates')}</h2>
      <ul class="entries">
        ${gates.map(
          ({ suite, passed, why }) => html`
            <li key=${suite}>
              <span><strong>${term('box', `gate_${suite}`) ?? suite}</strong>${why && html`<span class="meta">${said(why)}.</span>`}</span>
              <span class=${`tag ${passed ? 'done' : 'waiting'}`}>${t(passed ? 'box.offered' : 'box.not_offered')}</span>
            </li>
          `,
        )}
      </ul>
    </section>
    <section aria-labelledby="models">
      <h2 id="models">${t('box.models')}</h2>
      <ul class="entries">
        <li>
          <span>
            <strong>${t('box.language')}</strong>
            <span class="meta">${language ? nameOf(language) : t('box.no_language')}</span>
            ${language?.why && html`<span class="unsure">${said(language.why)}</span>`}
          </span>
        </li>
        ${
          vision &&
          html`<li>
            <span>
              <strong>${t('box.vision')}</strong> <span class="meta">${nameOf(vision)}</span>
              ${vision.why && html`<span class="unsure">${said(vision.why)}</span>`}
            </span>
          </li>`
        }
        ${models.map(
          ({ name, description, licence, files }) => html`
            <li key=${name}>
              <span>
                <strong>${name}</strong>
                <span class="meta"><span>${said(description)}</span><span>${licence}, ${t('box.ships')}</span></span>
              </span>
              <${Files} states=${files.map(({ state }) => state)} />
            </li>
          `,
        )}
        ${installed.map(
          ({ name, bytes: size, misfit, in_use, warnings }) => html`
            <li key=${name}>
              <span>
                <strong>${name}</strong>
                <span class="meta">${bytes(size)}, ${t('box.brought')}</span>
                ${[misfit, ...warnings].filter(Boolean).map(line => html`<span key=${line} class="meta">${line}</span>`)}
              </span>
              ${in_use && html`<span class="tag done">${t('box.in_use')}</span>`}
            </li>
          `,
        )}
      </ul>
    </section>
  `
}

const nameOf = ({ name, backend }: Named) => [name, backend].filter(Boolean).join(', ')

/** How the files of a model are, the worst of them. */
function Files({ states }: { states: string[] }) {
  const bad = states.find(state => state !== 'ok')
  if (bad === undefined) return html`<span class="tag done">${t('box.ok')}</span>`
  return html`<span class="tag failed">${t(bad === 'missing' ? 'box.missing' : 'box.damaged')}</span>`
}
