import { html } from 'htm/preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { UpdatesView } from '../ports.ts'
import { ask, post } from './api.ts'
import { t, term } from './language.ts'
import { Who } from './may.ts'
import { said as inWords } from './said.ts'
import { useKnows } from './together.ts'
import { clock } from './words.ts'

/** How often it is asked how an update stands, and for how long one that was asked for is waited for. */
const LOOK_MS = 2_000
const PATIENCE_MS = 5 * 60_000

type What = 'check' | 'install'

/** Which release runs, which one there is, and what came of the last update; whoever may can start one. */
export function Updates({ zone }: { zone: string }) {
  const [view, setView] = useState<UpdatesView | null>(null)
  const [asked, setAsked] = useState<{ what: What; at: number; before: string } | null>(null)
  const [problem, setProblem] = useState('')
  const [confirming, setConfirming] = useState(false)
  const manages = useContext(Who).may.includes('system.manage')
  useKnows(view !== null || problem !== '')
  const waits = asked !== null || (view !== null && view.underway !== null)

  useEffect(() => {
    ask<UpdatesView>('/system/update').then(setView, (error: Error) => setProblem(error.message))
  }, [])
  useEffect(() => {
    if (!waits) return
    const timer = window.setInterval(() => {
      // The box is away while it is restarted: that is no news.
      ask<UpdatesView>('/system/update').then(setView, () => undefined)
      setAsked(now => (now && Date.now() - now.at > PATIENCE_MS ? null : now))
    }, LOOK_MS)
    return () => window.clearInterval(timer)
  }, [waits])
  useEffect(() => {
    if (asked && view && !view.underway && stampOf(view) !== asked.before) setAsked(null)
  }, [view, asked])

  const start = async (what: What) => {
    setProblem('')
    setConfirming(false)
    setAsked({ what, at: Date.now(), before: view ? stampOf(view) : '' })
    try {
      setView(await ask<UpdatesView>('/system/update', post({ do: what })))
    } catch (error) {
      setAsked(null)
      setProblem((error as Error).message)
    }
  }
  if (!view) return problem ? html`<p class="problem" role="alert">${problem}</p>` : null
  const { installed, available, last } = view
  return html`
    <section aria-labelledby="updates">
      <h2 id="updates">${t('update.title')}</h2>
      <dl class="facts rows">
        <div><dt>${t('update.installed')}</dt><dd>${installed}</dd></div>
        <div><dt>${t('update.newer')}</dt><dd>${newerOf(view, zone)}</dd></div>
        <div><dt>${t('update.source')}</dt><dd>${sourceOf(view)}</dd></div>
        ${last && html`<div><dt>${t('update.last')}</dt><dd><${LastOne} last=${last} zone=${zone} /></dd></div>`}
      </dl>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${
        manages &&
        view.not_here === null &&
        view.source !== null &&
        html`<p class="choices">
          ${
            available &&
            html`<button type="button" class="main" disabled=${waits} onClick=${() => setConfirming(true)}>
              ${t('update.install', { version: available.version })}
            </button>`
          }
          <button type="button" disabled=${waits} onClick=${() => start('check')}>${t('update.look')}</button>
        </p>`
      }
      <div class="under-way" role="status">${waits && html`<${UnderWay} view=${view} what=${asked?.what ?? 'install'} />`}</div>
      ${
        confirming &&
        available &&
        html`<${Confirm} version=${available.version} notes=${available.notes} go=${() => start('install')} done=${() => setConfirming(false)} />`
      }
    </section>
  `
}

/** Changes when something came of what was asked for. */
const stampOf = ({ checked_at, last }: UpdatesView): string => `${checked_at} ${last?.at}`

function newerOf({ available, checked_at, problem }: UpdatesView, zone: string): string {
  if (problem) return t('update.problem', { why: inWords(problem) })
  if (available) return [available.version, available.notes].filter(Boolean).join(': ')
  return checked_at ? t('update.none', { at: clock(checked_at, zone) }) : t('update.not_looked')
}

function sourceOf({ source, auto, not_here }: UpdatesView): string {
  if (not_here !== null) return t('update.not_here')
  if (source === null) return t('update.no_source')
  return `${source}, ${auto === null ? t('update.by_hand') : t('update.nightly', { at: auto })}`
}

function LastOne({
  last: { outcome, to, at, why },
  zone,
}: {
  last: NonNullable<UpdatesView['last']>
  zone: string
}) {
  const said = t(`update.${outcome}`, { version: plain(to), at: clock(at, zone) })
  return html`
    <span class=${outcome === 'done' ? '' : 'unsure'}>${said}</span>
    ${why && html`<span class="meta">${inWords(why)}</span>`}
  `
}

function UnderWay({ view: { underway }, what }: { view: UpdatesView; what: What }) {
  const words = underway
    ? (term('update', `step_${underway.step}`) ?? underway.step)
    : t(what === 'check' ? 'update.looking' : 'update.asked')
  const known = underway?.step === 'fetching'
  return html`
    <label>
      <span>${underway ? `${plain(underway.to)}: ${words}` : words}</span>
      ${known ? html`<progress max="100" value=${underway.percent}></progress>` : html`<progress></progress>`}
    </label>
  `
}

interface Confirming {
  version: string
  notes: string | null
  go(): void
  done(): void
}

/** Asks before it begins: what will happen, and for how long the box is away. */
function Confirm({ version, notes, go, done }: Confirming) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return html`
    <dialog ref=${dialog} class="ask-live update-to" aria-labelledby="update-to" onClose=${done}>
      <h2 id="update-to">${t('update.confirm', { version })}</h2>
      ${notes && html`<p>${notes}</p>`}
      <p>${t('update.what')}</p>
      <p>${t('update.back')}</p>
      <p class="choices">
        <button type="button" class="main" onClick=${go}>${t('update.go')}</button>
        <button type="button" onClick=${() => dialog.current?.close()}>${t('live.no')}</button>
      </p>
    </dialog>
  `
}

/** `0.2.0-linux-x64` is `0.2.0` to people. */
const plain = (name: string | null): string => name?.replace(/-linux-[a-z0-9-]+$/, '') ?? '–'
