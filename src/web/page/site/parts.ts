/** Small things of which the site's screens are made. */
import { html } from 'htm/preact'
import { useId, useState } from 'preact/hooks'
import { Field } from '../field.ts'
import { say } from './words.ts'

/** Where a rule is from: set on this box, or in the site file. */
export function From({ here }: { here: boolean }) {
  return html`<span class=${`tag ${here ? 'running' : ''}`}>${say(here ? 'from.page' : 'from.file')}</span>`
}

/** Roles; null: those that the site file says, once that is saved. */
export function Tags({ names }: { names: readonly string[] | null }) {
  if (names === null) return html`<span>${say('as_file')}</span>`
  return names.length
    ? names.map(name => html`<span key=${name} class="tag">${name}</span>`)
    : html`<span>${say('people.no_role')}</span>`
}

export function Roles({ roles, set }: { roles: readonly string[]; set(roles: string[]): void }) {
  const [text, setText] = useState(roles.join(', '))
  const type = (next: string) => {
    setText(next)
    set(listOf(next))
  }
  return html`<${Field} label=${say('roles')} value=${text} set=${type} placeholder="guard, owner" optional />`
}

/** What a rule is called: `Anna Müller` → `anna_mueller`; empty where nothing is left. */
export function nameOf(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[äöüß]/g, letter => ({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' })[letter] ?? '')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9_-]+/g, '_')
  return plain
    .replace(/^[^a-z]+/, '')
    .replace(/_+$/, '')
    .slice(0, 64)
}

/** Names with commas or spaces between them, each once. */
export const listOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .map(nameOf)
      .filter(each => each !== ''),
  ),
]

const CLASSES = ['read', 'tell', 'move'] as const

interface ClassesProps {
  /** Null: none is chosen. */
  effect: (typeof CLASSES)[number] | null
  set(effect: (typeof CLASSES)[number]): void
}

/** What sending somewhere does: by that, workflows are held to the rules of moves. */
export function Classes({ effect, set }: ClassesProps) {
  const name = useId()
  return html`
    <fieldset class="classes">
      <legend>${say('dest.class')}</legend>
      ${CLASSES.map(
        each => html`
          <label key=${each}>
            <input type="radio" name=${name} checked=${each === effect} onChange=${() => set(each)} />
            <span>${say(`does.${each}`)}</span>
          </label>
        `,
      )}
    </fieldset>
  `
}
