/** A workflow as a vertical flow of cards: what starts it, what keeps it out, its steps with a lane per outcome. */
import { html } from 'htm/preact'
import { keyPath, nodePath, type Step, type Workflow } from '../../../contract/index.ts'
import type { StepView } from '../api.ts'
import { t } from '../language.ts'
import { stepKind, stepStatus, trigger } from '../words.ts'
import { brief, conditionSays, laneName, stepSays } from './says.ts'
import { type Taken, wentAlong } from './taken.ts'

export interface FlowProps {
  workflow: Workflow
  /** Of a run: the path that it took is lit. */
  taken?: Taken | null
}

export function Cards({ workflow, taken = null }: FlowProps) {
  const { when, always } = workflow
  return html`
    <ol class="flow">
      <li>
        <${Card} lit=${taken !== null} name=${trigger(when.kind)} says=${brief(when.params)} />
      </li>
      ${workflow.if.map(
        (condition, i) => html`
          <li key=${`if ${i}`}>
            <${Card} lit=${taken !== null} name=${t('flow.only_if')} says=${conditionSays(condition)} />
          </li>
        `,
      )}
      <${Steps} steps=${workflow.then} parent="" outcome="then" taken=${taken} />
      ${
        always.length > 0 &&
        html`<li class="lane always">
          <p class="lane-name">${t('flow.always')}</p>
          <ol class="flow"><${Steps} steps=${always} parent="" outcome="always" taken=${taken} /></ol>
        </li>`
      }
    </ol>
  `
}

interface StepsProps {
  steps: readonly Step[]
  parent: string
  outcome: string
  taken: Taken | null
}

function Steps({ steps, parent, outcome, taken }: StepsProps) {
  return html`${steps.map((step, i) => {
    const path = nodePath(parent, outcome, i)
    const status = taken?.steps.get(path)
    const lanes = Object.entries(step.paths)
    return html`
      <li key=${path}>
        <${Card} lit=${status !== undefined} status=${status} name=${stepKind(step.kind)} says=${stepSays(step)} />
        ${
          lanes.length > 0 &&
          html`<ul class="lanes">
            ${lanes.map(([name, inner]) => html`<${Lane} key=${name} step=${step} path=${path} outcome=${name} inner=${inner} taken=${taken} />`)}
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
  taken: Taken | null
}

function Lane({ step, path, outcome, inner, taken }: LaneProps) {
  const lit = taken !== null && wentAlong(taken, path, outcome, keyPath(path, outcome))
  return html`
    <li class=${`lane ${lit ? 'lit' : ''}`}>
      <p class="lane-name">
        ${laneName(step, outcome)}${lit && html`<span class="unseen"> ${t('flow.taken')}</span>`}
      </p>
      ${
        inner.length
          ? html`<ol class="flow"><${Steps} steps=${inner} parent=${path} outcome=${outcome} taken=${taken} /></ol>`
          : html`<p class="meta">${t('flow.nothing')}</p>`
      }
    </li>
  `
}

interface CardProps {
  name: string
  says: string
  lit: boolean
  status?: StepView['status'] | undefined
}

function Card({ name, says, lit, status }: CardProps) {
  return html`
    <div class=${`flow-card ${lit ? 'lit' : ''}`}>
      <p>
        <strong>${name}</strong>
        ${lit && html`<span class="unseen"> ${t('flow.taken')}</span>`}
        ${status && status !== 'done' && html` <span class=${`tag ${status}`}>${stepStatus(status)}</span>`}
      </p>
      ${says && html`<p class="line">${says}</p>`}
    </div>
  `
}
