import { html } from 'htm/preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { markRun, type RunView, settleRun, stopRun } from './api.ts'
import { Clips } from './clip.ts'
import { Drawn } from './drawn.ts'
import { getFile } from './files.ts'
import { Ask } from './inbox.ts'
import { count, t } from './language.ts'
import { Later } from './later.ts'
import { Mark } from './mark.ts'
import { Barred, useMay } from './may.ts'
import { Pictures } from './picture.ts'
import { headline } from './runs.ts'
import { said } from './said.ts'
import type { State, Store } from './state.ts'
import { Steps } from './steps.ts'
import { Trail } from './trail.ts'
import { clock, decides, gist, runStatus, stepKind, took, trigger } from './words.ts'

/** One run: its picture, what it came to, and every step on the way. */
export function RunPage({ id, store, state }: { id: number; store: Store; state: State }) {
  const run = state.details.get(id)
  const known = useMemo(() => state.runs.map(it => it.id), [state.runs])
  const [problem, setProblem] = useState('')
  const [stopping, setStopping] = useState(false)
  const manages = useMay('manage')
  // The first telling is not news: the run was asked for at the same time.
  const anew = Math.max(state.told, 1)

  useEffect(() => {
    if (anew) store.load(id).catch((error: Error) => setProblem(error.message))
  }, [id, anew, store])

  const title = run ? headline({ decision: decisionOf(run), workflow: run.workflow }) : t('run.title', { id })
  useEffect(() => {
    document.title = `${title} · Gatehouse`
  }, [title])

  if (!run)
    return html`
      <${Back} id=${id} known=${known} />
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : html`<p class="none">${t('app.loading')}</p>`}
    `

  const act = (doing: Promise<RunView>) => {
    setProblem('')
    return doing.then(
      view => store.keep(view),
      (error: Error) => setProblem(error.message),
    )
  }
  const stop = () => {
    setStopping(true)
    act(stopRun(id)).finally(() => setStopping(false))
  }
  const camera = state.runs.find(it => it.id === id)?.camera
  const ms = run.ended_at === null ? null : Date.parse(run.ended_at) - Date.parse(run.started_at)
  const reason = reasonOf(run)
  return html`
    <${Back} id=${id} known=${known} />
    <article class=${run.pictures.length ? 'trace' : 'workflow'}>
      ${run.pictures.length > 0 && html`<${Pictures} run=${run} />`}
      <div class="story">
        <h1>${title}</h1>
        ${reason && html`<p class="lead">${said(reason)}</p>`}
        <p class="meta">
          <span class=${`tag ${run.status}`}>${runStatus(run.status)}</span>
          ${run.state === 'test' && html`<span class="tag test">${t('state.test')}</span>`}
          <time datetime=${run.started_at}>${clock(run.started_at, state.zone)}</time>
          ${ms !== null && html`<span>${took(ms)}</span>`}
          ${camera && html`<span>${camera}</span>`}
          <a href=${`/workflows/${run.workflow.id}`}>${run.workflow.name}</a>
        </p>
        ${run.state === 'test' && html`<p class="hint">${t('run.hint_test')}</p>`}
        ${run.note && html`<p class="hint">${run.note}</p>`}
        ${run.error && html`<p class="problem">${said(run.error)}</p>`}
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        ${run.steps
          .filter(({ status }) => status === 'unknown')
          .map(
            ({ seq, kind, inputs }) => html`
              <${Settle}
                key=${seq}
                what=${[stepKind(kind), gist(inputs)].filter(Boolean).join(': ')}
                act=${(happened: boolean) => act(settleRun(id, happened, seq))}
              />
            `,
          )}
        ${state.questions
          .filter(it => it.run === id && it.status === 'open')
          .map(it => html`<${Ask} key=${it.id} question=${it} store=${store} linked=${false} />`)}
        ${
          (run.status === 'running' || run.status === 'waiting') &&
          (stopping || run.stopping
            ? html`<p class="hint" role="status">${t('run.stopping')}</p>`
            : manages && html`<p><button type="button" onClick=${stop}>${t('run.stop')}</button></p>`)
        }
        ${run.ended_at !== null && run.steps.some(({ kind }) => kind === 'ai' || kind === 'call') && html`<${Mark} run=${run} mark=${(right: boolean) => act(markRun(id, right))} />`}
        ${
          manages &&
          run.ended_at !== null &&
          run.steps.some(({ kind, outcome }) => kind === 'ai' && outcome !== null) &&
          html`<${Later}
            title=${t('case.make')}
            load=${() => import('./cases/index.ts').then(part => part.MakeCase)}
            of=${{ run }}
          />`
        }
        ${run.clips.length > 0 && html`<${Clips} run=${run} zone=${state.zone} />`}
        <h2>${t('run.steps')}</h2>
        <p class="meta start">
          ${trigger(run.trigger.kind)}${run.seen_again > 0 && count('run.seen_again', run.seen_again)}
        </p>
        <${Steps} steps=${run.steps} zone=${state.zone} />
        <${Drawn}
          title=${t('flow.path')}
          of=${`${run.workflow.id} ${run.version}`}
          get=${() => getFile(run.workflow.id, run.version)}
          steps=${run.steps}
        />
        <details>
          <summary>${t('run.raw')}</summary>
          <pre tabindex="0">${JSON.stringify({ event: run.trigger.event, values: run.values }, null, 2)}</pre>
        </details>
      </div>
    </article>
  `
}

function Back({ id, known }: { id: number; known: readonly number[] }) {
  return html`<p class="back"><a href="/runs">‹ ${t('run.back')}</a> <${Trail} id=${id} known=${known} /></p>`
}

function Settle({ what, act }: { what: string; act(happened: boolean): void }) {
  const may = useMay('approve')
  return html`
    <div class="attention">
      <p><strong>${t('run.did_it')}</strong> ${what}. ${t('run.did_it_why')}</p>
      ${
        may &&
        html`<button type="button" onClick=${() => act(true)}>${t('told.happened')}</button>
          <button type="button" onClick=${() => act(false)}>${t('told.not_happened')}</button>`
      }
      <${Barred} from="approve" />
    </div>
  `
}

/** The last decision, as the list of runs names it. */
function decisionOf(run: RunView): string | null {
  return run.steps.filter(decides).at(-1)?.outcome ?? run.steps.at(-1)?.outcome ?? null
}

function reasonOf(run: RunView): string | null {
  const given = run.steps.filter(({ reason }) => reason)
  return (given.filter(decides).at(-1) ?? given.at(-1))?.reason ?? null
}
