/** Rules of an AI step, in the order in which they are tried: the first that holds decides. */
import { html } from 'htm/preact'
import type { Json } from '../../../../contract/index.ts'
import { say } from '../words.ts'
import { Fieldset } from './field.ts'
import { textsOf } from './lists.ts'
import { Matchers, type PairsProps } from './pairs.ts'
import { Choice } from './single.ts'

type JsonMap = { [key: string]: Json }

const mapOf = (value: Json | undefined): JsonMap =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}

/** `around`: the parameters of the step, whose fields and decisions the rules name. */
export function Rules({ id, label, hint = '', value, set, around }: PairsProps & { around: JsonMap }) {
  const rules = Array.isArray(value) ? value.map(mapOf) : []
  const decisions = [...textsOf(around.decision), 'unsure']
  const fields = Object.keys(mapOf(around.fields))
  const put = (next: readonly JsonMap[]) => set(next.length > 0 ? [...next] : null)
  const swapped = (i: number) => rules.with(i - 1, rules[i] as JsonMap).with(i, rules[i - 1] as JsonMap)
  return html`
    <${Fieldset} legend=${label} hint=${hint}>
      <ol class="rules">
        ${rules.map(
          (rule, i) => html`
            <li class="one-of" key=${`${i} ${rules.length}`}>
              <${Matchers}
                id=${`${id}-${i}`}
                label=${rule.when === undefined ? say('rule.else') : say('rule.when', { n: i + 1 })}
                value=${rule.when}
                names=${fields}
                set=${(next: Json) => put(rules.with(i, { ...(next !== null && { when: next }), then: rule.then ?? '' }))}
              />
              <${Choice}
                id=${`${id}-${i}-then`}
                label=${say('rule.then')}
                value=${typeof rule.then === 'string' ? rule.then : null}
                words=${decisions.map(word => [word, word === 'unsure' ? say('rule.unsure') : word])}
                set=${(next: string | null) => next !== null && put(rules.with(i, { ...rule, then: next }))}
                required
              />
              <span class="pair">
                <button type="button" class="small" disabled=${i === 0} onClick=${() => put(swapped(i))}>${say('move.up')}</button>
                <button type="button" class="small" onClick=${() => put(rules.toSpliced(i, 1))}>${say('rule.remove', { n: i + 1 })}</button>
              </span>
            </li>
          `,
        )}
      </ol>
      <button type="button" onClick=${() => put([...rules, { then: decisions[0] ?? 'unsure' }])}>${say('rule.add')}</button>
    </${Fieldset}>
  `
}
