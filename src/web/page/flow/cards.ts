/** A workflow as a vertical flow of cards: what starts it, what keeps it out, its steps with a lane per outcome. */
import { html } from 'htm/preact'
import { keyPath, nodePath, type Problem, type Step, type Workflow } from '../../../contract/index.ts'
import type { StepView } from '../api.ts'
import { t } from '../language.ts'
import { stepKind, stepStatus, trigger } from '../words.ts'
import { conditionSays, laneName, stepSays, triggerSays } from './says.ts'
import { type Taken, wentAlong } from './taken.ts'
import { wrongIn } from './wrong.ts'

export interface FlowProps {
  workflow: Workflow
  /** Of a run: the path that it took is lit. */
  taken?: Taken | null
  /** What is wrong is said on its card. */
  problems?: readonly Problem[]
  /** Cards can be picked. */
  pick?(node: string): void
  picked?: string | null
}

type Shared = Pick<FlowProps, 'pick' | 'picked'> & {
  taken: Taken | null
  wrong: ReadonlyMap<string, readonly Problem[]>
}

export function Cards({ workflow, taken = null, problems = [], ...rest }: FlowProps) {
  const { when, always } = workflow
  const shared: Shared = { taken, wrong: wrongIn(workflow, problems), ...rest }
  return html`
    <ol class="flow">
      <li>
        <${Card} shared=${shared} node="when" lit=${taken !== null} name=${trigger(when.kind)} says=${triggerSays(when)} />
      </li>
      ${workflow.if.map(
        (condition, i) => html`
          <li key=${`if ${i}`}>
            <${Card} shared=${shared} node=${`if[${i}]`} lit=${taken !== null} name=${t('flow.only_if')} says=${conditionSays(condition)} />
          </li>
        `,
      )}
      <${Steps} steps=${workflow.then} parent="" outcome="then" shared=${shared} />
      ${
        always.length > 0 &&
        html`<li class="lane always">
          <p class="lane-name">${t('flow.always')}</p>
          <ol class="flow"><${Steps} steps=${always} parent="" outcome="always" shared=${shared} /></ol>
        </li>`
      }
    </ol>
  `
}

interface StepsProps {
  steps: readonly Step[]
  parent: string
  outcome: string
  shared: Shared
}

function Steps({ steps, parent, outcome, shared }: StepsProps) {
  return html`${steps.map((step, i) => {
    const path = nodePath(parent, outcome, i)
    const status = shared.taken?.steps.get(path)
    const lanes = Object.entries(step.paths)
    return html`
      <li key=${path}>
        <${Card} shared=${shared} node=${path} lit=${status !== undefined} status=${status} name=${stepKind(step.kind)} says=${stepSays(step)} />
        ${
          lanes.length > 0 &&
          html`<ul class="lanes">
            ${lanes.map(([name, inner]) => html`<${Lane} key=${name} step=${step} path=${path} outcome=${name} inner=${inner} shared=${shared} />`)}
          </ul>`
        }
      </li>
    `
  })}`
}

interface LaneProps {
  step: Step
  path: string
  outcome: string
  inner: readonly Step[]
  shared: Shared
}

function Lane({ step, path, outcome, inner, shared }: LaneProps) {
  const { taken } = shared
  const lit = taken !== null && wentAlong(taken, path, outcome, keyPath(path, outcome))
  return html`
    <li class=${`lane ${lit ? 'lit' : ''}`}>
      <p class="lane-name">
        ${laneName(step, outcome)}${lit && html`<span class="unseen"> ${t('flow.taken')}</span>`}
      </p>
      ${
        inner.length
          ? html`<ol class="flow"><${Steps} steps=${inner} parent=${path} outcome=${outcome} shared=${shared} /></ol>`
          : html`<p class="meta">${t('flow.nothing')}</p>`
      }
    </li>
  `
}

interface CardProps {
  node: string
  shared: Shared
  name: string
  says: string
  lit: boolean
  status?: StepView['status'] | undefined
}

function Card({ node, shared: { pick, picked, wrong }, name, says, lit, status }: CardProps) {
  const here = wrong.get(node) ?? []
  const severity = here.find(it => it.severity === 'error')?.severity ?? here[0]?.severity
  const inside = html`
    <span>
      <strong>${name}</strong>
      ${lit && html`<span class="unseen"> ${t('flow.taken')}</span>`}
      ${status && status !== 'done' && html` <span class=${`tag ${status}`}>${stepStatus(status)}</span>`}
      ${severity && html` <span class=${`tag ${severity === 'error' ? 'failed' : 'waiting'}`}>${t(`editor.${severity}`)}</span>`}
    </span>
    ${says && html`<span class="line">${says}</span>`}
  `
  if (!pick) return html`<div class=${`flow-card ${lit ? 'lit' : ''}`}>${inside}</div>`
  return html`
    <button type="button" class="flow-card" aria-pressed=${picked === node} onClick=${() => pick(node)}>${inside}</button>
  `
}
