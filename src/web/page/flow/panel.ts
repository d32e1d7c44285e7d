import { html } from 'htm/preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../language.ts'
import { label } from '../words.ts'
import { fieldsOf, type ParamField } from './fields.ts'

export type Value = ParamField['value']

export interface Picked {
  node: string
  kind: string
  params: unknown
  name: string
}

interface PanelProps {
  picked: Picked
  problem: string
  /** Values that exist there. */
  values: readonly string[]
  set(field: ParamField, value: Value): void
  /** To where it stands in the text. */
  goTo(): void
  close(): void
}

/** The single values of a card, as a form. */
export function Panel({
  picked: { node, kind, params, name },
  problem,
  values,
  set,
  goTo,
  close,
}: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [node])
  const { fields, more } = fieldsOf(node, kind, params)
  return html`
    <aside class="panel" aria-labelledby="panel">
      <h2 id="panel" ref=${heading} tabindex="-1">${name}</h2>
      ${fields.map(field => html`<${Input} key=${`${node} ${field.key}`} field=${field} set=${set} />`)}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${values.length > 0 && html`<p class="meta">${t('panel.values', { values: values.map(it => `{${it}}`).join(' ') })}</p>`}
      ${more.length > 0 && html`<p class="meta">${t('panel.more', { what: more.map(it => label(it)).join(', ') })}</p>`}
      <p class="tools">
        <button type="button" onClick=${goTo}>${t('panel.text')}</button>
        <button type="button" onClick=${close}>${t('panel.close')}</button>
      </p>
    </aside>
  `
}

function Input({ field, set }: { field: ParamField; set(field: ParamField, value: Value): void }) {
  const { key, kind, value, is, required, description, words, min, max } = field
  const id = `param-${key ?? kind}`
  const change = (event: Event) => {
    const { value: given, validity } = event.target as HTMLInputElement
    if (validity.badInput) return
    const next =
      given === '' ? null : is === 'number' ? Number(given) : is === 'yes_no' ? given === 'true' : given
    if (next !== value) set(field, next)
  }
  const shared = { id, onChange: change, 'aria-describedby': `${id}-says` }
  const choices = is === 'yes_no' ? ['true', 'false'] : words
  return html`
    <div class="field">
      <label for=${id}>${label(key ?? kind)}</label>
      ${
        choices.length > 0
          ? html`<select ...${shared}>
              ${(!required || value === null) && html`<option value="" selected=${value === null}>${t('panel.unset')}</option>`}
              ${choices.map(
                word =>
                  html`<option key=${word} value=${word} selected=${String(value) === word}>
                    ${is === 'yes_no' ? t(word === 'true' ? 'value.yes' : 'value.no') : label(word)}
                  </option>`,
              )}
            </select>`
          : is === 'long'
            ? html`<textarea ...${shared} rows="3" value=${value ?? ''}></textarea>`
            : is === 'number'
              ? html`<input ...${shared} type="number" step="any" min=${min} max=${max} value=${value ?? ''} />`
              : html`<input ...${shared} autocomplete="off" value=${value ?? ''} />`
      }
      <small id=${`${id}-says`} class="meta">${description}</small>
    </div>
  `
}
