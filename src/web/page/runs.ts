import { html } from 'htm/preact'
import type { RunSummary } from './api.ts'
import { t, term } from './language.ts'
import { said } from './said.ts'
import { Thumb } from './thumb.ts'
import { setTrail } from './trail.ts'
import { clock, label, runStatus } from './words.ts'

/** Runs, newest first; `named`: with the name of their workflow. */
export function Runs({ runs, zone, named }: { runs: readonly RunSummary[]; zone: string; named: boolean }) {
  const open = () => setTrail(runs.map(({ id }) => id))
  return html`
    <ol class="runs">
      ${runs.map(run => html`<li key=${run.id}><${Line} run=${run} zone=${zone} named=${named} open=${open} /></li>`)}
    </ol>
  `
}

function Line({ run, zone, named, open }: { run: RunSummary; zone: string; named: boolean; open(): void }) {
  return html`
    <a class="run" href=${`/runs/${run.id}`} onClick=${open}>
      <${Thumb} key=${run.picture} media=${run.picture} />
      <span class="what">
        <span class="headline">
          <strong class=${run.decision === 'unsure' ? 'unsure' : ''}>${headline(run)}</strong>
          ${run.state === 'test' && html`<span class="tag test">${t('state.test')}</span>`}
          ${run.status !== 'done' && html`<span class=${`tag ${run.status}`}>${runStatus(run.status)}</span>`}
        </span>
        ${run.reason && html`<span class="reason">${said(run.reason)}</span>`}
        <span class="meta">
          <time datetime=${run.started_at}>${clock(run.started_at, zone)}</time>
          ${run.camera && html`<span>${run.camera}</span>`} ${named && run.decision && html`<span>${run.workflow.name}</span>`}
        </span>
      </span>
    </a>
  `
}

/** What a run came to, in a word or two; where nothing was decided, what ran. */
export function headline({ decision, workflow }: Pick<RunSummary, 'decision' | 'workflow'>): string {
  return decision ? (term('decision', decision) ?? label(decision)) : workflow.name
}
