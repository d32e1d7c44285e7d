import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { setState, type WorkflowView } from './api.ts'
import type { Store } from './state.ts'
import { STATES } from './words.ts'

/** Off, Test, On: a group of radio buttons, so that arrow keys and screen readers know what to do. */
export function StateSwitch({ workflow, store }: { workflow: WorkflowView; store: Store }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const choose = async (state: WorkflowView['state']) => {
    setBusy(true)
    setProblem('')
    try {
      store.keepWorkflow(await setState(workflow.id, state))
    } catch (error) {
      setProblem((error as Error).message)
    }
    setBusy(false)
  }
  return html`
    <fieldset class="switch" aria-busy=${busy}>
      <legend>State of ${workflow.name}</legend>
      ${(Object.keys(STATES) as WorkflowView['state'][]).map(
        state => html`
          <label key=${state} class=${state}>
            <input
              type="radio"
              name=${`state-${workflow.id}`}
              value=${state}
              checked=${workflow.state === state}
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
