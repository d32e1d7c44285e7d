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
  /** What is called so comes before what is only said to do it; infinite: it is neither. */
  const rank = (kind: string) => {
    const called = fold(`${kindName(group, kind)} ${kind}`)
    const word = fold(sought.trim())
    if (called.includes(word)) return called.startsWith(word) ? 0 : 1
    return fold(sayTerm(`${group}.${kind}`) ?? '').includes(word) ? 2 : Number.POSITIVE_INFINITY
  }
  const best = (kinds: readonly string[]) => Math.min(...kinds.map(rank))
  const found = sections
    .map(({ name, kinds }) => ({ name, kinds: kinds.filter(kind => Number.isFinite(rank(kind))) }))
    .filter(({ kinds }) => kinds.length > 0)
  const shown =
    sought.trim() === ''
      ? found
      : found
          .map(({ name, kinds }) => ({ name, kinds: kinds.toSorted((a, b) => rank(a) - rank(b)) }))
          .toSorted((a, b) => best(a.kinds) - best(b.kinds))
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
