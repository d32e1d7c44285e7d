import { html } from 'htm/preact'
import { ask } from './api.ts'
import { useAsked } from './asked.ts'
import { t } from './language.ts'

interface Begun {
  in_force: { cameras: unknown[]; people: unknown[] }
}

const STEPS = [
  ['first.camera', 'first.camera_why', '/site/cameras', 'cameras'],
  ['first.people', 'first.people_why', '/site/people', 'people'],
  ['first.workflow', 'first.workflow_why', '/workflows/new', null],
] as const

/** What to do on a box that has no workflow yet, one after the other, and what of it is done. */
export function FirstSteps() {
  const { found } = useAsked(() => ask<Begun>('/site-rules?without=lists'))
  return html`
    <h3 class="unseen">${t('first.title')}</h3>
    <ol class="first-steps">
      ${STEPS.map(([name, why, href, part]) => {
        const done = part !== null && (found?.in_force[part].length ?? 0) > 0
        return html`
          <li key=${name} class=${done ? 'done' : ''}>
            <a href=${href}>${t(name)}</a>
            ${done && html`<span class="tag on">${t('first.done')}</span>`}
            <span class="meta">${t(why)}</span>
          </li>
        `
      })}
    </ol>
  `
}
