import { html } from 'htm/preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Fix, Problem } from '../../../contract/index.ts'
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

type Text = HTMLInputElement | HTMLTextAreaElement

interface PanelProps {
  picked: Picked
  problem: string
  /** What is wrong with this card as it stands. */
  wrong: readonly Problem[]
  fix(fix: Fix): void
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
  wrong,
  fix,
  values,
  set,
  goTo,
  close,
}: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [node])
  const form = useRef<HTMLElement>(null)
  const last = useRef<Text | null>(null)
  /** Where somebody wrote last, or in the first longer text. */
  const insert = (value: string) => {
    const inside = last.current?.isConnected ? last.current : null
    const into =
      inside ?? form.current?.querySelector<Text>('textarea') ?? form.current?.querySelector<Text>('input')
    if (!into) return
    into.setRangeText(`{${value}}`, into.selectionStart ?? 0, into.selectionEnd ?? 0, 'end')
    into.dispatchEvent(new Event('change'))
    into.focus()
  }
  const wrote = ({ target }: Event) => {
    if (
      target instanceof HTMLTextAreaElement ||
      (target instanceof HTMLInputElement && target.type === 'text')
    )
      last.current = target
  }
  const { fields, more } = fieldsOf(node, kind, params)
  return html`
    <aside class="panel" aria-labelledby="panel" ref=${form} onFocusIn=${wrote}>
      <h2 id="panel" ref=${heading} tabindex="-1">${name}</h2>
      ${fields.map(field => html`<${Input} key=${`${node} ${field.at.join('.')}`} field=${field} set=${set} />`)}
      ${
        values.length > 0 &&
        html`<details>
          <summary>${t('panel.values')}</summary>
          <p class="tools">
            ${values.map(it => html`<button type="button" key=${it} onClick=${() => insert(it)}>${`{${it}}`}</button>`)}
          </p>
        </details>`
      }
      ${more.length > 0 && html`<p class="meta">${t('panel.more', { what: more.map(it => label(it)).join(', ') })}</p>`}
      <p class="tools">
        <button type="button" onClick=${goTo}>${t('panel.text')}</button>
        <button type="button" onClick=${close}>${t('panel.close')}</button>
      </p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${wrong.map(
        (one, i) => html`
          <p key=${`${one.code} ${i}`} class="wrong">
            <span class=${`tag ${one.severity === 'error' ? 'failed' : 'waiting'}`}>${t(`editor.${one.severity}`)}</span>
            ${' '}${one.message}${' '}
            ${one.fix && html`<button type="button" onClick=${() => one.fix && fix(one.fix)}>${t('editor.fix', { title: one.fix.title })}</button>`}
          </p>
        `,
      )}
    </aside>
  `
}

function Input({ field, set }: { field: ParamField; set(field: ParamField, value: Value): void }) {
  const { at, kind, value, is, required, description, words, min, max } = field
  const key = String(at.at(-1) ?? kind)
  const id = `param-${key}`
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
      <label for=${id}>${label(key)}</label>
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
