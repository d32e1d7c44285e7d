import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { getRules, type InForce, setPart } from './api.ts'
import { useEditing } from './editing.ts'
import { differing, merged } from './merge.ts'
import { From, Roles, Tags } from './parts.ts'
import { SaveBar } from './save-bar.ts'
import { say } from './words.ts'

type CameraRoles = Record<string, string[]>

/** Which roles the cameras bear: by these, workflows name them. */
export function CameraRoles() {
  const [known, setKnown] = useState<InForce['camera_roles']>([])
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set())
  const at = (view: Awaited<ReturnType<typeof getRules>>) => {
    setKnown(view.in_force.camera_roles)
    setAdded(new Set(view.in_force.cameras.filter(it => it.from === 'page').map(it => it.camera)))
    return { version: view.version, value: (view.set.camera_roles ?? {}) as CameraRoles }
  }
  const editing = useEditing<CameraRoles>({
    key: 'camera-roles',
    get: async () => at(await getRules()),
    put: async (value, version) => at(await setPart('camera_roles', value, version)),
  })
  const value = editing.value ?? {}
  if (editing.value === null || !known.length) return null
  const texts = (theirs: CameraRoles, mine: CameraRoles) =>
    differing(theirs, mine, (camera, roles) => `${camera}: ${roles.join(', ')}`)
  return html`
    <section aria-labelledby="camera-roles">
      <h2 id="camera-roles">${say('camera_roles.title')}</h2>
      <p class="meta">${say('camera_roles.about')}</p>
      <ul class="entries">
        ${known.map(({ camera, roles: inForce, from }) => {
          const set = Object.hasOwn(value, camera) ? value[camera] : undefined
          const roles = set ?? (from === 'file' ? inForce : null)
          const back = () => {
            const { [camera]: _, ...rest } = value
            editing.set(rest)
          }
          return html`
            <li key=${camera}>
              <span>
                <strong>${camera}</strong>
                <span class="meta">${roles || !added.has(camera) ? html`<${Tags} names=${roles} />` : say('camera_roles.added')}<${From} here=${set !== undefined || added.has(camera)} /></span>
              </span>
              <details>
                <summary>${say('change', { name: camera })}</summary>
                <${Roles} roles=${roles ?? []} set=${(next: string[]) => editing.set({ ...value, [camera]: next })} />
                ${set && html`<button type="button" onClick=${back}>${added.has(camera) ? say('camera_roles.as_added') : say('give_back', { name: camera })}</button>`}
              </details>
            </li>
          `
        })}
      </ul>
      <${SaveBar} editing=${editing} texts=${texts} both=${merged} />
    </section>
  `
}
