import { html } from 'htm/preact'
import { ask } from '../api.ts'
import { useAsked } from '../asked.ts'
import { t } from '../language.ts'
import { clock } from '../words.ts'
import type { SectionProps } from './section.ts'
import { say } from './words.ts'

interface Seen {
  id: string
  name: string
  roles: string[]
  problem?: string | null
  offline_since?: string | null
}

/** The cameras that somebody may see, with what is wrong with them. */
export function Section({ state: { zone } }: SectionProps) {
  const { found, problem } = useAsked(() => ask<{ cameras?: Seen[] }>('/system/health'))
  const cameras = found?.cameras ?? []
  return html`
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${!found && !problem && html`<p class="none">${t('app.loading')}</p>`}
    ${found && !cameras.length && html`<p class="none">${say('cameras.none')}</p>`}
    <ul class="entries">
      ${cameras.map(
        ({ id, name, roles, problem, offline_since: since }) => html`
          <li key=${id}>
            <span>
              <strong>${name}</strong>
              <span class="meta">${id} ${roles.map(role => html`<span key=${role} class="tag">${role}</span>`)}</span>
              ${problem && html`<span class="attention">${problem}</span>`}
              ${since && html`<span class="attention">${t('box.offline_since', { at: clock(since, zone) })}</span>`}
            </span>
          </li>
        `,
      )}
    </ul>
  `
}
