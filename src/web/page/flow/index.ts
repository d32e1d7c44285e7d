/** The flow of a file: loaded when somebody opens one, since it reads files with the contract. */
import { html } from 'htm/preact'
import { useMemo } from 'preact/hooks'
import { reread } from '../../../contract/index.ts'
import type { StepView } from '../api.ts'
import { t } from '../language.ts'
import { Cards } from './cards.ts'
import { takenBy } from './taken.ts'

/** `steps`: of a run of this file. */
export function Flow({ yaml, steps = null }: { yaml: string; steps?: readonly StepView[] | null }) {
  const workflow = useMemo(() => reread(yaml), [yaml])
  const taken = useMemo(() => steps && takenBy(steps), [steps])
  if (!workflow) return html`<p class="problem">${t('flow.broken')}</p>`
  return html`<${Cards} workflow=${workflow} taken=${taken} />`
}
