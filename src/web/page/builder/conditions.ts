/** Conditions as a form, those within others too. */
import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import type { Condition, Json } from '../../../contract/index.ts'
import { setCondition } from '../../../contract/index.ts'
import { useBuilding } from './building.ts'
import { Chooser, kindName } from './chooser.ts'
import { Fieldset } from './form/field.ts'
import { Form } from './form/form.ts'
import { freshCondition } from './fresh.ts'
import { CONDITIONS, GUARDS } from './groups.ts'
import { schemaOf } from './schema.ts'
import { ValueTest } from './value-test.ts'
import { say } from './words.ts'

type JsonMap = { [key: string]: Json }

/** As a file says it. */
function jsonOf({ kind, params }: Condition): JsonMap {
  if (kind === 'not') return { not: jsonOf(params as Condition) }
  if (kind === 'any' || kind === 'all') return { [kind]: (params as Condition[]).map(jsonOf) }
  return { [kind]: params as Json }
}

interface FormProps {
  /** Where it stands; `many`: a list of them, which must all hold. */
  path: string
  condition: Condition | Condition[] | undefined
  many?: boolean
}

export function ConditionForm({ path, condition, many = false }: FormProps) {
  const { edit } = useBuilding()
  if (condition === undefined) return null
  const set = (next: Json) => edit(text => setCondition(text, path, next))
  if (many) {
    const all = condition as Condition[]
    return html`<${Several} path=${path} legend=${say('cond.all_of')} conditions=${all.map(jsonOf)} set=${set} />`
  }
  return html`<${One} path=${path} condition=${jsonOf(condition as Condition)} set=${set} />`
}

interface OneProps {
  path: string
  condition: JsonMap
  set(next: JsonMap): void
  remove?: (() => void) | undefined
}

function One({ path, condition, set, remove }: OneProps) {
  const { names } = useBuilding()
  const [open, setOpen] = useState(false)
  // What is turned round is shown as it is, with a tick.
  const turned = isMap(condition.not)
  const shown = turned ? (condition.not as JsonMap) : condition
  const inner = turned ? `${path}.not` : path
  const [[kind, params] = ['', null]] = Object.entries(shown)
  const list = Array.isArray(params) ? (params as JsonMap[]) : []
  const sections = path.startsWith('if[') ? GUARDS : CONDITIONS
  const put = (next: JsonMap) => set(turned ? { not: next } : next)
  return html`
    <div class="one-of condition">
      <span class="pair">
        <button type="button" class="kind" onClick=${() => setOpen(true)}>${kind ? kindName('condition', kind) : say('cond.choose')}</button>
        ${remove && html`<button type="button" class="small" aria-label=${say('form.without', { what: kindName('condition', kind) })} onClick=${remove}>×</button>`}
      </span>
      ${open && html`<${Chooser} title=${say('cond.choose')} group="condition" sections=${sections} choose=${(next: string) => next !== kind && put(freshCondition(next, names))} done=${() => setOpen(false)} />`}
      ${
        kind === 'not'
          ? html`<${One} path=${`${inner}.not`} condition=${(params ?? {}) as JsonMap} set=${(next: JsonMap) => put({ not: next })} />`
          : kind === 'any' || kind === 'all'
            ? html`<${Several} path=${`${inner}.${kind}`} legend=${say(`cond.${kind}_of`)} conditions=${list} set=${(next: Json) => put({ [kind]: next })} />`
            : kind === 'value'
              ? html`<${ValueTest} path=${inner} params=${(params ?? {}) as JsonMap} set=${(next: JsonMap) => put({ value: next })} />`
              : html`<${Plain} path=${inner} kind=${kind} params=${params} set=${(next: Json) => put({ [kind]: next })} />`
      }
      <label class="tick">
        <input type="checkbox" checked=${turned} onChange=${() => set(turned ? shown : { not: shown })} />
        <span>${say('cond.turned')}</span>
      </label>
    </div>
  `
}

const isMap = (json: Json | undefined): boolean =>
  json !== null && typeof json === 'object' && !Array.isArray(json)

interface SeveralProps {
  path: string
  legend: string
  conditions: readonly JsonMap[]
  set(next: JsonMap[]): void
}

function Several({ path, legend, conditions, set }: SeveralProps) {
  const { names } = useBuilding()
  const [open, setOpen] = useState(false)
  const sections = path.startsWith('if[') ? GUARDS : CONDITIONS
  return html`
    <${Fieldset} legend=${legend}>
      ${conditions.map(
        (one, i) => html`
          <${One}
            key=${`${i} ${conditions.length}`}
            path=${`${path}[${i}]`}
            condition=${one}
            set=${(next: JsonMap) => set(conditions.with(i, next))}
            remove=${conditions.length > 1 ? () => set(conditions.toSpliced(i, 1)) : undefined}
          />
        `,
      )}
      <button type="button" onClick=${() => setOpen(true)}>+ ${say('add.guard')}</button>
      ${open && html`<${Chooser} title=${say('add.guard')} group="condition" sections=${sections} choose=${(kind: string) => set([...conditions, freshCondition(kind, names)])} done=${() => setOpen(false)} />`}
    </${Fieldset}>
  `
}

interface PlainProps {
  path: string
  kind: string
  params: Json
  set(next: Json): void
}

/** A condition with parameters of its own. */
function Plain({ path, kind, params, set }: PlainProps) {
  const schema = schemaOf('condition', kind)
  if (!schema) return null
  const put = ([key]: readonly string[], next: Json) => {
    if (key === undefined) return set(next)
    const { [key]: _, ...others } = (params ?? {}) as JsonMap
    set(next === null ? others : { ...others, [key]: next })
  }
  return html`<${Form} node=${path} kind=${kind} schema=${schema} value=${params} set=${put} />`
}
