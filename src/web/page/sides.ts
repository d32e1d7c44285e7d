import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { differ, type Line, nearby } from './differ.ts'
import { count, t } from './language.ts'

interface Side {
  title: string
  file: string
  /** Under the title. */
  says: ComponentChildren
}

/** Two files side by side, what differs between them at the same height; one below the other where there is no room. */
export function Sides({ before, after }: { before: Side; after: Side }) {
  const rows = rowsOf(nearby(differ(before.file, after.file)))
  return html`
    <div class="sides" role="group" aria-label=${t('diff.title')}>
      ${[before, after].map(
        ({ title, says }) => html`<div key=${title} class="side-head"><strong>${title}</strong>${says}</div>`,
      )}
      ${before.file === after.file && html`<p class="skip-lines">${t('diff.none')}</p>`}
      ${before.file !== after.file && rows.map((row, i) => html`<${Row} key=${i} row=${row} />`)}
    </div>
  `
}

/** `null`: nothing stands at that height. */
interface RowOf {
  is: 'same' | 'differs' | 'skip'
  left: string | null
  right: string | null
}

/** What is gone stands beside what came in its place. */
export function rowsOf(lines: readonly Line[]): RowOf[] {
  const rows: RowOf[] = []
  let [gone, fresh]: [string[], string[]] = [[], []]
  const pair = () => {
    for (let i = 0; i < Math.max(gone.length, fresh.length); i++)
      rows.push({ is: 'differs', left: gone[i] ?? null, right: fresh[i] ?? null })
    ;[gone, fresh] = [[], []]
  }
  for (const { is, text } of lines) {
    if (is === 'gone') gone.push(text)
    else if (is === 'new') fresh.push(text)
    else {
      pair()
      rows.push({ is, left: text, right: text })
    }
  }
  pair()
  return rows
}

function Row({ row: { is, left, right } }: { row: RowOf }) {
  if (is === 'skip') return html`<p class="skip-lines">${count('diff.skipped', Number(left))}</p>`
  if (is === 'same')
    return html`<code>${left || ' '}</code><code class="again" aria-hidden="true">${right || ' '}</code>`
  return html`
    ${left === null ? html`<code class="none-here" aria-hidden="true"></code>` : html`<del><code><span class="unseen">${t('diff.gone')}</span>${left || ' '}</code></del>`}
    ${right === null ? html`<code class="none-here" aria-hidden="true"></code>` : html`<ins><code><span class="unseen">${t('diff.new')}</span>${right || ' '}</code></ins>`}
  `
}
