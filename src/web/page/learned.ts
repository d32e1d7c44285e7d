import { html } from 'htm/preact'
import type { VersionView, WorkflowTrust, WorkflowView } from './api.ts'
import { t } from './language.ts'
import { said } from './said.ts'

/** How often the AI steps of a workflow were right, what that allows, and which threshold it speaks for. */
export function Accuracy({ workflow, trust }: { workflow: WorkflowView; trust: WorkflowTrust | null }) {
  if (!workflow.accuracy.length) return null
  return html`
    <section class="learned" aria-labelledby="accuracy">
      <h2 id="accuracy">${t('learned.title')}</h2>
      <ul>
        ${workflow.accuracy.map((step, i) => {
          const learnt = trust?.steps[i]
          const called = judge(step, workflow.accuracy)
          return html`
            <li key=${step.path}>
              ${called !== null && html`<strong>${called}</strong>`}
              <span>${share(step)}</span>
              ${learnt?.alerts.why && html`<span class="meta">${t('learned.capped', { why: said(learnt.alerts.why) })}</span>`}
              ${learnt?.suggested && html`<span class="meta">${offer(learnt.suggested)}</span>`}
            </li>
          `
        })}
      </ul>
    </section>
  `
}

/** What an AI step is called among those of its workflow: its name, else which one it is; the only one needs none. */
export function judge(
  { name = null, path }: { name?: string | null; path: string },
  all: readonly { path: string }[],
): string | null {
  if (name !== null) return name
  if (all.length < 2) return null
  return t('learned.step', { n: all.findIndex(each => each.path === path) + 1 })
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
