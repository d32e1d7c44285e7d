import { html } from 'htm/preact'
import { useMemo, useState } from 'preact/hooks'
import { Field } from '../field.ts'
import type { ByEntry } from './list.ts'
import { say, sayCount } from './words.ts'

/** Shown at once: whoever looks for one types it. */
const PAGE = 100
/** As many as a list takes. */
const MOST = 10_000
const LONGEST = 500

interface EntriesProps {
  list: ByEntry
  /** As it is in force. */
  base: ByEntry
  set(list: ByEntry): void
}

/** What people type of a plate or a name: without case, spaces and dashes. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s._-]+/g, '')

/** The entries of a list: looked for, added, noted, taken off. */
export function Entries({ list, base, set }: EntriesProps) {
  const [wanted, setWanted] = useState('')
  const [shown, setShown] = useState(PAGE)
  const all = useMemo(() => {
    const keys = Object.keys(list)
    // What was just added is seen at once.
    const fresh = keys.filter(key => !Object.hasOwn(base, key))
    return [...fresh.reverse(), ...keys.filter(key => Object.hasOwn(base, key))].map(key => ({
      key,
      text: plain(`${key.slice(1)} ${list[key]}`),
    }))
  }, [list, base])
  const sought = plain(wanted)
  const found = useMemo(() => (sought ? all.filter(({ text }) => text.includes(sought)) : all), [all, sought])
  const look = (text: string) => {
    setWanted(text)
    setShown(PAGE)
  }
  const without = (key: string) => {
    const { [key]: _, ...rest } = list
    set(rest)
  }
  return html`
    <${Add} list=${list} set=${set} />
    <label class="field">
      <span>${say('lists.search')}</span>
      <input type="search" value=${wanted} autocomplete="off" spellcheck=${false}
        onInput=${(event: Event) => look((event.target as HTMLInputElement).value)} />
    </label>
    <p class="meta" role="status">${sought && sayCount('lists.found', found.length)}</p>
    ${!all.length && html`<p class="none">${say('lists.empty')}</p>`}
    <ul class="list-entries">
      ${found.slice(0, shown).map(
        ({ key }) => html`
          <${Line}
            key=${key}
            name=${key.slice(1)}
            note=${list[key] ?? ''}
            fresh=${!Object.hasOwn(base, key)}
            remove=${() => without(key)}
            setNote=${(note: string) => set({ ...list, [key]: note })}
          />
        `,
      )}
    </ul>
    ${
      found.length > shown &&
      html`<p class="tools">
        <button type="button" onClick=${() => setShown(shown + PAGE)}>${say('lists.more', { n: PAGE })}</button>
        <span class="meta">${say('lists.shown', { n: shown, all: found.length })}</span>
      </p>`
    }
  `
}

interface LineProps {
  name: string
  note: string
  fresh: boolean
  remove(): void
  setNote(note: string): void
}

function Line({ name, note, fresh, remove, setNote }: LineProps) {
  const [text, setText] = useState<string | null>(null)
  const keep = (event: Event) => {
    event.preventDefault()
    setNote((text ?? '').trim().slice(0, LONGEST))
    setText(null)
  }
  return html`
    <li class=${fresh ? 'fresh' : ''}>
      <span>
        <strong>${name}</strong>
        ${fresh && html` <span class="tag done">${say('lists.new')}</span>`}
        ${text === null && note && html`<span class="meta">${note}</span>`}
      </span>
      ${
        text === null
          ? html`<span class="acts">
            <button type="button" aria-label=${say('lists.note_of', { name })} onClick=${() => setText(note)}>
              ${say('lists.note')}
            </button>
            <button type="button" aria-label=${say('lists.take_off_of', { name })} onClick=${remove}>
              ${say('lists.take_off')}
            </button>
          </span>`
          : html`<form class="noting" onSubmit=${keep}>
            <${Field} label=${say('lists.note_of', { name })} value=${text} set=${setText} first optional />
            <button>${say('lists.note_keep')}</button>
          </form>`
      }
    </li>
  `
}

function Add({ list, set }: Omit<EntriesProps, 'base'>) {
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const key = `=${text.trim().normalize('NFC')}`
  const isThere = Object.hasOwn(list, key)
  const isFull = Object.keys(list).length >= MOST
  const add = (event: Event) => {
    event.preventDefault()
    if (key === '=' || isThere || isFull || key.length > LONGEST) return
    set({ ...list, [key]: note.trim().slice(0, LONGEST) })
    setText('')
    setNote('')
  }
  return html`
    <form class="add-entry" onSubmit=${add}>
      <${Field} label=${say('lists.entry')} value=${text} set=${setText} />
      <${Field} label=${say('lists.note_optional')} value=${note} set=${setNote} optional />
      <button class="main" disabled=${isThere || isFull}>${say('add')}</button>
    </form>
    ${isThere && html`<p class="hint" role="status">${say('lists.there')}</p>`}
    ${isFull && html`<p class="hint">${say('lists.full', { n: MOST })}</p>`}
  `
}
