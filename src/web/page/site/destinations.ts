import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { Field } from '../field.ts'
import { t } from '../language.ts'
import { said } from '../said.ts'
import { label } from '../words.ts'
import { getRules, type InForce, type RulesView, setPart } from './api.ts'
import { Apps, Channels } from './channels.ts'
import { AddDestination, type Destined, placedAt } from './destination.ts'
import { type Editing, useEditing } from './editing.ts'
import { differing, merged } from './merge.ts'
import { Classes, From } from './parts.ts'
import { SaveBar } from './save-bar.ts'
import { TryOut } from './try-out.ts'
import { say } from './words.ts'

type Sets = Record<string, Destined>

/** What the page knows of a destination: an address, or a topic on the broker. */
interface Known {
  name: string
  class: Destined['class']
  where: string
  problem: string | null
  from: 'file' | 'page'
  in_file: boolean
}

const knownIn = ({ destinations, topics }: InForce): Known[] => [
  ...destinations.map(({ host, ...it }) => ({ ...it, where: host })),
  ...topics.map(({ topic, ...it }) => ({ ...it, where: say('dest.topic', { topic }), problem: null })),
]

/** Where workflows send something, by whom people are told, and what apps do. */
export function Section() {
  const [inForce, setInForce] = useState<InForce | null>(null)
  const at = (view: RulesView) => {
    setInForce(view.in_force)
    return { version: view.version, value: (view.set.destinations ?? {}) as unknown as Sets }
  }
  const editing = useEditing<Sets>({
    key: 'destinations',
    get: async () => at(await getRules()),
    put: async (value, version) => at(await setPart('destinations', value, version)),
  })
  const { value } = editing
  if (value === null || !inForce)
    return editing.problem
      ? html`<p class="problem" role="alert">${editing.problem}</p>`
      : html`<p class="none">${t('app.loading')}</p>`
  const known = knownIn(inForce)
  const names = [...new Set([...known.filter(it => it.in_file).map(it => it.name), ...Object.keys(value)])]
  return html`
    <section aria-labelledby="destinations">
      <h2 id="destinations">${say('section.destinations')}</h2>
      <p class="meta">${say('dest.about')}</p>
      <ul class="entries">
        ${names.map(
          name => html`
            <li key=${name}>
              <${Line} name=${name} known=${known.find(it => it.name === name) ?? null} editing=${editing} />
            </li>
          `,
        )}
      </ul>
      ${!names.length && html`<p class="none">${say('dest.none')}</p>`}
      <${AddDestination} taken=${names} add=${(name: string, set: Destined) => editing.set({ ...value, [name]: set })} />
      <${SaveBar} editing=${editing} texts=${texts} both=${merged} />
    </section>
    <${Channels} channels=${inForce.channels} />
    <${Apps} apps=${inForce.apps} />
    <section aria-labelledby="programs">
      <h2 id="programs">${t('tokens.title')}</h2>
      <p>${say('dest.programs')} <a href="/access">${t('access.title')}</a></p>
    </section>
  `
}

const texts = (theirs: Sets, mine: Sets) =>
  differing(
    theirs,
    mine,
    (name, { class: effect, url, topic }) => `${name}: ${say(`class.${effect}`)} ${url ?? topic ?? ''}`,
  )

interface LineProps {
  name: string
  known: Known | null
  editing: Editing<Sets>
}

function Line({ name, known, editing }: LineProps) {
  const value = editing.value ?? {}
  const set = Object.hasOwn(value, name) ? value[name] : undefined
  const effect = set?.class ?? (known?.from === 'file' ? known.class : null)
  const where = set?.url ?? set?.topic ?? known?.where ?? ''
  // Where only the class is set here, the site file says where it is.
  const own = set?.url ?? set?.topic ?? null
  const isSaved = JSON.stringify(set) === JSON.stringify(editing.base?.[name]) && known !== null
  const without = () => {
    const { [name]: _, ...rest } = value
    editing.set(rest)
  }
  return html`
    <span>
      <strong>${label(name)}</strong>
      <span class="meta">${where} <${From} here=${set !== undefined} /></span>
      <span class=${`meta ${effect === 'move' ? 'unsure' : ''}`}>${effect ? say(`does.${effect}`) : say('as_file')}</span>
      ${isSaved && known?.problem && html`<span class="attention">${say('dest.never', { why: said(known.problem) })}</span>`}
    </span>
    ${
      isSaved && effect && html`<${TryOut} folder="destinations" name=${name} says=${say(`try.${effect}`)} />`
    }
    <details>
      <summary>${say('change', { name: label(name) })}</summary>
      ${
        set &&
        own !== null &&
        html`<${Field}
          label=${say('dest.where')}
          value=${own}
          set=${(where: string) => editing.set({ ...value, [name]: placedAt(set, where) })}
        />`
      }
      <${Classes} effect=${effect} set=${(next: Destined['class']) => editing.set({ ...value, [name]: { ...set, class: next } })} />
      ${
        set &&
        html`<button type="button" onClick=${without}>
          ${say(known?.in_file ? 'give_back' : 'dest.remove', { name: label(name) })}
        </button>`
      }
    </details>
  `
}
