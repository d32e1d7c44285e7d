/** Inputs for what holds names of its author's: values of a body, and conditions on fields. */
import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import type { Json } from '../../../../contract/index.ts'
import { say } from '../words.ts'
import { Fieldset } from './field.ts'
import { More } from './lists.ts'
import { Matcher } from './matcher.ts'
import { Typed } from './typed.ts'

type JsonMap = { [key: string]: Json }

export interface PairsProps {
  id: string
  label: string
  hint?: string
  value: Json | undefined
  set(value: Json): void
}

const mapOf = (value: Json | undefined): JsonMap =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}

const isFlat = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.values(value).every(one => one === null || typeof one !== 'object'))

/** Names and values; what is more than that is written as JSON. */
export function Pairs({ id, label, hint = '', value, set }: PairsProps) {
  const [wrong, setWrong] = useState(false)
  if (!isFlat(value)) {
    const take = (given: string) => {
      try {
        set(given.trim() === '' ? null : JSON.parse(given))
        setWrong(false)
      } catch {
        setWrong(true)
      }
    }
    return html`
      <div class="field">
        <label for=${id}>${label}</label>
        <${Typed}
          long
          id=${id}
          rows="5"
          class="code"
          aria-invalid=${wrong}
          aria-describedby=${`${id}-says`}
          value=${JSON.stringify(value, null, 2)}
          take=${take}
        />
        <small id=${`${id}-says`} class="meta">${wrong ? say('form.no_json') : say('form.json')}</small>
      </div>
    `
  }
  const map = mapOf(value)
  const put = (next: JsonMap) => set(Object.keys(next).length > 0 ? next : null)
  return html`
    <${Fieldset} legend=${label} hint=${hint}>
      ${Object.entries(map).map(
        ([name, one]) => html`
          <span class="pair" key=${name}>
            <span class="name">${name}</span>
            <${Typed}
              aria-label=${name}
              data-fills=""
              value=${one === null ? '' : String(one)}
              take=${(given: string) => put({ ...map, [name]: asValue(given, one) })}
            />
            <button type="button" class="small" aria-label=${say('form.without', { what: name })} onClick=${() => put(without(map, name))}>×</button>
          </span>
        `,
      )}
      <${More} id=${id} label=${say('form.name')} add=${(name: string) => !Object.hasOwn(map, name) && put({ ...map, [name]: '' })} />
    </${Fieldset}>
  `
}

export function without(map: JsonMap, name: string): JsonMap {
  const { [name]: _, ...others } = map
  return others
}

/** Numbers, and true and false, as such where they were; else a text. */
function asValue(given: string, was: Json | undefined): Json {
  if (/^-?\d+(\.\d+)?$/.test(given) && (typeof was !== 'string' || was === '')) return Number(given)
  if ((given === 'true' || given === 'false') && (typeof was !== 'string' || was === ''))
    return given === 'true'
  return given
}

/** Fields and what they have to be; all must hold. */
export function Matchers({
  id,
  label,
  hint = '',
  value,
  set,
  names = [],
}: PairsProps & { names?: readonly string[] }) {
  const map = mapOf(value)
  const put = (next: JsonMap) => set(Object.keys(next).length > 0 ? next : null)
  const free = names.filter(name => !Object.hasOwn(map, name))
  const add = (name: string) => name && !Object.hasOwn(map, name) && put({ ...map, [name]: '' })
  return html`
    <${Fieldset} legend=${label} hint=${hint}>
      ${Object.entries(map).map(
        ([name, one]) => html`
          <div class="matched" key=${name}>
            <span class="name">${name}</span>
            <${Matcher} id=${`${id}-${name}`} label=${name} value=${one} set=${(next: Json) => put({ ...map, [name]: next })} />
            <button type="button" class="small" aria-label=${say('form.without', { what: name })} onClick=${() => put(without(map, name))}>×</button>
          </div>
        `,
      )}
      ${
        names.length > 0
          ? free.length > 0 &&
            html`<select
              aria-label=${say('form.field')}
              value=""
              onChange=${(event: Event) => {
                const select = event.target as HTMLSelectElement
                add(select.value)
                select.value = ''
              }}
            >
              <option value="">${say('form.field')}</option>
              ${free.map(name => html`<option key=${name} value=${name}>${name}</option>`)}
            </select>`
          : html`<${More} id=${id} label=${say('form.field')} add=${add} />`
      }
    </${Fieldset}>
  `
}
