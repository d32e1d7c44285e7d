import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { useAsked } from '../../asked.ts'
import { t } from '../../language.ts'
import { said } from '../../said.ts'
import type { State } from '../../state.ts'
import { clock } from '../../words.ts'
import { getCameras, type Seen, say } from './api.ts'
import { Still } from './still.ts'

interface ListProps {
  state: State
  manages: boolean
  add: string
}

/** The cameras that somebody may see: what they show now, and what is wrong with them. */
export function CameraList({ state, manages, add }: ListProps) {
  const { found, problem } = useAsked(getCameras)
  return html`
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${!found && !problem && html`<p class="none">${t('app.loading')}</p>`}
    ${found && !found.length && html`<p class="none">${say(manages ? 'none.yet' : 'none')}</p>`}
    <ul class="cameras">
      ${found?.map(camera => html`<${Line} key=${camera.id} camera=${camera} state=${state} />`)}
    </ul>
    ${manages && (found || problem) && html`<p key="add"><a class="button main" href=${add}>${say('add')}</a></p>`}
  `
}

function Line({ camera, state }: { camera: Seen; state: State }) {
  const { id, name, roles } = camera
  const [live, heard] = useLive()
  // What was wrong before is said in its lines; what is found out now in the picture's place, where nothing moves by it.
  const known = Boolean(camera.problem)
  const looked = (problem: string | null) => (known || problem === null) && heard(problem)
  return html`
    <li class="card camera">
      <${Still} id=${id} name=${name} looked=${looked} quiet=${known} />
      <div>
        <a href=${`/site/cameras/${id}`}>${name}</a>
        <span class="meta">${roles.map(role => html`<span key=${role} class="tag">${role}</span>`)}</span>
        <${Health} camera=${{ ...camera, ...live }} state=${state} />
      </div>
    </li>
  `
}

/** What a look at a camera said of it since it was listed. */
export function useLive(): [Partial<Seen>, (problem: string | null) => void] {
  const [live, setLive] = useState<Partial<Seen>>({})
  const looked = (problem: string | null) => {
    const works = { offline_since: null, last_frame_at: new Date().toISOString() }
    setLive({ problem, ...(problem === null && works) })
  }
  return [live, looked]
}

/** How a camera is, in a line or two. */
export function Health({ camera, state: { zone, holds } }: { camera: Seen; state: State }) {
  const { id, problem, last_frame_at: last, offline_since: since } = camera
  const until = holds?.snoozes.find(({ kind, target }) => kind === 'camera' && target === id)?.until
  return html`
    ${problem && html`<span class="attention">${said(problem)}</span>`}
    <span class="meta">
      ${since && html`<span>${t('box.offline_since', { at: clock(since, zone) })}</span>`}
      <span>${last ? say('last', { at: clock(last, zone) }) : say('last.never')}</span>
      ${until && html`<span class="tag test">${t('holds.snoozed', { at: clock(until, zone) })}</span>`}
    </span>
  `
}
