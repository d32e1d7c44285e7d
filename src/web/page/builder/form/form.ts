/** A form for a map of parameters, made of its schema: what is asked for first, the rest behind a line. */
import { html } from 'htm/preact'
import type { Json } from '../../../../contract/index.ts'
import type { Schema } from '../schema.ts'
import { say } from '../words.ts'
import { WrongHere } from '../wrongs.ts'
import { ALTERNATIVES, Alternatives } from './alternatives.ts'
import { hiddenOf } from './hidden.ts'
import { Param } from './param.ts'

interface FormProps {
  /** For ids that no other form has. */
  node: string
  kind: string
  schema: Schema
  value: unknown
  /** `at`: keys from the parameters on, none for all of them. Null: it is taken out. */
  set(at: readonly string[], value: Json): void
}

type JsonMap = { [key: string]: Json }

/** Asked for at once although they may be left out. */
const FIRST = [
  'cameras',
  'where',
  'prompt',
  'input',
  'goal',
  'tools',
  'fields',
  'rules',
  'label',
  'zone',
  'source',
  'json',
  'cooldown',
  'per_hour',
  'one_at_a_time',
  'ai_per_hour',
  'default',
  'description',
]

export function Form({ node, kind, schema, value, set }: FormProps) {
  if (!schema.properties) {
    const key = kind
    const whole = (next: Json) => set([], next === null ? '' : next)
    return html`<${Param} id=${`p-${kind}`} kind=${kind} name=${key} schema=${schema} value=${value as Json} set=${whole} required />`
  }
  const given = (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}) as JsonMap
  const ways = ALTERNATIVES[kind]
  const hidden = hiddenOf(kind, given)
  const required = schema.required ?? []
  const keys = Object.keys(schema.properties).filter(key => !hidden.includes(key))
  const isFirst = (key: string) => required.includes(key) || Object.hasOwn(given, key) || FIRST.includes(key)
  const field = (key: string) => html`
    <${Param}
      key=${key}
      id=${`p-${kind}-${key}`}
      kind=${kind}
      name=${key}
      schema=${schema.properties?.[key] ?? {}}
      value=${given[key]}
      required=${required.includes(key)}
      around=${given}
      set=${(next: Json) => set([key], next)}
    />
    <${WrongHere} node=${node} kind=${kind} name=${key} />
  `
  const rest = keys.filter(key => !isFirst(key))
  return html`
    ${ways && html`<${Alternatives} kind=${kind} node=${node} schema=${schema} value=${given} set=${set} />`}
    ${keys.filter(isFirst).map(field)}
    ${
      rest.length > 0 &&
      html`<details class="more-of"><summary>${say('form.rest')}</summary>${rest.map(field)}</details>`
    }
  `
}
