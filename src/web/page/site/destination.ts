import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { Field } from '../field.ts'
import { Classes, nameOf } from './parts.ts'
import { say } from './words.ts'

/** A destination as it is set on this box; what else is set of it stays as it is. */
export interface Destined {
  class: 'read' | 'tell' | 'move'
  url?: string
  topic?: string
  method?: string
}

const METHODS = ['', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const isAddress = (text: string) => /^https?:/i.test(text.trim())

/** The same destination at another place: an address by http, all else a topic. */
export function placedAt({ url: _, topic: __, ...rest }: Destined, where: string): Destined {
  const { method, ...plain } = rest
  return isAddress(where) ? { ...rest, url: where.trim() } : { ...plain, topic: where.trim() }
}

interface AddProps {
  taken: readonly string[]
  add(name: string, set: Destined): void
}

/** Another place to which workflows may send something. */
export function AddDestination({ taken, add }: AddProps) {
  const [name, setName] = useState('')
  const [where, setWhere] = useState('')
  const [effect, setEffect] = useState<Destined['class'] | null>(null)
  const [method, setMethod] = useState('')
  const key = nameOf(name)
  const takesMethod = isAddress(where)
  const isTaken = taken.includes(key)
  const submit = (event: Event) => {
    event.preventDefault()
    if (!key || isTaken || !effect) return
    add(key, placedAt({ class: effect, ...(method && { method }) }, where))
    setName('')
    setWhere('')
    setEffect(null)
    setMethod('')
  }
  return html`
    <details>
      <summary>${say('dest.add')}</summary>
      <form class="door" onSubmit=${submit}>
        <${Field} label=${say('name')} value=${name} set=${setName} />
        ${name !== '' && html`<p class="meta">${say(isTaken ? 'taken' : 'known_as', { name: key })}</p>`}
        <${Field} label=${say('dest.where')} value=${where} set=${setWhere} placeholder="https://…" />
        ${where !== '' && !takesMethod && html`<p class="meta">${say('dest.is_topic')}</p>`}
        <${Classes} effect=${effect} set=${setEffect} />
        ${
          takesMethod &&
          html`<label class="field">
            <span>${say('dest.method')}</span>
            <select onChange=${(event: Event) => setMethod((event.target as HTMLSelectElement).value)}>
              ${METHODS.map(each => html`<option key=${each} value=${each} selected=${each === method}>${each || say('dest.any')}</option>`)}
            </select>
          </label>`
        }
        <p class="meta">${say('dest.secrets')}</p>
        <button disabled=${!key || isTaken || !effect || !where.trim()}>${say('add')}</button>
      </form>
    </details>
  `
}
