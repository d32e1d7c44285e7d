import { html } from 'htm/preact'
import type { Problem } from '../../contract/index.ts'
import { t } from './language.ts'
import { said } from './said.ts'

interface ProblemsProps {
  /** Null: not looked yet. */
  problems: readonly Problem[] | null
  goTo?(problem: Problem): void
  fix?(problem: Problem): void
  /** They are of a file of this box: what is missing at the site can be added there. */
  here?: boolean
}

/** Where that is added which a file names and the site does not know. */
const AT_SITE: Readonly<Record<string, string>> = {
  unknown_camera: '/site/cameras',
  unknown_role: '/site/people',
  unknown_person: '/site/people',
  unknown_list: '/site/lists',
  unknown_destination: '/site/destinations',
}

/** What is wrong with a file, each with the way there and, where there is one, the change that mends it. */
export function Problems({ problems, goTo, fix, here = false }: ProblemsProps) {
  return html`
    <section class="problems" aria-labelledby="problems">
      <h2 id="problems">${t('editor.problems')}</h2>
      ${problems === null && html`<p class="meta">${t('editor.checking')}</p>`}
      ${problems?.length === 0 && html`<p class="meta" role="status">${t('editor.no_problems')}</p>`}
      ${
        (problems?.length ?? 0) > 0 &&
        html`<ul>
          ${problems?.map(
            (one, i) => html`
              <li key=${`${one.code} ${one.path} ${i}`} class=${one.severity}>
                <span class=${`tag ${one.severity === 'error' ? 'failed' : 'waiting'}`}>
                  ${t(`editor.${one.severity}`)}
                </span>
                ${
                  goTo
                    ? html`<button type="button" class="place" onClick=${() => goTo(one)}>${t('editor.line', { n: one.line })}</button>`
                    : html`<span class="meta">${t('editor.line', { n: one.line })}</span>`
                }
                <span class="says">
                  ${said(one.message)}
                  ${here && AT_SITE[one.code] && html`${' '}<a href=${AT_SITE[one.code]}>${t('editor.at_site')}</a>`}
                </span>
                ${
                  fix &&
                  one.fix &&
                  html`<button type="button" onClick=${() => fix(one)}>${t('editor.fix', { title: said(one.fix.title) })}</button>`
                }
              </li>
            `,
          )}
        </ul>`
      }
    </section>
  `
}
