/** What a value has to be: a comparison, and with what. */
import { html } from 'htm/preact'
import type { Json } from '../../../../contract/index.ts'
import { say } from '../words.ts'
import { Typed } from './typed.ts'

type JsonMap = { [key: string]: Json }

export const COMPARISONS = ['is', 'is_not', 'at_least', 'at_most', 'contains_any'] as const

export type Comparison = (typeof COMPARISONS)[number]

interface MatcherProps {
  id: string
  label: string
  value: Json
  set(value: Json): void
}

/** A comparison of the file as one of ours; null: it is several at once. */
function read(value: Json): { by: Comparison; operand: Json } | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { by: 'is', operand: value }
  const [[by, operand] = ['is', ''], ...others] = Object.entries(value)
  return others.length === 0 && COMPARISONS.some(one => one === by) ? { by: by as Comparison, operand } : null
}

export function Matcher({ id, label, value, set }: MatcherProps) {
  const found = read(value)
  if (!found) {
    // Several comparisons at once, each in a line.
    const map = value as JsonMap
    return html`
      <span class="stack">
        ${Object.entries(map).map(
          ([by, operand]) => html`
            <span class="pair" key=${by}>
              <span class="name">${say(`compare.${by as 'is'}`)}</span>
              <${Operand} id=${`${id}-${by}`} label=${label} by=${by} value=${operand} set=${(next: Json) => set({ ...map, [by]: next })} />
            </span>
          `,
        )}
      </span>
    `
  }
  const { by, operand } = found
  const put = (next: Comparison, what: Json) => set(next === 'is' ? what : { [next]: what })
  return html`
    <span class="pair">
      <select
        aria-label=${say('form.compared', { what: label })}
        onChange=${(event: Event) => {
          const next = (event.target as HTMLSelectElement).value as Comparison
          put(next, fitting(next, operand))
        }}
      >
        ${COMPARISONS.map(one => html`<option key=${one} value=${one} selected=${one === by}>${say(`compare.${one}`)}</option>`)}
      </select>
      <${Operand} id=${id} label=${label} by=${by} value=${operand} set=${(next: Json) => put(by, next)} />
    </span>
  `
}

/** What it is compared with: a number, or texts with commas between them. */
export function Operand({ id, label, by, value, set }: MatcherProps & { by: string }) {
  const number = by === 'at_least' || by === 'at_most'
  const shown = Array.isArray(value) ? value.map(String).join(', ') : value === null ? '' : String(value)
  return html`
    <${Typed}
      id=${id}
      aria-label=${say('form.with', { what: label })}
      type=${number ? 'number' : 'text'}
      step=${number ? 'any' : undefined}
      placeholder=${number ? undefined : say('form.commas')}
      value=${shown}
      take=${(given: string) => set(number ? Number(given) : operandOf(given, by, value))}
    />
  `
}

/** Texts with commas between them are a list. */
export function operandOf(given: string, by: string, was: Json): Json {
  const parts = given
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
  const typed = (part: string): Json =>
    by !== 'contains_any' && (typeof was !== 'string' || was === '') && /^-?\d+(\.\d+)?$/.test(part)
      ? Number(part)
      : part
  if (by === 'contains_any' || by === 'in' || parts.length > 1) return parts.map(typed)
  return typed(parts[0] ?? '')
}

export function fitting(by: string, operand: Json): Json {
  const [first = ''] = Array.isArray(operand) ? operand : [operand]
  if (by === 'at_least' || by === 'at_most') return Number.isFinite(Number(first)) ? Number(first) : 0
  if (by === 'contains_any' || by === 'in') return (Array.isArray(operand) ? operand : [operand]).map(String)
  return operand
}
