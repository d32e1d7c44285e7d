import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CasesOutcome } from '../../engine/index.ts'
import { type Refused, setState, type WorkflowView } from './api.ts'
import { count, t } from './language.ts'
import { judge, share } from './learned.ts'
import { useMay } from './may.ts'
import { Does, getOutline } from './outline.ts'
import { said } from './said.ts'
import type { Store } from './state.ts'

interface GoLiveProps {
  workflow: WorkflowView
  store: Store
  /** It is On, or stays as it is. */
  done(): void
}

/** Asks before a workflow goes On: what it will do, how it did so far, and what comes out differently. */
export function GoLive({ workflow, store, done }: GoLiveProps) {
  const { id, name } = workflow
  const dialog = useRef<HTMLDialogElement>(null)
  const [outline, setOutline] = useState<Awaited<ReturnType<typeof getOutline>> | null>(null)
  const [flipped, setFlipped] = useState<CasesOutcome | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const arms = useMay('arm')
  const barred = !arms && outline !== null && outline.needs_admin !== null

  useEffect(() => {
    dialog.current?.showModal()
    getOutline(id).then(setOutline, (error: Error) => setProblem(error.message))
  }, [])

  const on = async () => {
    setBusy(true)
    setProblem('')
    try {
      store.keepWorkflow(await setState(id, 'on', flipped !== null))
      dialog.current?.close()
    } catch (error) {
      const { message, code, body } = error as Refused
      setProblem(message)
      if (code === 'cases_flipped') setFlipped(body.cases as CasesOutcome)
    }
    setBusy(false)
  }

  return html`
    <dialog ref=${dialog} class="ask-live" aria-labelledby=${`live-${id}`} onClose=${done}>
      <h2 id=${`live-${id}`}>${t('live.title', { name })}</h2>
      ${outline ? html`<${Known} outline=${outline} workflow=${workflow} />` : !problem && html`<p class="meta">${t('live.looking')}</p>`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${flipped && html`<${Flipped} cases=${flipped} />`}
      <p class="choices">
        <button type="button" class=${flipped ? 'danger' : 'main'} disabled=${busy || barred || (!outline && !problem)} onClick=${on}>
          ${busy ? t('live.switching') : t(flipped ? 'live.anyway' : 'live.on')}
        </button>
        <button type="button" onClick=${() => dialog.current?.close()}>${t('live.no')}</button>
      </p>
    </dialog>
  `
}

type Known = Awaited<ReturnType<typeof getOutline>>

function Known({ outline, workflow }: { outline: Known; workflow: WorkflowView }) {
  const { runs: n, done, failed, stopped } = outline.test
  return html`
    ${outline.needs_admin && html`<p class="hint">${t('live.admin', { why: said(outline.needs_admin) })}</p>`}
    <${Does} outline=${outline} />
    <dl class="does">
      <dt>${t('live.accuracy')}</dt>
      ${
        workflow.accuracy.length
          ? workflow.accuracy.map(
              step =>
                html`<dd key=${step.path}><strong>${judge(step, workflow.accuracy)}</strong> ${share(step)}</dd>`,
            )
          : html`<dd>${t('live.no_judge')}</dd>`
      }
      <dt>${t('live.history')}</dt>
      <dd>
        ${
          n
            ? html`${count('live.runs', n, { done, failed, stopped })}${' '}
                <a href=${`/runs?workflow=${workflow.id}&state=test`}>${t('live.see_runs')}</a>`
            : t('live.never')
        }
      </dd>
    </dl>
  `
}

/** What was right and would come out differently, one by one. */
function Flipped({ cases }: { cases: CasesOutcome }) {
  const marked = cases.tried.filter(one => one.flipped && one.marked === 'right')
  const made = (cases.own?.tried ?? []).filter(one => one.flipped)
  const own = (cases.template?.tried ?? []).filter(one => one.flipped)
  return html`
    <h3>${t('live.flipped')}</h3>
    <ul class="flipped">
      ${marked.map(
        ({ event, then, now, kept_out }) => html`
          <li key=${event.id}>
            <a href=${`/runs/${event.run}`}>${t('live.marked')}</a>
            <span>${t('live.was', { then: decided(then), now: kept_out ? said(kept_out.message) : decided(now) })}</span>
            ${now?.reason && html`<span class="meta">${now.reason}</span>`}
          </li>
        `,
      )}
      ${made.map(
        one => html`
          <li key=${`case ${one.id}`}>
            ${one.run === null ? html`<strong>${t('live.case')}</strong>` : html`<a href=${`/runs/${one.run}`}>${t('live.case')}</a>`}
            <span>${t('live.should', { then: one.expected, now: one.decision ?? t('live.nothing') })}</span>
            ${one.reason && html`<span class="meta">${one.reason}</span>`}
          </li>
        `,
      )}
      ${own.map(
        one => html`
          <li key=${one.case}>
            <strong>${one.case}</strong>
            <span>${t('live.should', { then: one.expected, now: one.decision ?? t('live.nothing') })}</span>
            ${one.reason && html`<span class="meta">${one.reason}</span>`}
          </li>
        `,
      )}
    </ul>
  `
}

const decided = (one: { decision: string | null; did: string } | null): string =>
  one?.decision ?? one?.did ?? t('live.nothing')
