import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { Field } from '../../field.ts'
import { go } from '../../navigate.ts'
import { said } from '../../said.ts'
import { getRules, keepPassword, type SetCamera, say, setPart, type Tried, tryCamera } from './api.ts'
import { cameraOf, type Filled, filledOf, KINDS, slugOf } from './filled.ts'
import { Found } from './found.ts'

interface FormProps {
  /** Of one that is changed; absent: it is a new one. */
  id?: string
  known?: SetCamera
  /** It is saved, or left. */
  done?(): void
}

/** A camera that is added on the box, or changed: it is asked for a picture first. */
export function CameraForm({ id, known, done }: FormProps) {
  const [it, setIt] = useState<Filled>(() => filledOf(id, known))
  const [tried, setTried] = useState<Tried | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const isNew = id === undefined
  const change = (part: Partial<Filled>) => {
    setIt({ ...it, ...part })
    setTried(null)
    setProblem('')
  }
  const field = (
    name: 'name' | 'roles' | 'folder' | 'nvr' | 'url' | 'user' | 'password',
    more: object = {},
  ) => html`
    <${Field}
      label=${say(`form.${name}`)}
      value=${it[name]}
      set=${(value: string) => change({ [name]: value })}
      ...${more}
    />
  `
  const named = id ?? slugOf(it.name)
  const doing = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem('')
    try {
      await work()
    } catch (error) {
      setProblem((error as Error).message)
    }
    setBusy(false)
  }
  const look = () =>
    doing(async () => setTried(await tryCamera(named, cameraOf(it, null), it.password || null)))
  const save = () =>
    doing(async () => {
      const { set, version, in_force: now } = await getRules()
      if (isNew && now.cameras.some(({ camera }) => camera === named))
        throw new Error(say('form.taken', { id: named }))
      const secret = it.password ? await keepPassword(it.password) : null
      await setPart('cameras', { ...set.cameras, [named]: cameraOf(it, secret) }, version)
      if (done) done()
      else go(`/site/cameras/${named}`)
    })
  const submit = (event: Event) => {
    event.preventDefault()
    if (tried) save()
    else look()
  }
  return html`
    <p class="back"><a href="/site/cameras">‹ ${say('all')}</a></p>
    <h2 class="of">${isNew ? say('add') : say('form.change', { name: it.name || named })}</h2>
    <form class="door camera-form" onSubmit=${submit}>
      ${field('name', { first: isNew })}
      ${isNew && field('roles', { optional: true, placeholder: named })}
      <label class="field">
        <span>${say('form.kind')}</span>
        <select value=${it.kind} onChange=${(event: Event) => change({ kind: (event.target as HTMLSelectElement).value as Filled['kind'] })}>
          ${KINDS.map(kind => html`<option key=${kind} value=${kind}>${say(`kind.${kind}`)}</option>`)}
        </select>
      </label>
      <p class="meta">${say(`about.${it.kind}`)}</p>
      <${Found} key=${it.kind} kind=${it.kind} take=${change} />
      ${it.kind === 'folder' && field('folder', { placeholder: 'yard' })}
      ${it.kind === 'nvr' && field('nvr', { placeholder: 'cam1' })}
      ${
        it.kind !== 'folder' &&
        it.kind !== 'nvr' &&
        html`
          ${field('url', { type: 'url', placeholder: say(`example.${it.kind}`) })}
          ${field('user', { optional: true })}
          ${field('password', { type: 'password', optional: true, autocomplete: 'new-password', placeholder: it.secret ? say('form.kept') : '' })}
        `
      }
      ${tried?.picture && html`<${Shown} picture=${tried.picture} />`}
      ${tried && !tried.works && html`<p class="problem" role="alert">${said(tried.message ?? '')}</p>`}
      ${tried?.works && html`<p role="status">${say('form.works')}</p>`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <p class="tools">
        ${
          tried
            ? html`<button type="submit" class=${tried.works ? 'main' : ''} disabled=${busy}>
                ${say(tried.works ? (isNew ? 'form.add' : 'form.save') : isNew ? 'form.add_anyway' : 'form.save_anyway')}
              </button>`
            : html`<button type="submit" class="main" disabled=${busy || !named}>
                ${say(busy ? 'form.trying' : 'form.try')}
              </button>`
        }
        ${tried && !tried.works && html`<button type="button" disabled=${busy} onClick=${look}>${say('form.again')}</button>`}
        <button type="button" onClick=${() => (done ? done() : go('/site/cameras'))}>${say('cancel')}</button>
      </p>
    </form>
  `
}

/** What the camera showed when it was tried. */
function Shown({ picture }: { picture: string }) {
  const [url] = useState(() => {
    const bytes = Uint8Array.from(atob(picture), sign => sign.charCodeAt(0))
    return URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' }))
  })
  return html`<img class="tried" src=${url} alt=${say('form.shows')} />`
}
