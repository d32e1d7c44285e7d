import { html } from 'htm/preact'
import { useContext, useState } from 'preact/hooks'
import { comeBack } from './anew.ts'
import {
  ask,
  type HoldsView,
  pauseMoves,
  post,
  releaseMove,
  snoozeWorkflow,
  type UpkeepView,
  type WorkflowView,
} from './api.ts'
import { t, term } from './language.ts'
import { Barred, useMay, useSeesAll, Who } from './may.ts'
import { said } from './said.ts'
import type { Store } from './state.ts'
import { clock, stepKind } from './words.ts'

/** Does what a button says; what the box answers against it is shown. */
function useDoing(): { problem: string; busy: boolean; doing(work: Promise<unknown>): void } {
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const doing = (work: Promise<unknown>) => {
    setProblem('')
    setBusy(true)
    work.catch((error: Error) => setProblem(error.message)).finally(() => setBusy(false))
  }
  return { problem, busy, doing }
}

/** The switch in the header: holds every move of every workflow. */
export function PauseSwitch({ store }: { store: Store }) {
  const { problem, busy, doing } = useDoing()
  const may = [useMay('manage'), useSeesAll()].every(Boolean)
  if (!may) return null
  const pause = () => doing(pauseMoves(true).then(holds => store.keepHolds(holds)))
  return html`
    <button type="button" class="quiet" disabled=${busy} title=${problem || null} onClick=${pause}>${t('holds.pause')}</button>
  `
}

/** On every view while moves are paused: who paused them, and what waits for somebody to decide. */
export function PauseBanner({ holds, store, zone }: { holds: HoldsView; store: Store; zone: string }) {
  const { problem, busy, doing } = useDoing()
  const may = [useMay('manage'), useSeesAll()].every(Boolean)
  const resume = () => doing(pauseMoves(false).then(view => store.keepHolds(view)))
  return html`
    <section class="paused" aria-labelledby="paused">
      <div>
        <p id="paused">
          <strong>${t('holds.paused')}</strong>${
            holds.by && t('holds.by', { name: holds.by })
          }${holds.since && t('holds.since', { at: clock(holds.since, zone) })}. ${t('holds.nothing')}
        </p>
        <p>${t('holds.explain')}</p>
        ${
          may
            ? html`<button type="button" disabled=${busy} onClick=${resume}>${t('holds.resume')}</button>`
            : html`<p class="meta barred">${t('may.no_resume')}</p>`
        }
      </div>
      ${
        holds.held.length > 0 &&
        html`<ul>
          ${holds.held.map(held => html`<li key=${`${held.run} ${held.step}`}><${Held} held=${held} zone=${zone} /></li>`)}
        </ul>`
      }
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </section>
  `
}

function Held({ held, zone }: { held: HoldsView['held'][number]; zone: string }) {
  const { problem, busy, doing } = useDoing()
  const may = useMay('approve')
  const decide = (go: boolean) => doing(releaseMove(held.run, go))
  const inputs = held.inputs as { to?: unknown } | null
  const to = typeof inputs === 'object' && typeof inputs?.to === 'string' ? ` ${inputs.to}` : ''
  return html`
    <p>
      <a href=${`/runs/${held.run}`}>${held.workflow.name}</a>: ${stepKind(held.kind)}<strong>${to}</strong>,
      ${t('holds.due', { since: clock(held.since, zone), until: clock(held.until, zone) })}
    </p>
    ${
      may &&
      html`<button type="button" class="main" disabled=${busy} onClick=${() => decide(true)}>${t('holds.do')}</button>
        <button type="button" disabled=${busy} onClick=${() => decide(false)}>${t('holds.do_not')}</button>`
    }
    <${Barred} from="approve" />
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  `
}

const SNOOZES = [
  { duration: '1h', words: t('holds.1h') },
  { duration: '8h', words: t('holds.8h') },
  { duration: '1d', words: t('holds.1d') },
] as const

/** Has a workflow start nothing for a while. */
export function Snooze({ workflow, store, zone }: { workflow: WorkflowView; store: Store; zone: string }) {
  const { problem, busy, doing } = useDoing()
  if (!useMay('manage')) return html`<${Snoozed} workflow=${workflow} zone=${zone} />`
  const snooze = (duration: string | null) =>
    doing(snoozeWorkflow(workflow.id, duration).then(view => store.keepWorkflow(view)))
  return html`
    ${
      isSnoozed(workflow)
        ? html`<p class="snoozed">
            <${Snoozed} workflow=${workflow} zone=${zone} />
            <button type="button" disabled=${busy} onClick=${() => snooze(null)}>${t('holds.wake')}</button>
          </p>`
        : html`<details class="snooze">
            <summary>${t('holds.snooze')}</summary>
            ${SNOOZES.map(
              ({ duration, words }) =>
                html`<button key=${duration} type="button" disabled=${busy} onClick=${() => snooze(duration)}>${words}</button>`,
            )}
          </details>`
    }
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  `
}

export function Snoozed({ workflow, zone }: { workflow: WorkflowView; zone: string }) {
  if (!isSnoozed(workflow) || workflow.snoozed_until === null) return null
  return html`<span class="tag test">${t('holds.snoozed', { at: clock(workflow.snoozed_until, zone) })}</span>`
}

function isSnoozed({ snoozed_until: until }: WorkflowView): boolean {
  return until !== null && Date.parse(until) > Date.now()
}

/** On every view while the disk is nearly full: why nothing new begins. */
export function DiskBanner({ storage }: { storage: UpkeepView }) {
  if (!storage.low) return null
  const megabytes = Math.round((storage.free_bytes ?? 0) / 1024 / 1024)
  return html`<p class="paused" role="alert"><strong>${t('holds.disk')}</strong> ${t('holds.disk_free', { n: megabytes })}</p>`
}

/** On every view while nothing runs: why, and how that ends. */
export function SafeBanner({ why }: { why: string }) {
  const { problem, busy, doing } = useDoing()
  const [leaving, setLeaving] = useState(false)
  const may = useContext(Who).may.includes('system.manage')
  const leave = () =>
    doing(
      ask('/system/safe-mode/leave', post({})).then(() => {
        setLeaving(true)
        comeBack()
      }),
    )
  return html`
    <section class="paused" aria-labelledby="safe">
      <div>
        <p id="safe"><strong>${t('safe.title')}</strong> ${said(why)}</p>
        <p role="status">${t(leaving ? 'safe.leaving' : 'safe.explain')}</p>
        ${may && !leaving && html`<button type="button" disabled=${busy} onClick=${leave}>${t('safe.leave')}</button>`}
      </div>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </section>
  `
}

/** What did not become a run since the start, by reason, the most frequent first; null: nothing was left out. */
export function LeftOut({ shed }: { shed: Readonly<Record<string, number>> }) {
  const counts = Object.entries(shed).sort((a, b) => b[1] - a[1])
  if (!counts.length) return null
  const words = counts.map(([code, n]) => `${n} × ${term('shed', code) ?? code}`).join(', ')
  return html`<p class="meta shed">${t('holds.left_out', { what: words })}</p>`
}
