/** Inputs for several values. */
import { html } from 'htm/preact'
import type { Json } from '../../../../contract/index.ts'
import { say } from '../words.ts'
import { Fieldset } from './field.ts'
import { Typed } from './typed.ts'

interface TextsProps {
  id: string
  label: string
  hint?: string
  value: readonly string[]
  set(value: string[]): void
  /** What the site has: to be ticked. */
  offers?: readonly string[]
  says?(word: string): string
  /** Nothing else may be said. */
  fixed?: boolean
}

/** What may be ticked, then what else is said, each in a line of its own. */
export function Texts({
  id,
  label,
  hint = '',
  value,
  set,
  offers = [],
  says = word => word,
  fixed = false,
}: TextsProps) {
  const others = value.flatMap((one, i) => (offers.includes(one) ? [] : [{ one, i }]))
  const tick = (word: string, on: boolean) => set(on ? [...value, word] : value.filter(one => one !== word))
  return html`
    <${Fieldset} legend=${label} hint=${hint}>
      <div class="ticks">
        ${offers.map(
          word => html`
            <label key=${word} class="tick">
              <input
                type="checkbox"
                checked=${value.includes(word)}
                onChange=${(event: Event) => tick(word, (event.target as HTMLInputElement).checked)}
              />
              <span>${says(word)}</span>
            </label>
          `,
        )}
      </div>
      ${others.map(
        ({ one, i }) => html`
          <span class="pair" key=${`${i} ${one}`}>
            <${Typed}
              aria-label=${say('form.nth', { what: label, n: i + 1 })}
              data-fills=""
              value=${one}
              take=${(given: string) => set(given.trim() === '' ? value.toSpliced(i, 1) : value.with(i, given.trim()))}
            />
            <button type="button" class="small" aria-label=${say('form.without', { what: one })} onClick=${() => set(value.toSpliced(i, 1))}>×</button>
          </span>
        `,
      )}
      ${!fixed && html`<${More} id=${id} label=${say('form.more', { what: label })} add=${(word: string) => !value.includes(word) && set([...value, word])} />`}
    </${Fieldset}>
  `
}

/** A line for one more word; Enter or leaving it takes it over. */
export function More({ id, label, add }: { id: string; label: string; add(word: string): void }) {
  const take = (input: HTMLInputElement | null) => {
    const word = input?.value.trim() ?? ''
    if (!input || word === '') return
    input.value = ''
    add(word)
  }
  return html`
    <span class="pair">
      <input
        id=${id}
        aria-label=${label}
        placeholder=${label}
        autocomplete="off"
        onChange=${(event: Event) => take(event.target as HTMLInputElement)}
        onKeyDown=${(event: KeyboardEvent) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          take(event.target as HTMLInputElement)
        }}
      />
      <button
        type="button"
        class="small"
        aria-label=${say('form.take')}
        onClick=${(event: Event) => take((event.currentTarget as HTMLElement).parentElement?.querySelector('input') ?? null)}
      >
        +
      </button>
    </span>
  `
}

/** One text, or a list of them, as a list. */
export const textsOf = (value: Json | undefined): string[] =>
  value === undefined || value === null ? [] : (Array.isArray(value) ? value : [value]).map(String)

/** A list as the file says it: one alone may stand without it, where it did or where that is how it is written. */
export const listOf = (texts: readonly string[], single: boolean): Json =>
  texts.length === 0 ? null : single && texts.length === 1 ? (texts[0] as string) : [...texts]
