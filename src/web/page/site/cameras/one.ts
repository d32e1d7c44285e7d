import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAsked } from '../../asked.ts'
import { t } from '../../language.ts'
import { useMay } from '../../may.ts'
import { go } from '../../navigate.ts'
import type { State } from '../../state.ts'
import { getCameras, getRules, type Rules, say, setPart, snoozeCamera, testCamera } from './api.ts'
import { Draw } from './draw.ts'
import { CameraForm } from './form.ts'
import { Health, useLive } from './list.ts'
import { CameraRoles } from './roles.ts'
import { Still } from './still.ts'

/** One camera: what it shows, how it is, and for whoever looks after the site what is drawn on it. */
export function CameraPage({ id, state, manages }: { id: string; state: State; manages: boolean }) {
  const { found, problem, doing } = useAsked(getCameras)
  const [rules, setRules] = useState<Rules | null>(null)
  const [refused, setRefused] = useState('')
  const [changing, setChanging] = useState(false)
  const [live, heard] = useLive()
  // Why there is no picture stands in its place: what is below stays where it is.
  const looked = (problem: string | null) => problem === null && heard(null)
  const camera = found?.find(each => each.id === id)
  const look = () => getRules().then(setRules, (error: Error) => setRefused(error.message))
  const changed = async () => {
    await doing(look())
    setChanging(false)
  }
  useEffect(() => {
    if (manages) look()
  }, [])
  const view = rules?.in_force.cameras.find(each => each.camera === id)
  const set = rules?.set.cameras?.[id]
  if (changing && set) return html`<${CameraForm} id=${id} known=${set} done=${changed} />`
  return html`
    <p class="back"><a href="/site/cameras">‹ ${say('all')}</a></p>
    <h2 class="of">${camera?.name ?? id}</h2>
    ${(problem || refused) && html`<p class="problem" role="alert">${problem || refused}</p>`}
    ${found && !camera && html`<p class="none">${say('gone')}</p>`}
    ${!found && !problem && html`<p class="none">${t('app.loading')}</p>`}
    ${
      camera &&
      (!manages || rules || refused) &&
      html`
        <${Health} camera=${{ ...camera, ...live }} state=${state} />
        <${Doings} id=${id} state=${state} manages=${manages} />
        ${manages && rules && html`<${Draw} id=${id} name=${camera.name} rules=${rules} saved=${setRules} looked=${looked} />`}
        ${!manages && html`<${Still} id=${id} name=${camera.name} size="large" looked=${looked} />`}
        ${
          view &&
          html`<section aria-labelledby="from">
            <h2 id="from">${say('from.title')}</h2>
            <dl class="facts rows">
              <div><dt>${say('from.source')}</dt><dd>${view.source ? say(`kind.${view.source.kind}`) : say('kind.events')}</dd></div>
              ${view.source && html`<div><dt>${say('from.place')}</dt><dd>${view.source.place}</dd></div>`}
              ${view.source?.user && html`<div><dt>${say('form.user')}</dt><dd>${view.source.user}</dd></div>`}
              <div><dt>${say('from.where')}</dt><dd>${say(view.from === 'page' ? 'from.page' : 'from.file')}</dd></div>
            </dl>
            <${CameraRoles} key=${camera.roles.join()} id=${id} roles=${camera.roles} saved=${changed} />
            ${
              set &&
              html`<p class="tools">
                <button type="button" onClick=${() => setChanging(true)}>${say('change')}</button>
                <${Remove} id=${id} name=${camera.name} />
              </p>`
            }
          </section>`
        }
      `
    }
  `
}

const SNOOZES = [
  ['1h', 'holds.1h'],
  ['8h', 'holds.8h'],
  ['1d', 'holds.1d'],
] as const

/** A test, and a rest for a while. */
function Doings({ id, state, manages }: { id: string; state: State; manages: boolean }) {
  const [said, setSaid] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const mayRest = useMay('manage')
  const rests = state.holds?.snoozes.some(({ kind, target }) => kind === 'camera' && target === id)
  const doing = async (work: () => Promise<string>) => {
    setBusy(true)
    setSaid('')
    setProblem('')
    try {
      setSaid(await work())
    } catch (error) {
      setProblem((error as Error).message)
    }
    setBusy(false)
  }
  const test = async () => {
    const { outcome, message } = await testCamera(id)
    if (outcome !== 'works') throw new Error(message)
    return message
  }
  const rest = (duration: string | null) => async () => {
    await snoozeCamera(id, duration)
    return ''
  }
  return html`
    <div class="tools">
      ${manages && html`<button type="button" disabled=${busy} onClick=${() => doing(test)}>${say('test')}</button>`}
      ${
        mayRest &&
        (rests
          ? html`<button type="button" disabled=${busy} onClick=${() => doing(rest(null))}>${t('holds.wake')}</button>`
          : html`<details class="snooze">
              <summary>${t('holds.snooze')}</summary>
              ${SNOOZES.map(
                ([duration, words]) =>
                  html`<button key=${duration} type="button" disabled=${busy} onClick=${() => doing(rest(duration))}>${t(words)}</button>`,
              )}
            </details>`)
      }
      <span role="status" class="meta">${said}</span>
    </div>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  `
}

/** Asks before a camera is taken away. */
function Remove({ id, name }: { id: string; name: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    setProblem('')
    try {
      const { set, version } = await getRules()
      const { [id]: _, ...cameras } = set.cameras ?? {}
      await setPart('cameras', cameras, version)
      dialog.current?.close()
      go('/site/cameras')
    } catch (error) {
      setProblem((error as Error).message)
    }
    setBusy(false)
  }
  return html`
    <button type="button" onClick=${() => dialog.current?.showModal()}>${say('remove')}</button>
    <dialog ref=${dialog} class="ask-live" aria-labelledby="remove-camera">
      <h2 id="remove-camera">${say('remove.title', { name })}</h2>
      <p>${say('remove.why')}</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <p class="choices">
        <button type="button" class="danger" disabled=${busy} onClick=${remove}>${say('remove')}</button>
        <button type="button" onClick=${() => dialog.current?.close()}>${say('cancel')}</button>
      </p>
    </dialog>
  `
}
