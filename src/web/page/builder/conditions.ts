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
  const [[kind, params] = ['', null]] = Object.entries(condition)
  const inner = `${path}.${kind}`
  const list = Array.isArray(params) ? (params as JsonMap[]) : []
  const sections = path.startsWith('if[') ? GUARDS : CONDITIONS
  const wrap = () => set(kind === 'not' ? (params as JsonMap) : { not: condition })
  return html`
    <div class="one-of condition">
      <span class="pair">
        <button type="button" class="kind" onClick=${() => setOpen(true)}>${kind ? kindName('condition', kind) : say('cond.choose')}</button>
        ${remove && html`<button type="button" class="small" aria-label=${say('form.without', { what: kindName('condition', kind) })} onClick=${remove}>×</button>`}
      </span>
      ${open && html`<${Chooser} title=${say('cond.choose')} group="condition" sections=${sections} choose=${(next: string) => next !== kind && set(freshCondition(next, names))} done=${() => setOpen(false)} />`}
      ${
        kind === 'not'
          ? html`<${One} path=${inner} condition=${(params ?? {}) as JsonMap} set=${(next: JsonMap) => set({ not: next })} />`
          : kind === 'any' || kind === 'all'
            ? html`<${Several} path=${inner} legend=${say(`cond.${kind}_of`)} conditions=${list} set=${(next: Json) => set({ [kind]: next })} />`
            : kind === 'value'
              ? html`<${ValueTest} path=${path} params=${(params ?? {}) as JsonMap} set=${(next: JsonMap) => set({ value: next })} />`
              : html`<${Plain} path=${path} kind=${kind} params=${params} set=${(next: Json) => set({ [kind]: next })} />`
      }
      <label class="tick">
        <input type="checkbox" checked=${kind === 'not'} onChange=${wrap} />
        <span>${say('cond.turned')}</span>
      </label>
    </div>
  `
}

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
