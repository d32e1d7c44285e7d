import { html } from 'htm/preact'
import { differ, type Line, nearby } from './differ.ts'
import { count, t } from './language.ts'

/** What differs between two files, with what stands around it. */
export function Diff({ before, after }: { before: string; after: string }) {
  if (before === after) return html`<p class="meta">${t('diff.none')}</p>`
  return html`
    <div class="diff" role="group" aria-label=${t('diff.title')}>
      ${nearby(differ(before, after)).map((line, i) => html`<${Shown} key=${i} line=${line} />`)}
    </div>
  `
}

function Shown({ line: { is, text } }: { line: Line }) {
  if (is === 'skip') return html`<p class="skip-lines">${count('diff.skipped', Number(text))}</p>`
  if (is === 'same') return html`<code>${text || ' '}</code>`
  const words = html`<span class="unseen">${t(`diff.${is}`)}</span>${text || ' '}`
  return is === 'gone' ? html`<del><code>${words}</code></del>` : html`<ins><code>${words}</code></ins>`
}
