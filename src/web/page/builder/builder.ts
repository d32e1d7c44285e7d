/** A file that is being written, as a flow of cards: what is picked is changed by a form, in the same text. */
import { html } from 'htm/preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import {
  copyStep,
  type Fix,
  type Lane,
  moveGuard,
  moveStep,
  type NodePath,
  nodePath,
  type Problem,
  removeGuard,
  removeStep,
  sketch,
} from '../../../contract/index.ts'
import { wrongIn } from '../flow/wrong.ts'
import { type Building, Site } from './building.ts'
import { Cards } from './cards.ts'
import { getNames, NO_NAMES, type SiteNames } from './names.ts'
import { Panel } from './panel.ts'
import { arrived, isInside, laneOf, stepsOf } from './where.ts'
import { say } from './words.ts'

export interface BuilderProps {
  text: string
  /** Null: not looked yet. */
  problems: readonly Problem[] | null
  /** The text as it is at this moment, drawn or not. */
  live(): string
  /** The text becomes that, as one step that can be undone. */
  change(text: string): void
  fix(fix: Fix): void
  undo(): void
  /** To where it stands in the text. */
  toText(path: string): void
}

const WIDE = '(min-width: 900px)'

export function Builder({ text, problems, live, change, fix, undo, toText }: BuilderProps) {
  const workflow = useMemo(() => sketch(text), [text])
  const [names, setNames] = useState<SiteNames>(NO_NAMES)
  const [picked, setPicked] = useState<string | null>(null)
  const [moving, setMoving] = useState<NodePath | null>(null)
  const [gone, setGone] = useState<{ what: string; text: string } | null>(null)
  const [problem, setProblem] = useState('')
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches)
  /** What is focused once it is drawn. */
  const next = useRef<string | null>(null)
  /** The panel that opens next leaves the focus where it is. */
  const quiet = useRef(false)
  useEffect(() => {
    getNames().then(setNames, () => undefined)
    const query = matchMedia(WIDE)
    const look = () => setWide(query.matches)
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [])
  useEffect(() => {
    if (next.current === null) return
    document.querySelector<HTMLElement>(`[data-node=${JSON.stringify(next.current)}]`)?.focus()
    next.current = null
  })
  if (!workflow) return html`<p class="hint">${say('builder.mend')}</p>`

  const edit = (by: (text: string) => string | null, what?: string) => {
    const now = live()
    const made = by(now)
    setProblem(made === null ? say('builder.cannot') : '')
    setGone(made !== null && what !== undefined ? { what, text: made } : null)
    if (made !== null && made !== now) change(made)
    return made !== null
  }
  const pick = (node: string | null) => {
    if (node === null) next.current = picked
    setProblem('')
    setPicked(node)
  }
  /** A card that went stays focused, unless it was sent from its panel: that is focused then. */
  const arrive = (node: string) => {
    if (picked !== null) setPicked(node)
    if (document.activeElement?.closest('.panel')) return
    next.current = node
    quiet.current = picked !== null
  }
  const moved = (path: NodePath, lane: Lane, index: number) => {
    if (!edit(now => moveStep(now, path, lane, index))) return
    const there = arrived(path, lane, index)
    arrive(there)
  }
  const building: Building = {
    ...{ quiet, workflow, names, picked, pick, moving, move: setMoving, edit, fix, toText, wide },
    wrong: wrongIn(workflow, problems ?? []),
    put: (lane, index) => {
      if (moving === null || isInside(lane, moving)) return
      setMoving(null)
      moved(moving, lane, index)
    },
    shift: (path, by) => {
      const guard = /^if\[(\d+)\]$/.exec(path)
      if (guard) {
        const at = Number(guard[1])
        if (at + by < 0 || at + by >= workflow.if.length) return
        if (!edit(now => moveGuard(now, at, by < 0 ? at - 1 : at + 2))) return
        arrive(`if[${at + by}]`)
        return
      }
      const lane = laneOf(workflow, path)
      if (!lane) return
      const to = by < 0 ? lane.index - 1 : lane.index + 2
      if (to >= 0 && to <= stepsOf(workflow, lane).length) moved(path, lane, to)
    },
    copy: path => {
      const lane = laneOf(workflow, path)
      if (!lane || !edit(now => copyStep(now, path))) return
      setPicked(nodePath(lane.parent, lane.outcome, lane.index + 1))
    },
    remove: node => {
      const guard = /^if\[(\d+)\]$/.exec(node)
      const by = (now: string) => (guard ? removeGuard(now, Number(guard[1])) : removeStep(now, node))
      if (edit(by, say(guard ? 'gone.guard' : 'gone.step'))) setPicked(null)
    },
  }
  const panel = html`<${Panel} key=${picked === 'when' ? `when ${workflow.when.kind}` : picked} problem=${problem} />`
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || moving === null) return
    next.current = moving
    setMoving(null)
  }
  return html`
    <${Site.Provider} value=${building}>
      <div class=${`builder ${picked && wide ? 'picking' : ''} ${moving ? 'moving' : ''}`} onKeyDown=${leave}>
        <div class="builder-flow">
          ${
            moving !== null &&
            html`<p class="builder-bar" role="status">
              ${say('move.where')}
              <button type="button" onClick=${() => setMoving(null)}>${say('move.cancel')}</button>
            </p>`
          }
          <${Cards} panel=${panel} />
          ${problem && picked === null && html`<p class="problem" role="alert">${problem}</p>`}
        </div>
        ${picked !== null && wide && panel}
      </div>
      <div role="status" class="builder-said">
        ${
          gone?.text === text &&
          html`<p class="builder-bar">
            ${gone.what}
            <button type="button" onClick=${undo}>${say('gone.undo')}</button>
          </p>`
        }
      </div>
    </${Site.Provider}>
  `
}
