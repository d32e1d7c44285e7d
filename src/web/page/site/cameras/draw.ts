import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Refused } from '../../api.ts'
import { type CameraView, getRules, type Rules, say, setPart } from './api.ts'
import { Canvas } from './canvas.ts'
import { Names } from './names.ts'
import { added, type Chosen, type Drawing, type Kind, same, without } from './shapes.ts'
import { Still } from './still.ts'

const KINDS = ['zones', 'masks'] as const
const MOST_UNDONE = 100

const drawnOf = ({ zones, masks }: CameraView): Drawing => ({ zones, masks })
const viewOf = (rules: Rules, id: string) =>
  rules.in_force.cameras.find(({ camera }) => camera === id) ?? null

/** What is drawn of a camera and not saved yet outlives the page. */
const draftKey = (id: string) => `drawing ${id}`
function draftOf(id: string): Drawing | null {
  try {
    return JSON.parse(sessionStorage.getItem(draftKey(id)) ?? 'null')
  } catch {
    return null
  }
}

interface DrawProps {
  id: string
  name: string
  rules: Rules
  saved(rules: Rules): void
  looked(problem: string | null): void
}

/** Zones and masks of a camera, drawn on what it shows. */
export function Draw({ id, name, rules, saved, looked }: DrawProps) {
  const view = viewOf(rules, id)
  const [base, setBase] = useState<Drawing>(() => (view ? drawnOf(view) : { zones: {}, masks: {} }))
  const [drawing, setDrawing] = useState<Drawing>(() => draftOf(id) ?? base)
  const [before, setBefore] = useState<Drawing[]>([])
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [shot, setShot] = useState(0)
  const [problem, setProblem] = useState('')
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  const [theirs, setTheirs] = useState<Rules | null>(null)
  const version = useRef(rules.version)
  const changed = !same(drawing, base)

  useEffect(() => {
    if (changed) sessionStorage.setItem(draftKey(id), JSON.stringify(drawing))
    else sessionStorage.removeItem(draftKey(id))
    if (!changed) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [drawing, base])

  const change = (next: Drawing, on = false) => {
    if (!on) setBefore([...before.slice(-MOST_UNDONE), drawing])
    setDrawing(next)
    setSaid('')
  }
  const undo = () => {
    const last = before.at(-1)
    if (!last) return
    setBefore(before.slice(0, -1))
    setDrawing(last)
  }
  const add = (kind: Kind) => {
    const one = added(drawing, kind)
    change(one.drawing)
    setChosen(one.chosen)
  }
  const drop = (which: Chosen) => {
    change(without(drawing, which))
    if (same(which, chosen)) setChosen(null)
  }

  /** Masks first: between the two nothing is to be seen that is not to be. */
  const put = async (over: Rules) => {
    let now = over
    for (const kind of ['masks', 'zones'] as const) {
      const known = viewOf(now, id)
      if (known && same(drawnOf(known)[kind], drawing[kind])) continue
      now = await setPart(kind, { ...now.set[kind], [id]: drawing[kind] }, now.version)
      version.current = now.version
    }
    setBase(drawing)
    setTheirs(null)
    setSaid(say('draw.saved'))
    setShot(now.version)
    saved(now)
  }
  const save = async () => {
    setBusy(true)
    setProblem('')
    setSaid('')
    try {
      const now = await getRules()
      const known = viewOf(now, id)
      // What others changed of other things is no matter; of this camera it is shown first.
      if (known && !same(drawnOf(known), base) && now.version !== version.current) setTheirs(now)
      else await put(now)
    } catch (error) {
      setProblem((error as Refused).message)
    }
    setBusy(false)
  }
  /** What the site file says counts again. */
  const giveBack = async (kind: Kind) => {
    setProblem('')
    try {
      const now = await getRules()
      const { [id]: _, ...rest } = now.set[kind] ?? {}
      const next = await setPart(kind, rest, now.version)
      const known = viewOf(next, id)
      if (known) {
        setBase(drawnOf(known))
        setDrawing(drawnOf(known))
      }
      version.current = next.version
      setShot(next.version)
      setSaid(say('draw.saved'))
      saved(next)
    } catch (error) {
      setProblem((error as Refused).message)
    }
  }
  const settle = async (mine: boolean) => {
    const known = theirs && viewOf(theirs, id)
    if (!theirs || !known) return
    version.current = theirs.version
    setBase(drawnOf(known))
    setTheirs(null)
    if (mine) await put(theirs).catch((error: Error) => setProblem(error.message))
    else {
      change(drawnOf(known))
      saved(theirs)
    }
  }
  const keys = (event: KeyboardEvent) => {
    const isText = event.target instanceof HTMLInputElement
    if ((event.ctrlKey || event.metaKey) && event.key === 'z' && !event.shiftKey && !isText) {
      event.preventDefault()
      undo()
    }
  }

  return html`
    <section class="drawing" aria-labelledby="draw" onKeyDown=${keys}>
      <h2 id="draw">${say('draw.title')}</h2>
      <${Still} id=${id} name=${name} size="large" once=${shot} looked=${looked}>
        <${Canvas} drawing=${drawing} chosen=${chosen} choose=${setChosen} change=${change} />
      </${Still}>
      <p class="meta" id="corner-keys">${say(chosen ? 'draw.keys' : 'draw.choose')}</p>
      <p class="tools">
        <button type="button" onClick=${() => add('zones')}>${say('draw.add_zone')}</button>
        <button type="button" onClick=${() => add('masks')}>${say('draw.add_mask')}</button>
        <button type="button" disabled=${!before.length} onClick=${undo}>${say('draw.undo')}</button>
        <button type="button" onClick=${() => setShot(Date.now())}>${say('draw.fresh')}</button>
      </p>
      ${KINDS.map(
        kind =>
          html`
            <${Names}
              key=${kind}
              kind=${kind}
              ...${{ drawing, chosen, choose: setChosen, change, drop }}
              back=${view?.from === 'file' && view[`${kind}_from`] === 'page' && !changed ? () => giveBack(kind) : null}
            />
          `,
      )}
      ${theirs && html`<${Meanwhile} by=${theirs.by ?? ''} settle=${settle} />`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <p class="tools">
        <button type="button" class="main" disabled=${busy || !changed || theirs !== null} onClick=${save}>
          ${say('draw.save')}
        </button>
        ${changed && html`<button type="button" onClick=${() => change(base)}>${say('draw.discard')}</button>`}
        <span class="meta" role="status">${said || (changed ? say('draw.unsaved') : '')}</span>
      </p>
      ${Object.keys(drawing.masks).length > 0 && html`<p class="hint">${say('masks.before')} <a href="/site/privacy">${say('masks.forget')}</a></p>`}
    </section>
  `
}

function Meanwhile({ by, settle }: { by: string; settle(mine: boolean): void }) {
  return html`
    <div class="attention" role="alert">
      ${say('draw.meanwhile', { by })}
      <p>
        <button type="button" onClick=${() => settle(true)}>${say('draw.mine')}</button>
        <button type="button" onClick=${() => settle(false)}>${say('draw.theirs')}</button>
      </p>
    </div>
  `
}
