import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { setState, type WorkflowView } from './api.ts'
import type { Store } from './state.ts'
import { STATES } from './words.ts'

/** Off, Test, On: a group of radio buttons, so that arrow keys and screen readers know what to do. */
export function StateSwitch({ workflow, store }: { workflow: WorkflowView; store: Store }) {
  /** What was chosen and is not answered yet: it stays chosen meanwhile, so that the next key goes on from there. */
  const [chosen, setChosen] = useState<WorkflowView['state'] | null>(null)
  const [problem, setProblem] = useState('')
  const choose = async (state: WorkflowView['state']) => {
    setChosen(state)
    setProblem('')
    try {
      store.keepWorkflow(await setState(workflow.id, state))
    } catch (error) {
      setProblem((error as Error).message)
    }
    setChosen(now => (now === state ? null : now))
  }
  return html`
    <fieldset class="switch" aria-busy=${chosen !== null}>
      <legend>State of ${workflow.name}</legend>
      ${(Object.keys(STATES) as WorkflowView['state'][]).map(
        state => html`
          <label key=${state} class=${state}>
            <input
              type="radio"
              name=${`state-${workflow.id}`}
              value=${state}
              checked=${(chosen ?? workflow.state) === state}
              onChange=${() => choose(state)}
            />
            <span>${STATES[state]}</span>
          </label>
        `,
      )}
    </fieldset>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  `
}
