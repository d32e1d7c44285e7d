import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { start, type WorkflowView } from './api.ts'
import { t } from './language.ts'
import { useMay } from './may.ts'
import { said as inWords } from './said.ts'

/** The button of a workflow that starts by one; what came of it is said beside it. */
export function Press({ workflow }: { workflow: WorkflowView }) {
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ run: number | null; text: string } | null>(null)

  if (!useMay('press')) return null
  const press = async () => {
    setBusy(true)
    setSaid(null)
    try {
      const { run, reason } = await start(workflow, null, '')
      setSaid({
        run,
        text: run === null ? (reason ? inWords(reason.message) : t('press.kept_out')) : t('press.started'),
      })
    } catch (error) {
      setSaid({ run: null, text: (error as Error).message })
    }
    setBusy(false)
  }

  return html`
    <p class="press">
      <button type="button" disabled=${busy} onClick=${press}>${workflow.label ?? t('press.press')}</button>
      <span role="status">
        ${said && (said.run === null ? said.text : html`<a href=${`/runs/${said.run}`}>${said.text}</a>`)}
      </span>
    </p>
  `
}
