import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import type { WorkflowView } from './api.ts'
import { FirstSteps } from './first-steps.ts'
import { LeftOut, Snoozed } from './holds.ts'
import { Inbox } from './inbox.ts'
import { t } from './language.ts'
import { Barred, useMay, useSetsRules } from './may.ts'
import { Notices } from './notices.ts'
import { Press } from './press.ts'
import { Runs } from './runs.ts'
import { said } from './said.ts'
import type { State, Store } from './state.ts'
import { StateSwitch } from './switch.ts'
import { shortTrigger } from './words.ts'

/** Workflows and what they did, at a glance. */
export function Home({ store, state }: { store: Store; state: State }) {
  useEffect(() => {
    document.title = 'Gatehouse'
  }, [])
  const manages = useMay('manage')
  const rules = useSetsRules()
  const { workflows, runs, zone } = state
  // Nothing is laid out before all of it is known: nothing jumps.
  if (!state.told) return html`<p class="none">${t('app.loading')}</p>`
  return html`
    <div class="home">
      <h1 class="unseen">${t('home.title')}</h1>
      <${Inbox} store=${store} state=${state} />
      <${Notices} store=${store} state=${state} />
      <section class="all" aria-labelledby="workflows">
        <h2 id="workflows">${t('home.workflows')}</h2>
        ${
          workflows.length
            ? html`<ul class="workflows">
              ${workflows.map(it => html`<li key=${it.id}><${Card} workflow=${it} store=${store} zone=${zone} /></li>`)}
            </ul>`
            : manages && rules
              ? html`<${FirstSteps} />`
              : html`<p class="none">${t('home.no_workflows')}</p>`
        }
        ${manages && (workflows.length > 0 || !rules) && html`<p class="more"><a href="/workflows/new">${t('new.link')}</a></p>`}
        <${Barred} from="manage" />
      </section>
      <section aria-labelledby="runs">
        <h2 id="runs">${t('home.runs')}</h2>
        ${
          runs.length
            ? html`<${Runs} runs=${runs} zone=${zone} named />`
            : html`<p class="none">${t('home.no_runs')}</p>`
        }
        <${LeftOut} shed=${state.shed} />
        ${state.older !== null && html`<${Older} store=${store} />`}
      </section>
    </div>
  `
}

function Card({ workflow, store, zone }: { workflow: WorkflowView; store: Store; zone: string }) {
  return html`
    <div class="card">
      <div class="title">
        <a href=${`/workflows/${workflow.id}`}>${workflow.name}</a>
        <span class="meta">${shortTrigger(workflow.trigger)}</span>
      </div>
      <${StateSwitch} workflow=${workflow} store=${store} />
      <${Snoozed} workflow=${workflow} zone=${zone} />
      ${workflow.trigger === 'button' && !workflow.wants_picture && html`<${Press} workflow=${workflow} />`}
      ${workflow.needs_attention && html`<${Attention} reason=${workflow.needs_attention} />`}
    </div>
  `
}

/** Why a workflow stands still. */
export function Attention({ reason }: { reason: string }) {
  return html`<p class="attention"><strong>${t('home.attention')}</strong> ${said(reason)}</p>`
}

function Older({ store }: { store: Store }) {
  const [problem, setProblem] = useState('')
  const load = () =>
    store.loadOlder().then(
      () => setProblem(''),
      (error: Error) => setProblem(error.message),
    )
  return html`
    <p class="older"><button type="button" onClick=${load}>${t('home.older')}</button></p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  `
}
