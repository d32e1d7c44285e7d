import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import type { Fix, Problem } from '../../contract/index.ts'
import { t } from './language.ts'

interface BuiltProps {
  text: string
  problems: readonly Problem[]
  apply(fix: Fix): void
  goTo(place: { line: number; column: number }): void
}

/** The file that is being written as a flow, behind a line that opens it. */
export function Built(props: BuiltProps) {
  const [open, setOpen] = useState(false)
  const [flow, setFlow] = useState<typeof import('./flow/index.ts') | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    if (open) import('./flow/index.ts').then(setFlow, (error: Error) => setProblem(error.message))
  }, [open])
  return html`
    <details class="drawn" onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>${t('panel.title')}</summary>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${open && flow && html`<${flow.Builder} ...${props} />`}
    </details>
  `
}
