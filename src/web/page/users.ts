import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { ask } from './api.ts'
import { useAsked } from './asked.ts'
import { Field, Whose } from './field.ts'
import { t, term } from './language.ts'
import {
  addUser,
  changeUser,
  getUsers,
  givePassword,
  type Role,
  removeUser,
  type User,
  unlockUser,
} from './session.ts'
import { Sure } from './sure.ts'
import { clock } from './words.ts'

const ROLES: readonly [Role, string][] = [
  ['viewer', t('users.viewer')],
  ['operator', t('users.operator')],
  ['admin', t('users.admin')],
]

interface SetHere {
  in_force: { camera_roles: { camera: string; roles: string[] }[] }
}

/** What a user's cameras may be: each camera of the site, each role of one. */
const getCameras = async () => {
  const { in_force } = await ask<SetHere>('/site-rules?without=lists')
  return new Set(
    in_force.camera_roles.flatMap(({ camera, roles }) => [camera, ...roles.map(each => `role:${each}`)]),
  )
}

/** Who may sign in, and as what. */
export function Users({ zone }: { zone: string }) {
  const { found, problem, busy, doing } = useAsked(getUsers)
  const here = useAsked(getCameras)
  return html`
    <section aria-labelledby="users">
      <h2 id="users">${t('users.title')}</h2>
      <ul class="entries">
        ${(found ?? []).map(
          it =>
            html`<li key=${it.id}><${Line} user=${it} here=${here.found} busy=${busy} doing=${doing} zone=${zone} /></li>`,
        )}
      </ul>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <${Add} doing=${doing} busy=${busy} />
    </section>
  `
}

type Doing = <R>(work: Promise<R>) => Promise<R | null>

interface LineProps {
  user: User
  /** Cameras of the site and their roles; null: not known. */
  here: ReadonlySet<string> | null
  busy: boolean
  doing: Doing
  zone: string
}

function Line({ user, here, busy, doing, zone }: LineProps) {
  const { id, name, role, cameras, locked_until } = user
  const strange = here ? (cameras ?? []).filter(each => !here.has(each)) : []
  const [password, setPassword] = useState('')
  const [sure, setSure] = useState(false)
  const [seen, setSeen] = useState((cameras ?? []).join(', '))
  const give = async (event: Event) => {
    event.preventDefault()
    if ((await doing(givePassword(id, password))) !== null) setPassword('')
  }
  const bound = (event: Event) => {
    event.preventDefault()
    doing(changeUser(id, { cameras: listOf(seen) }))
  }
  return html`
    <span>
      <strong>${name}</strong>
      <span class="meta">
        ${term('role', role) ?? role}, ${cameras === null ? t('users.all_cameras') : cameras.join(', ')}
        ${locked_until && html`<span class="tag waiting">${t('users.locked', { at: clock(locked_until, zone) })}</span>`}
      </span>
    </span>
    ${
      locked_until &&
      html`<button type="button" disabled=${busy} onClick=${() => doing(unlockUser(id))}>${t('users.unlock')}</button>`
    }
    ${strange.length > 0 && html`<p class="attention">${t('users.strange', { cameras: strange.join(', ') })}</p>`}
    <details>
      <summary>${t('users.change', { name })}</summary>
      <label class="field">
        <span>${t('users.role')}</span>
        <select
          disabled=${busy}
          onChange=${(event: Event) =>
            doing(changeUser(id, { role: (event.target as HTMLSelectElement).value as Role }))}
        >
          ${ROLES.map(([each, words]) => html`<option value=${each} selected=${each === role}>${words}</option>`)}
        </select>
      </label>
      ${
        role !== 'admin' &&
        html`<form class="door" onSubmit=${bound}>
          <${Field} label=${CAMERAS} value=${seen} set=${setSeen} placeholder=${t('users.all')} optional />
          <button disabled=${busy}>${t('users.set_cameras')}</button>
        </form>`
      }
      <form class="door" onSubmit=${give}>
        <${Whose} name=${name} />
        <${Field}
          label=${t('users.new_password')}
          value=${password}
          set=${setPassword}
          type="password"
          autocomplete="new-password"
        />
        <button disabled=${busy}>${t('users.set_password')}</button>
      </form>
      <button type="button" class="danger" disabled=${busy} onClick=${() => setSure(true)}>${t('users.remove', { name })}</button>
      ${
        sure &&
        html`<${Sure}
          title=${t('users.remove_sure', { name })}
          act=${t('users.remove', { name })}
          danger
          doing=${() => removeUser(id)}
          done=${() => {
            setSure(false)
            doing(Promise.resolve())
          }}
        >
          <p>${t('users.remove_why')}</p>
        </${Sure}>`
      }
    </details>
  `
}

const CAMERAS = t('users.cameras')

/** Null for all. */
function listOf(text: string): string[] | null {
  const list = text
    .split(/[\s,]+/)
    .map(each => each.trim())
    .filter(each => each !== '')
  return list.length ? list : null
}

function Add({ doing, busy }: { doing: Doing; busy: boolean }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [seen, setSeen] = useState('')
  const [password, setPassword] = useState('')
  const add = async (event: Event) => {
    event.preventDefault()
    const cameras = role === 'admin' ? null : listOf(seen)
    if ((await doing(addUser({ name, role, cameras, password }))) === null) return
    setName('')
    setSeen('')
    setPassword('')
  }
  return html`
    <details>
      <summary>${t('users.add')}</summary>
      <form class="door" onSubmit=${add}>
        <${Field} label=${t('door.name')} value=${name} set=${setName} autocomplete="username" />
        <label class="field">
          <span>${t('users.role')}</span>
          <select onChange=${(event: Event) => setRole((event.target as HTMLSelectElement).value as Role)}>
            ${ROLES.map(([each, words]) => html`<option value=${each} selected=${each === role}>${words}</option>`)}
          </select>
        </label>
        ${
          role !== 'admin' &&
          html`<${Field} label=${CAMERAS} value=${seen} set=${setSeen} placeholder=${t('users.all')} optional />`
        }
        <${Field}
          label=${t('door.new_password')}
          value=${password}
          set=${setPassword}
          type="password"
          autocomplete="new-password"
        />
        <button class="main" disabled=${busy}>${t('users.do_add')}</button>
      </form>
    </details>
  `
}
