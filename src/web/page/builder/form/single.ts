/** Inputs for one value. */
import { html } from 'htm/preact'
import type { Json } from '../../../../contract/index.ts'
import { say } from '../words.ts'
import { Typed } from './typed.ts'

interface SingleProps {
  id: string
  label: string
  hint?: string
  value: Json
  set(value: Json): void
  is?: 'text' | 'number' | 'time'
  long?: boolean
  min?: number
  max?: number
  step?: number
  /** What it usually is. */
  offers?: readonly string[]
  /** Nobody sees the label: it stands beside others. */
  bare?: boolean
  invalid?: boolean
}

/** A text, a number or a time of day. It is taken over when it is left. */
export function Single(props: SingleProps) {
  const { id, label, hint, value, set, is = 'text', long = false, min, max, step, offers = [], bare } = props
  const take = (given: string) => set(given === '' ? null : is === 'number' ? Number(given) : given)
  const shared = {
    id,
    take,
    value: value === null ? '' : String(value),
    ...(hint && { 'aria-describedby': `${id}-says` }),
    ...(bare && { 'aria-label': label }),
  }
  const fills = is === 'text' ? { 'data-fills': '' } : {}
  const list = offers.length > 0 ? { list: `${id}-offers` } : {}
  return html`
    <div class="field">
      ${!bare && html`<label for=${id}>${label}</label>`}
      <${Typed}
        ...${shared}
        ...${fills}
        ...${list}
        ...${long ? { long } : { type: is, min, max, step: is === 'number' ? (step ?? 'any') : undefined }}
      />
      ${
        offers.length > 0 &&
        html`<datalist id=${`${id}-offers`}>${offers.map(one => html`<option key=${one} value=${one}></option>`)}</datalist>`
      }
      ${hint && html`<small id=${`${id}-says`} class="meta">${hint}</small>`}
    </div>
  `
}

interface ChoiceProps {
  id: string
  label: string
  hint?: string
  value: string | null
  /** Words as the file has them, with those of people. */
  words: readonly (readonly [word: string, says: string])[]
  set(value: string | null): void
  required?: boolean
  bare?: boolean
}

/** One of several words. */
export function Choice({ id, label, hint, value, words, set, required, bare }: ChoiceProps) {
  const strange = value !== null && !words.some(([word]) => word === value)
  return html`
    <div class="field">
      ${!bare && html`<label for=${id}>${label}</label>`}
      <select
        id=${id}
        aria-label=${bare ? label : undefined}
        aria-describedby=${hint ? `${id}-says` : undefined}
        onChange=${(event: Event) => set((event.target as HTMLSelectElement).value || null)}
      >
        ${(!required || value === null) && html`<option value="" selected=${value === null}>${say('form.unset')}</option>`}
        ${strange && html`<option value=${value} selected>${value}</option>`}
        ${words.map(([word, says]) => html`<option key=${word} value=${word} selected=${word === value}>${says}</option>`)}
      </select>
      ${hint && html`<small id=${`${id}-says`} class="meta">${hint}</small>`}
    </div>
  `
}

const UNITS = ['s', 'm', 'h', 'd'] as const

interface DurationProps {
  id: string
  label: string
  hint?: string
  value: string | null
  set(value: string | null): void
}

/** A number of seconds, minutes, hours or days. */
export function Duration({ id, label, hint, value, set }: DurationProps) {
  const [, number = '', unit = 's'] = /^(\d+)(ms|[smhd])$/.exec(value ?? '') ?? []
  const units = unit === 'ms' ? ['ms', ...UNITS] : UNITS
  return html`
    <div class="field duration" role="group" aria-labelledby=${`${id}-label`}>
      <label id=${`${id}-label`} for=${id}>${label}</label>
      <span class="pair">
        <${Typed}
          id=${id}
          type="number"
          min="0"
          step="1"
          value=${number}
          aria-describedby=${hint ? `${id}-says` : undefined}
          take=${(given: string) => set(given === '' ? null : `${Math.max(0, Math.round(Number(given)))}${unit}`)}
        />
        <select
          aria-label=${say('form.unit', { what: label })}
          onChange=${(event: Event) => number !== '' && set(`${number}${(event.target as HTMLSelectElement).value}`)}
        >
          ${units.map(one => html`<option key=${one} value=${one} selected=${one === unit}>${say(`unit.${one as 's'}`)}</option>`)}
        </select>
      </span>
      ${hint && html`<small id=${`${id}-says`} class="meta">${hint}</small>`}
    </div>
  `
}
