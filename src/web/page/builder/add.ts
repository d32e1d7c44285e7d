/** Places where something may come, and what may come there. */
import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { addGuard, addStep, type Lane, nodePath, setTrigger } from '../../../contract/index.ts'
import { useBuilding } from './building.ts'
import { Chooser } from './chooser.ts'
import { freshCondition, freshStep, freshTrigger } from './fresh.ts'
import { GUARDS, STEPS, TRIGGERS } from './groups.ts'
import { isInside } from './where.ts'
import { say } from './words.ts'

/** Between two steps, or at the end of a path. */
export function AddStep({ lane, index }: { lane: Lane; index: number }) {
  const { names, workflow, edit, pick, moving, put } = useBuilding()
  const [open, setOpen] = useState(false)
  if (moving !== null)
    return isInside(lane, moving)
      ? null
      : html`<button type="button" class="plus here" onClick=${() => put(lane, index)}>${say('move.here')}</button>`
  const choose = (kind: string) => {
    if (edit(text => addStep(text, lane, index, freshStep(kind, names, workflow.when.kind))))
      pick(nodePath(lane.parent, lane.outcome, index))
  }
  return html`
    <button type="button" class="plus" aria-label=${say('add.step')} title=${say('add.step')} onClick=${() => setOpen(true)}>+</button>
    ${open && html`<${Chooser} title=${say('add.step')} group="step" sections=${STEPS} choose=${choose} done=${() => setOpen(false)} />`}
  `
}

/** One more condition for a run to begin. */
export function AddGuard() {
  const { names, workflow, edit, pick, moving } = useBuilding()
  const [open, setOpen] = useState(false)
  if (moving !== null) return null
  const index = workflow.if.length
  const choose = (kind: string) => {
    if (edit(text => addGuard(text, index, freshCondition(kind, names)))) pick(`if[${index}]`)
  }
  return html`
    <button type="button" class="plus words" onClick=${() => setOpen(true)}>+ ${say('add.guard')}</button>
    ${open && html`<${Chooser} title=${say('add.guard')} group="condition" sections=${GUARDS} choose=${choose} done=${() => setOpen(false)} />`}
  `
}

/** What starts it, or another one. */
export function AddTrigger({ change = false }: { change?: boolean }) {
  const { names, edit, pick } = useBuilding()
  const [open, setOpen] = useState(false)
  const choose = (kind: string) => {
    if (edit(text => setTrigger(text, kind, freshTrigger(kind, names)))) pick('when')
  }
  const title = say(change ? 'add.other_trigger' : 'add.trigger')
  return html`
    <button type="button" class=${change ? '' : 'plus words'} onClick=${() => setOpen(true)}>${change ? title : `+ ${title}`}</button>
    ${open && html`<${Chooser} title=${title} group="trigger" sections=${TRIGGERS} choose=${choose} done=${() => setOpen(false)} />`}
  `
}
