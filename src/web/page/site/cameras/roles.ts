import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { Field } from '../../field.ts'
import { getRules, say, setPart } from './api.ts'

interface RolesProps {
  id: string
  roles: readonly string[]
  saved(): Promise<void>
}

/** The roles of a camera, by which workflows name it. */
export function CameraRoles({ id, roles, saved }: RolesProps) {
  const [text, setText] = useState(roles.join(', '))
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const now = text
    .split(/[\s,]+/)
    .map(each => each.toLowerCase())
    .filter(Boolean)
  const same = now.join() === roles.join()
  const save = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    try {
      const { set, version } = await getRules()
      await setPart('camera_roles', { ...set.camera_roles, [id]: now }, version)
      await saved()
    } catch (error) {
      setProblem((error as Error).message)
    }
    setBusy(false)
  }
  return html`
    <form class="camera-roles" onSubmit=${save}>
      <${Field} label=${say('form.roles')} value=${text} set=${setText} />
      <button type="submit" disabled=${busy || same || !now.length}>${say('roles.save')}</button>
    </form>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  `
}
