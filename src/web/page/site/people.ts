import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { Field } from '../field.ts'
import { t } from '../language.ts'
import { label } from '../words.ts'
import { getRules, type InForce, setPart } from './api.ts'
import { CameraRoles } from './camera-roles.ts'
import { type Editing, useEditing } from './editing.ts'
import { differing, merged } from './merge.ts'
import { From, listOf, nameOf, Roles, Tags } from './parts.ts'
import { SaveBar } from './save-bar.ts'
import { say } from './words.ts'

/** Somebody as set on this box; what else is set of them stays as it is. */
interface Person {
  roles?: string[]
}
type People = Record<string, Person>
type Known = InForce['people'][number]

/** Who there is here, with their roles, and which roles cameras bear. */
export function Section() {
  return html`<${People} /><${CameraRoles} />`
}

function People() {
  const [known, setKnown] = useState<readonly Known[]>([])
  const at = (view: Awaited<ReturnType<typeof getRules>>) => {
    setKnown(view.in_force.people)
    return { version: view.version, value: (view.set.people ?? {}) as People }
  }
  const editing = useEditing<People>({
    key: 'people',
    get: async () => at(await getRules()),
    put: async (value, version) => at(await setPart('people', value, version)),
  })
  const { value } = editing
  if (value === null)
    return editing.problem
      ? html`<p class="problem" role="alert">${editing.problem}</p>`
      : html`<p class="none">${t('app.loading')}</p>`
  const names = [...new Set([...known.filter(it => it.in_file).map(it => it.name), ...Object.keys(value)])]
  return html`
    <section aria-labelledby="people">
      <h2 id="people">${say('people.title')}</h2>
      <p class="meta">${say('people.about')}</p>
      <ul class="entries">
        ${names.map(
          name => html`
            <li key=${name}>
              <${Line} name=${name} known=${known.find(it => it.name === name) ?? null} editing=${editing} />
            </li>
          `,
        )}
      </ul>
      ${!names.length && html`<p class="none">${say('people.none')}</p>`}
      <${Add} taken=${names} add=${(name: string, set: Person) => editing.set({ ...value, [name]: set })} />
      <${SaveBar} editing=${editing} texts=${texts} both=${merged} />
    </section>
  `
}

const texts = (theirs: People, mine: People) =>
  differing(theirs, mine, (name, { roles = [] }) => `${name}: ${roles.join(', ') || say('people.no_role')}`)

interface LineProps {
  name: string
  known: Known | null
  editing: Editing<People>
}

function Line({ name, known, editing }: LineProps) {
  const value = editing.value ?? {}
  const set = Object.hasOwn(value, name) ? value[name] : undefined
  const roles = set?.roles ?? (known?.from === 'file' ? known.roles : null)
  const without = () => {
    const { [name]: _, ...rest } = value
    editing.set(rest)
  }
  return html`
    <span>
      <strong>${label(name)}</strong>
      <span class="meta">
        <${Tags} names=${roles} />
        <${From} here=${set !== undefined} />
      </span>
      <span class="meta">
        ${
          known?.told.length
            ? say('people.told', { by: known.told.map(it => it.channel).join(', ') })
            : say('people.untold')
        }
        ${known?.quiet && html`<span>${say('people.quiet', { from: known.quiet.from, to: known.quiet.to })}</span>`}
      </span>
    </span>
    <details>
      <summary>${say('change', { name: label(name) })}</summary>
      <${Roles} roles=${roles ?? []} set=${(next: string[]) => editing.set({ ...value, [name]: { ...set, roles: next } })} />
      ${
        set &&
        html`<button type="button" onClick=${without}>
          ${say(known?.in_file ? 'give_back' : 'people.remove', { name: label(name) })}
        </button>`
      }
    </details>
  `
}

function Add({ taken, add }: { taken: readonly string[]; add(name: string, set: Person): void }) {
  const [name, setName] = useState('')
  const [roles, setRoles] = useState('')
  const key = nameOf(name)
  const isTaken = taken.includes(key)
  const submit = (event: Event) => {
    event.preventDefault()
    if (!key || isTaken) return
    add(key, { roles: listOf(roles) })
    setName('')
    setRoles('')
  }
  return html`
    <details>
      <summary>${say('people.add')}</summary>
      <form class="door" onSubmit=${submit}>
        <${Field} label=${say('name')} value=${name} set=${setName} />
        ${name !== '' && html`<p class="meta">${isTaken ? say('taken', { name: key }) : say('known_as', { name: key })}</p>`}
        <${Field} label=${say('roles')} value=${roles} set=${setRoles} placeholder="guard, owner" optional />
        <button disabled=${!key || isTaken}>${say('add')}</button>
      </form>
    </details>
  `
}
