import { html } from 'htm/preact'
import type { StepView } from './api.ts'
import { t, term } from './language.ts'
import { Later } from './later.ts'
import { said } from './said.ts'
import {
  answered,
  calling,
  clock,
  confidence,
  decides,
  gist,
  label,
  stepKind,
  stepStatus,
  took,
  unsure,
  value,
} from './words.ts'

/** The steps in the order in which they began. */
export function Steps({ steps, zone }: { steps: readonly StepView[]; zone: string }) {
  if (!steps.length) return html`<p class="none">${t('steps.none')}</p>`
  return html`
    <ol class="steps">
      ${steps.map(step => html`<li key=${step.seq} class=${step.status}><${Step} step=${step} zone=${zone} /></li>`)}
    </ol>
  `
}

function Step({ step, zone }: { step: StepView; zone: string }) {
  const line = lineOf(step)
  const said = answered(step) ?? failure(step)
  return html`
    <div class="step">
      <p class="head">
      <span class="names">
        <strong>${step.status === 'would_have' && html`<em>${t('steps.would_have')}</em>`}${stepKind(step.kind)}</strong>
        ${step.item && html`<span class="item">${step.item}</span>`}
        ${step.outcome && html`<span class="outcome">${term('decision', step.outcome) ?? label(step.outcome)}</span>`}
        ${
          !['done', 'would_have'].includes(step.status) &&
          html`<span class=${`tag ${step.status}`}>${stepStatus(step.status)}</span>`
        }
      </span>
      ${step.ms !== null && html`<span class="took">${took(step.ms)}</span>`}
    </p>
      ${line && html`<p class="line">${line}</p>`}
      ${decides(step) && html`<${Judgement} step=${step} />`}
      ${capped(step) && html`<p class="line">${capped(step)}</p>`}
      ${step.kind !== 'ai' && said && html`<p class="line">${said}</p>`}
      <${Later}
        title=${html`${t('steps.details')} · <time datetime=${step.started_at}>${clock(step.started_at, zone)}</time>`}
        load=${() => import('./details/index.ts').then(part => part.StepDetails)}
        of=${{ step }}
      />
    </div>
  `
}

function lineOf({ kind, inputs, result }: StepView): string | null {
  if (kind === 'for_each') return rounds({ inputs, result })
  return kind === 'call' ? calling(inputs) : gist(inputs)
}

/** Why an alert says less than its file asks for. */
function capped({ result }: StepView): string | null {
  const { severity, asked, capped: why } = (result ?? {}) as { [key: string]: unknown }
  return typeof why === 'string'
    ? t('steps.capped', { severity: level(severity), asked: level(asked).toLowerCase(), why: said(why) })
    : null
}

const level = (severity: unknown) => term('severity', String(severity)) ?? label(String(severity))

/** How far a loop came: `3 of 3`, and what lay beyond its most. */
function rounds({ inputs, result }: Pick<StepView, 'inputs' | 'result'>): string {
  const { items = [] } = (inputs ?? {}) as { items?: string[] }
  const { done, skipped = 0 } = (result ?? {}) as { done?: number; skipped?: number }
  const n = items.length
  const far = done === undefined ? t('steps.to_do', { n }) : t('steps.done_of', { done, n })
  return skipped ? t('steps.more_left', { far, n: skipped }) : far
}

/** Why a step came to nothing. */
function failure({ status, result }: StepView): string | null {
  if (status !== 'failed' && status !== 'unknown') return null
  const message = (result as { message?: unknown } | null)?.message
  return typeof message === 'string' ? said(message) : null
}

/** What an AI step found, how sure it was, and why it chose what it chose. */
function Judgement({ step }: { step: StepView }) {
  const fields = Object.entries(step.fields ?? {})
  return html`
    ${step.unsure_reason && html`<p class="line unsure"><strong>${unsure(step.unsure_reason)}.</strong></p>`}
    ${step.reason && html`<p class="line">${said(step.reason)}</p>`}
    <dl class="facts">
      ${fields.map(([name, found]) => html`<div key=${name}><dt>${label(name)}</dt><dd>${value(found)}</dd></div>`)}
      ${
        (step.status === 'done' || step.confidence !== null) &&
        html`<div><dt>${t('steps.confidence')}</dt><dd>${confidence(step)}</dd></div>`
      }
      ${step.rule !== null && html`<div><dt>${t('steps.decided_by')}</dt><dd>${t('steps.rule', { n: step.rule + 1 })}</dd></div>`}
    </dl>
  `
}
