import { html } from 'htm/preact'
import { useState } from 'preact/hooks'

interface TypedProps {
  value: string
  /** What was typed, once it is left or Enter is pressed; false: it does not go, and is as it was. */
  take(given: string, input: HTMLInputElement): unknown
  long?: boolean
  [attribute: string]: unknown
}

/** A text that somebody types: until it is left nothing that happens meanwhile takes it away. */
export function Typed({ value, take, long = false, ...rest }: TypedProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const typed = (event: Event) => setDraft((event.target as HTMLInputElement).value)
  const left = (event: Event) => {
    const input = event.target as HTMLInputElement
    setDraft(null)
    if (!input.validity.badInput && input.value !== value) take(input.value, input)
  }
  const shared = {
    autocomplete: 'off',
    ...rest,
    value: draft ?? value,
    onInput: typed,
    onChange: left,
    onBlur: () => setDraft(null),
  }
  return long ? html`<textarea rows="3" ...${shared}></textarea>` : html`<input ...${shared} />`
}
