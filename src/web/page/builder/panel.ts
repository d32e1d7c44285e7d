/** What a card says, as a form at its side. */
import { html } from 'htm/preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Json, renameStep, setHead, setParam, stepAt } from '../../../contract/index.ts'
import { t } from '../language.ts'
import { AddTrigger } from './add.ts'
import { type Building, useBuilding } from './building.ts'
import { ConditionForm } from './conditions.ts'
import { Form } from './form/form.ts'
import { Single } from './form/single.ts'
import { Insert } from './insert.ts'
import { Outcomes } from './outcomes.ts'
import { valuesIn } from './panel-values.ts'
import { stepName, triggerName } from './says.ts'
import { headSchema, schemaOf } from './schema.ts'
import { laneOf, stepsOf } from './where.ts'
import { say } from './words.ts'
import { hasField, Wrongs } from './wrongs.ts'

/** The picked card's. */
export function Panel({ problem }: { problem: string }) {
  const building = useBuilding()
  const { picked, pick, quiet, toText, wrong, workflow } = building
  const heading = useRef<HTMLHeadingElement>(null)
  const form = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!quiet.current) heading.current?.focus()
    quiet.current = false
  }, [])
  if (picked === null) return null
  const about = nameOf(building, picked)
  if (about === null) return null
  const all = picked === 'head' ? [] : (wrong.get(picked) ?? [])
  // The others are said at their fields.
  const here = all.filter(problem => !hasField(workflow, picked, problem))
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    // What is being typed is taken over first.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    pick(null)
  }
  const values = picked === 'head' || picked === 'when' ? [] : valuesIn(building, picked)
  return html`
    <aside class="panel" aria-labelledby="panel" ref=${form} onKeyDown=${close}>
      <h2 id="panel" ref=${heading} tabindex="-1">${about}</h2>
      ${picked.includes('[') && html`<${Moves} node=${picked} />`}
      ${here.length > 0 && html`<${Wrongs} problems=${here} />`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${picked === 'head' && html`<${Head} />`}
      ${
        picked === 'when' &&
        html`<p class="tools"><${AddTrigger} change /></p>
          <${Params} node="when" kind=${workflow.when.kind} params=${workflow.when.params} />`
      }
      ${picked.startsWith('if[') && html`<${ConditionForm} path=${picked} condition=${workflow.if[Number(/\d+/.exec(picked)?.[0])]} />`}
      ${stepAt(workflow, picked) && html`<${StepForm} path=${picked} />`}
      <${Insert} form=${form} values=${values} />
      <p class="tools">
        <button type="button" class="main" onClick=${() => pick(null)}>${say('panel.done')}</button>
        <button type="button" onClick=${() => toText(picked === 'head' ? 'name' : picked)}>${t('panel.text')}</button>
      </p>
    </aside>
  `
}

function nameOf({ workflow }: Building, node: string): string | null {
  if (node === 'head') return say('head.title')
  if (node === 'when') return triggerName(workflow.when.kind)
  const guard = /^if\[(\d+)\]$/.exec(node)
  if (guard) return workflow.if[Number(guard[1])] ? t('flow.only_if') : null
  const step = stepAt(workflow, node)
  return step ? stepName(step) : null
}

function StepForm({ path }: { path: string }) {
  const { workflow, edit } = useBuilding()
  const step = stepAt(workflow, path)
  if (!step) return null
  const { kind, params, name } = step
  return html`
    ${
      kind === 'if' || kind === 'wait_for'
        ? html`<${ConditionForm} path=${kind === 'if' ? `${path}.if` : `${path}.wait_for.until`} condition=${kind === 'if' ? params : (params as { until: unknown }).until} many=${kind === 'if'} />`
        : null
    }
    <${Outcomes} path=${path} step=${step} />
    ${kind !== 'if' && html`<${Params} node=${path} kind=${kind} params=${params} />`}
    <details class="more-of">
      <summary>${say('step.name')}</summary>
      <${Single}
        id="step-name"
        label=${say('step.name_label')}
        hint=${say('step.name_why')}
        value=${name ?? null}
        set=${(value: Json) => edit(text => renameStep(text, path, value === null ? null : slug(String(value))))}
      />
    </details>
  `
}

const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')

/** The parameters of a kind, out of its schema. */
function Params({ node, kind, params }: { node: string; kind: string; params: unknown }) {
  const { edit } = useBuilding()
  const schema = schemaOf(node === 'when' ? 'trigger' : 'step', kind)
  if (!schema) return html`<p class="meta">${say('panel.unknown')}</p>`
  const set = (at: readonly string[], value: Json) => edit(text => setParam(text, { node, kind, at }, value))
  return html`<${Form} kind=${kind} schema=${schema} value=${params} set=${set} node=${node} />`
}

function Head() {
  const { workflow, edit } = useBuilding()
  const set = (key: string) => (value: Json) => edit(text => setHead(text, [key], value))
  return html`
    <${Single} id="head-name" label=${say('head.name')} value=${workflow.name || null} set=${set('name')} />
    <${Single} id="head-description" label=${say('head.description')} value=${workflow.description ?? null} long set=${set('description')} />
    <${Form}
      kind="limits"
      node="limits"
      schema=${headSchema('limits')}
      value=${workflow.limits}
      set=${([key = '']: readonly string[], value: Json) => {
        const { [key]: _, ...others } = workflow.limits as { [key: string]: Json }
        const next = value === null ? others : { ...others, [key]: value }
        edit(text => setHead(text, ['limits'], Object.keys(next).length > 0 ? next : null))
      }}
    />
  `
}

function Moves({ node }: { node: string }) {
  const { workflow, shift, move, copy, remove, wide, pick } = useBuilding()
  const guard = /^if\[(\d+)\]$/.exec(node)
  const lane = guard ? null : laneOf(workflow, node)
  const index = guard ? Number(guard[1]) : (lane?.index ?? 0)
  const count = guard ? workflow.if.length : lane ? stepsOf(workflow, lane).length : 0
  const elsewhere = () => {
    move(node)
    if (!wide) pick(null)
  }
  return html`
    <p class="tools moves">
      <button type="button" disabled=${index === 0} onClick=${() => shift(node, -1)}>${say('move.up')}</button>
      <button type="button" disabled=${index >= count - 1} onClick=${() => shift(node, 1)}>${say('move.down')}</button>
      ${!guard && html`<button type="button" onClick=${elsewhere}>${say('move.elsewhere')}</button>`}
      ${!guard && html`<button type="button" onClick=${() => copy(node)}>${say('step.copy')}</button>`}
      <button type="button" class="danger" onClick=${() => remove(node)}>${say('step.remove')}</button>
    </p>
  `
}
