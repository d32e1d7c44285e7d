import { html } from 'htm/preact'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../language.ts'

type Text = HTMLInputElement | HTMLTextAreaElement

const isText = (target: unknown): target is Text =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.dataset.fills !== undefined)

/** Values that exist there: put in where somebody wrote last, or into the first longer text. */
export function Insert({ form, values }: { form: RefObject<HTMLElement>; values: readonly string[] }) {
  const last = useRef<Text | null>(null)
  useEffect(() => {
    const wrote = ({ target }: Event) => {
      if (isText(target)) last.current = target
    }
    const within = form.current
    within?.addEventListener('focusin', wrote)
    return () => within?.removeEventListener('focusin', wrote)
  }, [])
  const insert = (value: string) => {
    const inside = last.current?.isConnected ? last.current : null
    const into = inside ?? form.current?.querySelector<Text>('textarea, input[data-fills]')
    if (!into) return
    into.setRangeText(`{${value}}`, into.selectionStart ?? 0, into.selectionEnd ?? 0, 'end')
    into.dispatchEvent(new Event('change'))
    into.focus()
  }
  if (values.length === 0) return null
  return html`
    <details class="more-of">
      <summary>${t('panel.values')}</summary>
      <p class="tools">
        ${values.map(it => html`<button type="button" key=${it} onClick=${() => insert(it)}>${`{${it}}`}</button>`)}
      </p>
    </details>
  `
}
