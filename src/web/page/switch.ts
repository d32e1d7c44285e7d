import { html } from 'htm/preact'
import { useRef, useState } from 'preact/hooks'
import { setState, type WorkflowView } from './api.ts'
import { GoLive } from './golive.ts'
import { t } from './language.ts'
import { useWhyNot } from './may.ts'
import type { Store } from './state.ts'

const STATES = ['off', 'test', 'on'] as const

/** Off, Test, On: a group of radio buttons, so that arrow keys and screen readers know what to do. */
export function StateSwitch({ workflow, store }: { workflow: WorkflowView; store: Store }) {
  // What was chosen last: shown at once, so that a key that follows quickly starts from there.
  const [chosen, setChosen] = useState<WorkflowView['state'] | null>(null)
  const [problem, setProblem] = useState('')
  const next = useRef<WorkflowView['state'] | null>(null)
  const busy = useRef(false)
  const whyNot = useWhyNot('manage')

  /** One at a time, in order; of those chosen meanwhile only the last is asked for. On is asked about first. */
  const choose = async (state: WorkflowView['state']) => {
    setChosen(state)
    setProblem('')
    if (state === 'on') return
    next.current = state
    if (busy.current) return
    busy.current = true
    while (next.current !== null) {
      const asked: WorkflowView['state'] = next.current
      next.current = null
      try {
        store.keepWorkflow(await setState(workflow.id, asked))
        setProblem('')
      } catch (error) {
        setProblem((error as Error).message)
      }
    }
    busy.current = false
    setChosen(now => (now === 'on' ? now : null))
  }
  return html`
    <fieldset class="switch" aria-busy=${chosen !== null} disabled=${whyNot !== null} title=${whyNot}>
      <legend>${t('switch.of', { name: workflow.name })}</legend>
      ${STATES.map(
        state => html`
          <label key=${state} class=${state}>
            <input
              type="radio"
              name=${`state-${workflow.id}`}
              value=${state}
              checked=${(chosen ?? workflow.state) === state}
              onChange=${() => choose(state)}
            />
            <span>${t(`state.${state}`)}</span>
          </label>
        `,
      )}
    </fieldset>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${chosen === 'on' && html`<${GoLive} workflow=${workflow} store=${store} done=${() => setChosen(null)} />`}
  `
}
