import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  getVersions,
  getWorkflow,
  type Refused,
  rollBack,
  type VersionView,
  type WorkflowView,
} from './api.ts'
import { getFile } from './files.ts'
import { t } from './language.ts'
import { judge, share } from './learned.ts'
import { useMay } from './may.ts'
import { Sides } from './sides.ts'
import type { Store } from './state.ts'
import { clock } from './words.ts'

/** Versions, newest first, each with what changed in it and the way back to it. */
export function Versions({ workflow, store, zone }: { workflow: WorkflowView; store: Store; zone: string }) {
  const { id, version } = workflow
  const [versions, setVersions] = useState<VersionView[] | null>(null)
  const [open, setOpen] = useState(false)
  const [problem, setProblem] = useState('')
  const [to, setTo] = useState<VersionView | null>(null)
  const manages = useMay('manage')

  useEffect(() => {
    if (open)
      Promise.all([getVersions(id), import('./changed/index.ts')]).then(
        ([all, { changed }]) =>
          setVersions(all.versions.map(it => ({ ...it, change: it.change && changed(it.change) }))),
        (error: Error) => setProblem(error.message),
      )
  }, [id, version, open, workflow.accuracy])

  const now = versions?.find(it => it.in_force)
  return html`
    <details class="versions" onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>${t('learned.versions')}</summary>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${
        versions &&
        html`<ol>
          ${versions.map(
            (it, i) => html`
              <li key=${it.number}>
                <div>
                  <strong>${t('learned.version', { n: it.number })}</strong>
                  ${it.in_force && html`${' '}<span class="tag done">${t('learned.in_force')}</span>`}
                  <span class="meta"><time datetime=${it.at}>${clock(it.at, zone)}</time>${it.by && html`<span>${it.by}</span>`}</span>
                  ${it.change && html`<p>${it.change}</p>`}
                  <${Shares} of=${it} />
                </div>
                ${
                  manages &&
                  !it.in_force &&
                  html`<button type="button" aria-label=${t('learned.back_to', { n: it.number })} onClick=${() => setTo(it)}>
                    ${t('learned.back')}
                  </button>`
                }
                ${versions[i + 1] && html`<${WhatChanged} id=${id} before=${versions[i + 1]} after=${it} />`}
              </li>
            `,
          )}
        </ol>`
      }
    </details>
    ${to && now && html`<${Back} id=${id} now=${now} to=${to} store=${store} done=${() => setTo(null)} />`}
  `
}

function Shares({ of }: { of: VersionView }) {
  return html`${of.accuracy.map(step => {
    const called = judge(step, of.accuracy)
    return html`<p key=${step.path} class="meta">${called !== null && `${called}: `}${share(step)}</p>`
  })}`
}

interface Pair {
  id: number
  before: VersionView
  after: VersionView
}

function WhatChanged(pair: Pair) {
  const [open, setOpen] = useState(false)
  return html`
    <details
      class="what-changed"
      onToggle=${(event: Event) => {
        event.stopPropagation()
        setOpen((event.target as HTMLDetailsElement).open)
      }}
    >
      <summary>${t('versions.what', { n: pair.before.number })}</summary>
      ${open && html`<${Between} ...${pair} />`}
    </details>
  `
}

/** What differs between two versions, and how often each was right. */
function Between({ id, before, after }: Pair) {
  const [files, setFiles] = useState<[string, string] | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    Promise.all([getFile(id, before.number), getFile(id, after.number)]).then(setFiles, (error: Error) =>
      setProblem(error.message),
    )
  }, [id, before.number, after.number])
  if (problem) return html`<p class="problem" role="alert">${problem}</p>`
  if (!files) return html`<p class="meta">${t('app.loading')}</p>`
  const side = (version: VersionView, file: string) => ({
    title: t('learned.version', { n: version.number }),
    file,
    says: version.accuracy.length
      ? html`<${Shares} of=${version} />`
      : html`<p class="meta">${t('learned.unmarked')}</p>`,
  })
  return html`<${Sides} before=${side(before, files[0])} after=${side(after, files[1])} />`
}

interface BackProps {
  id: number
  now: VersionView
  to: VersionView
  store: Store
  done(): void
}

/** Asks before an old version comes back: what that changes. */
function Back({ id, now, to, store, done }: BackProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const [met, setMet] = useState(false)
  // What was looked at: somebody else may save another one meanwhile.
  const over = useRef(now.number)
  useEffect(() => dialog.current?.showModal(), [])
  const back = async () => {
    setBusy(true)
    setProblem('')
    try {
      store.keepWorkflow((await rollBack(id, to.number, over.current)).workflow)
      dialog.current?.close()
    } catch (error) {
      const { code, message } = error as Refused
      if (code === 'changed_meanwhile') {
        // What is shown by now is what is meant from now on.
        setMet(true)
        store.keepWorkflow(await getWorkflow(id))
      } else setProblem(message)
    }
    setBusy(false)
  }
  const isOther = now.number !== over.current
  const look = () => {
    over.current = now.number
    setMet(false)
  }
  return html`
    <dialog ref=${dialog} class="ask-live back-to" aria-labelledby="back-to" onClose=${done}>
      <h2 id="back-to">${t('versions.back_to', { n: to.number })}</h2>
      <p>${t('versions.back_why')}</p>
      <${Between} id=${id} before=${now} after=${to} />
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${
        met &&
        html`<p class="problem" role="alert">${t('versions.met', { n: now.number })}
          ${isOther && html` <button type="button" onClick=${look}>${t('versions.met_go')}</button>`}
        </p>`
      }
      <p class="choices">
        <button type="button" class="main" disabled=${busy || met} onClick=${back}>${t('learned.back')}</button>
        <button type="button" onClick=${() => dialog.current?.close()}>${t('live.no')}</button>
      </p>
    </dialog>
  `
}
