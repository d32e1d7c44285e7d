import { html } from 'htm/preact'
import { useEffect, useRef } from 'preact/hooks'

export interface FieldProps {
  label: string
  value: string
  set(value: string): void
  type?: string
  autocomplete?: string
  placeholder?: string
  /** Typed into at once. */
  first?: boolean
  optional?: boolean
}

/** A text that somebody types, under its label. */
export function Field({ label, value, set, type = 'text', first, optional, ...more }: FieldProps) {
  const rest = { autocomplete: 'off', ...more }
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (first) input.current?.focus()
  }, [])
  return html`
    <label class="field">
      <span>${label}</span>
      <input
        ref=${input}
        type=${type}
        value=${value}
        required=${!optional}
        spellcheck=${false}
        autocapitalize="none"
        onInput=${(event: Event) => set((event.target as HTMLInputElement).value)}
        ...${rest}
      />
    </label>
  `
}

/** Whose password a form is about, for what keeps passwords. */
export function Whose({ name }: { name: string }) {
  return html`<input type="text" name="username" autocomplete="username" value=${name} readonly hidden />`
}
