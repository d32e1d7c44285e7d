import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { stepKind } from '../words.ts'
import type { Section } from './groups.ts'
import { triggerName } from './says.ts'
import type { Group } from './schema.ts'
import { say, sayTerm } from './words.ts'

interface ChooserProps {
  title: string
  group: Group
  sections: readonly Section[]
  choose(kind: string): void
  done(): void
}

/** What kinds are called where one is chosen. */
export function kindName(group: Group, kind: string): string {
  if (group === 'trigger') return triggerName(kind)
  return sayTerm(`${group === 'step' ? 'kind' : 'cond'}.${kind}`) ?? stepKind(kind)
}

/** Kinds by what they are for; typing finds one. */
export function Chooser({ title, group, sections, choose, done }: ChooserProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [sought, setSought] = useState('')
  useEffect(() => dialog.current?.showModal(), [])
  const take = (kind: string) => {
    dialog.current?.close()
    choose(kind)
  }
  const fold = (text: string) => text.toLowerCase()
  const fits = (kind: string) => {
    const words = `${kindName(group, kind)} ${sayTerm(`${group}.${kind}`) ?? ''} ${kind}`
    return fold(words).includes(fold(sought.trim()))
  }
  const shown = sections
    .map(({ name, kinds }) => ({ name, kinds: kinds.filter(fits) }))
    .filter(({ kinds }) => kinds.length > 0)
  const first = shown[0]?.kinds[0]
  const submit = (event: Event) => {
    event.preventDefault()
    if (first !== undefined && sought.trim() !== '') take(first)
  }
  return html`
    <dialog ref=${dialog} class="ask-live chooser" aria-labelledby="chooser" onClose=${done}>
      <h2 id="chooser">${title}</h2>
      <form onSubmit=${submit}>
        <input
          type="search"
          aria-label=${say('add.find')}
          placeholder=${say('add.find')}
          autocomplete="off"
          value=${sought}
          onInput=${(event: Event) => setSought((event.target as HTMLInputElement).value)}
        />
      </form>
      ${shown.map(
        ({ name, kinds }) => html`
          <section key=${name} aria-labelledby=${`group-${name}`}>
            <h3 id=${`group-${name}`}>${sayTerm(`group.${name}`) ?? name}</h3>
            <ul class="kinds">
              ${kinds.map(
                kind => html`
                  <li key=${kind}>
                    <button type="button" onClick=${() => take(kind)}>
                      <strong>${kindName(group, kind)}</strong>
                      <span class="line">${sayTerm(`${group}.${kind}`) ?? ''}</span>
                    </button>
                  </li>
                `,
              )}
            </ul>
          </section>
        `,
      )}
      ${shown.length === 0 && html`<p class="meta">${say('add.none')}</p>`}
      <p class="choices"><button type="button" onClick=${() => dialog.current?.close()}>${say('add.cancel')}</button></p>
    </dialog>
  `
}
