import { html } from 'htm/preact'
import type { Outline, TestHistory } from '../../engine/index.ts'
import { ask } from './api.ts'
import { t, term } from './language.ts'
import { whom } from './questions.ts'
import { stepKind } from './words.ts'

export type { Outline }

export const getOutline = (id: number): Promise<Outline & { test: TestHistory }> =>
  ask(`/workflows/${id}/outline`)

/** What a file would do here, as the box says it: before it is switched On, and before it is imported. */
export function Does({ outline }: { outline: Pick<Outline, 'acts' | 'asks' | 'reads'> }) {
  const moves = outline.acts.filter(({ effect }) => effect === 'move')
  const tells = outline.acts.filter(({ effect }) => effect === 'tell')
  return html`
    <dl class="does">
      <dt>${t('live.moves')}</dt>
      ${
        moves.length
          ? moves.map(
              act =>
                html`<dd key=${act.path} class="move"><${Act} act=${act} /> <em>${term('live', `guard_${act.guard ?? 'none'}`)}</em></dd>`,
            )
          : html`<dd>${t('live.moves_nothing')}</dd>`
      }
      <dt>${t('live.tells')}</dt>
      ${
        tells.length
          ? tells.map(act => html`<dd key=${act.path}><${Act} act=${act} /></dd>`)
          : html`<dd>${t('live.tells_nobody')}</dd>`
      }
      ${outline.asks.length > 0 && html`<dt>${t('live.asks')}</dt>`}
      ${outline.asks.map(
        ({ path, who, message }) => html`<dd key=${path}>${t('live.ask', { who: whom(who), message })}</dd>`,
      )}
      <dt>${t('live.reads')}</dt>
      <dd>${outline.reads.map(what => t(`live.${what}`)).join(', ') || t('live.reads_nothing')}</dd>
    </dl>
  `
}

/** `role:guard` → `guard`. */
const plain = (target: string) => target.replaceAll(/\b(role|person):/g, '')

function Act({ act: { action, target, detail } }: { act: Outline['acts'][number] }) {
  return html`
    ${stepKind(action)}${target && html`${': '}<strong>${plain(target)}</strong>`}
    ${detail && html`${' '}<code>${detail}</code>`}
  `
}
