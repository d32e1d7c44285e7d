import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { getVersions, rollBack, type VersionView, type WorkflowTrust, type WorkflowView } from './api.ts'
import { t } from './language.ts'
import type { Store } from './state.ts'
import { clock } from './words.ts'

/** How often the AI steps of a workflow were right, what that allows, and which threshold it speaks for. */
export function Accuracy({ workflow, trust }: { workflow: WorkflowView; trust: WorkflowTrust | null }) {
  if (!workflow.accuracy.length) return null
  return html`
    <section class="learned" aria-labelledby="accuracy">
      <h2 id="accuracy">${t('learned.title')}</h2>
      <ul>
        ${workflow.accuracy.map((step, i) => {
          const learnt = trust?.steps[i]
          return html`
            <li key=${step.path}>
              <strong>${step.name ?? step.path}</strong>
              <span>${share(step)}</span>
              ${learnt?.alerts.why && html`<span class="meta">${t('learned.capped', { why: learnt.alerts.why })}</span>`}
              ${learnt?.suggested && html`<span class="meta">${offer(learnt.suggested)}</span>`}
            </li>
          `
        })}
      </ul>
    </section>
  `
}

/** Versions, newest first, each with the way back to it. */
export function Versions({ workflow, store, zone }: { workflow: WorkflowView; store: Store; zone: string }) {
  const { id, version } = workflow
  const [versions, setVersions] = useState<VersionView[] | null>(null)
  const [open, setOpen] = useState(false)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    if (open)
      getVersions(id).then(
        all => setVersions(all.versions),
        (error: Error) => setProblem(error.message),
      )
  }, [id, version, open, workflow.accuracy])

  const back = async (number: number) => {
    setBusy(true)
    setProblem('')
    try {
      store.keepWorkflow((await rollBack(id, number)).workflow)
    } catch (error) {
      setProblem((error as Error).message)
    }
    setBusy(false)
  }

  return html`
    <details class="versions" onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>${t('learned.versions')}</summary>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${
        versions &&
        html`<ol>
          ${versions.map(
            ({ number, at, by, change, in_force, accuracy }) => html`
              <li key=${number}>
                <div>
                  <strong>${t('learned.version', { n: number })}</strong>
                  ${in_force && html`<span class="tag done">${t('learned.in_force')}</span>`}
                  <span class="meta"><time datetime=${at}>${clock(at, zone)}</time>${by && html` · ${by}`}</span>
                  ${change && html`<p>${change}</p>`}
                  ${accuracy.map(step => html`<p key=${step.path} class="meta">${step.path}: ${share(step)}</p>`)}
                </div>
                ${
                  !in_force &&
                  html`<button type="button" disabled=${busy} aria-label=${t('learned.back_to', { n: number })} onClick=${() => back(number)}>
                    ${t('learned.back')}
                  </button>`
                }
              </li>
            `,
          )}
        </ol>`
      }
    </details>
  `
}

const percent = (n: number) => Math.round(n * 100)

/** `19 of 20 right: 95 % (between 76 % and 99 %)` */
export function share({
  marks,
  right,
  share: of,
  low,
  high,
}: WorkflowView['accuracy'][number] | VersionView['accuracy'][number]) {
  if (of === null || low === null || high === null) return t('learned.unmarked')
  return t('learned.share', { right, marks, of: percent(of), low: percent(low), high: percent(high) })
}

function offer({
  sure,
  kept,
  of,
  right,
  enough,
}: NonNullable<WorkflowTrust['steps'][number]['suggested']>): string {
  return t(enough ? 'learned.offer' : 'learned.no_offer', { sure, kept, of, right })
}
