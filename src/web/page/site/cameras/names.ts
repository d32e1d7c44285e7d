import { html } from 'htm/preact'
import { say } from './api.ts'
import { type Chosen, type Drawing, type Kind, renamed } from './shapes.ts'

interface NamesProps {
  kind: Kind
  drawing: Drawing
  chosen: Chosen | null
  choose(chosen: Chosen): void
  change(drawing: Drawing): void
  drop(which: Chosen): void
  /** Has the site file count again; null: it does. */
  back: (() => void) | null
}

/** The zones or masks by their names: each can be taken up, called otherwise, and taken away. */
export function Names({ kind, drawing, chosen, choose, change, drop, back }: NamesProps) {
  const names = Object.keys(drawing[kind])
  const rename = (name: string, field: HTMLInputElement) => {
    const to = field.value.trim().toLowerCase().replaceAll(/\s+/g, '-')
    const next = renamed(drawing, { kind, name }, to)
    field.setCustomValidity(next ? '' : say('draw.bad_name'))
    if (!next) return void field.reportValidity()
    if (to === name) return
    change(next)
    choose({ kind, name: to })
  }
  return html`
    <h3>${say(kind)}</h3>
    <p class="meta">${say(`${kind}.about`)}</p>
    <ul class=${`shapes ${kind}`}>
      ${names.map(
        name => html`
          <li key=${name}>
            <button
              type="button"
              aria-pressed=${chosen?.kind === kind && chosen.name === name}
              onClick=${() => choose({ kind, name })}
            >${say('draw.edit', { name })}</button>
            <input
              aria-label=${say('draw.name', { name })}
              value=${name}
              maxlength="64"
              autocapitalize="none"
              spellcheck=${false}
              onChange=${(event: Event) => rename(name, event.target as HTMLInputElement)}
            />
            <button type="button" onClick=${() => drop({ kind, name })} aria-label=${say('draw.remove', { name })}>✕</button>
          </li>
        `,
      )}
      ${!names.length && html`<li class="meta">${say(`${kind}.none`)}</li>`}
    </ul>
    ${back && html`<p><button type="button" onClick=${back}>${say('draw.give_back')}</button></p>`}
  `
}
