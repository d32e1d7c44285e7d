/** The condition on a value of the run: which, how it is compared, and with what. */
import { html } from 'htm/preact'
import type { Json } from '../../../contract/index.ts'
import { useBuilding } from './building.ts'
import { COMPARISONS, fitting, Operand } from './form/matcher.ts'
import { Choice, Single } from './form/single.ts'
import { valuesIn } from './panel-values.ts'
import { say } from './words.ts'

const TESTS = [...COMPARISONS, 'in', 'present'] as const

interface ValueTestProps {
  path: string
  params: { [key: string]: Json }
  set(next: { [key: string]: Json }): void
}

export function ValueTest({ path, params, set }: ValueTestProps) {
  const building = useBuilding()
  const { of = null } = params
  const by = TESTS.find(test => Object.hasOwn(params, test)) ?? null
  const operand = by === null ? '' : (params[by] ?? '')
  const offers = valuesIn(building, path.replace(/\.(if|wait_for)\b.*$/, ''))
  const named = of === null ? {} : { of }
  return html`
    <${Single} id=${`${path}-of`} label=${say('test.of')} value=${of} offers=${offers} set=${(next: Json) => set({ ...params, of: next ?? '' })} />
    <${Choice}
      id=${`${path}-by`}
      label=${say('test.by')}
      value=${by}
      words=${TESTS.map(test => [test, say(`compare.${test}`)])}
      set=${(next: string | null) => next !== null && set({ ...named, [next]: next === 'present' ? 'yes' : fitting(next, by === 'present' ? '' : operand) })}
      required
    />
    ${
      by === 'present'
        ? html`<${Choice} id=${`${path}-present`} label=${say('compare.present')} bare value=${String(operand)} words=${[['yes', say('fresh.yes')], ['no', say('fresh.no')]]} set=${(next: string | null) => next !== null && set({ ...named, present: next })} required />`
        : by !== null &&
          html`<div class="field"><${Operand} id=${`${path}-with`} label=${String(of ?? '')} by=${by} value=${operand} set=${(next: Json) => set({ ...named, [by]: next })} /></div>`
    }
  `
}
