import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import type { StepView } from './api.ts'
import { t } from './language.ts'

interface DrawnProps {
  title: string
  /** The file that is drawn. */
  get(): Promise<string>
  /** Which one: another one is asked for anew. */
  of: string
  /** Of a run of it: the path that it took is lit. */
  steps?: readonly StepView[]
}

/** A workflow drawn as a flow, behind a line that opens it. */
export function Drawn({ title, get, of, steps }: DrawnProps) {
  const [open, setOpen] = useState(false)
  const [yaml, setYaml] = useState<string | null>(null)
  const [flow, setFlow] = useState<typeof import('./flow/index.ts') | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    if (!open) return
    setProblem('')
    Promise.all([get(), import('./flow/index.ts')]).then(
      ([text, module]) => {
        setYaml(text)
        setFlow(module)
      },
      (error: Error) => setProblem(error.message),
    )
  }, [open, of])
  return html`
    <details class="drawn" onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>${title}</summary>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${open && !flow && !problem && html`<p class="meta">${t('app.loading')}</p>`}
      ${open && flow && yaml !== null && html`<${flow.Flow} yaml=${yaml} steps=${steps ?? null} />`}
    </details>
  `
}
