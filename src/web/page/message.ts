import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { type RunView, sendMessage, type WorkflowView } from './api.ts'
import type { State, Store } from './state.ts'

interface Written {
  text: string
  /** Null: it was kept out. */
  run: number | null
  why: string
}

/** Writes to a workflow that starts by a message, and shows what it answers. */
export function Message({ workflow, store, state }: { workflow: WorkflowView; store: Store; state: State }) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [written, setWritten] = useState<Written | null>(null)

  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    try {
      const { run, reason } = await sendMessage(workflow.id, text)
      setWritten({ text, run, why: reason?.message ?? 'it was kept out.' })
      if (run !== null) {
        setText('')
        await store.load(run)
      }
    } catch (error) {
      setProblem((error as Error).message)
    }
    setBusy(false)
  }

  return html`
    <section class="write" aria-labelledby="write">
      <h2 id="write">Write to it</h2>
      <form onSubmit=${submit}>
        <label class="field">
          <span>${workflow.label ?? 'Message'}</span>
          <textarea
            rows="2"
            maxlength="4000"
            required
            value=${text}
            onInput=${(event: Event) => setText((event.target as HTMLTextAreaElement).value)}
          ></textarea>
        </label>
        <button type="submit" class="main" disabled=${busy}>${busy ? 'Sending…' : 'Send'}</button>
      </form>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <div class="talk" role="log">
        ${written && html`<p class="mine">${written.text}</p>`}
        ${written?.run === null && html`<p class="meta">No run: ${written.why}</p>`}
        ${written?.run != null && html`<${Answers} id=${written.run} run=${state.details.get(written.run)} />`}
      </div>
    </section>
  `
}

/** What was answered so far, and how it stands. */
function Answers({ id, run }: { id: number; run: RunView | undefined }) {
  const all = (run?.steps ?? []).filter(({ kind, status }) => kind === 'reply' && SAID.includes(status))
  return html`
    ${all.map(
      ({ seq, inputs, status }) => html`
        <p class="answer" key=${seq}>
          ${status === 'would_have' && html`<em>Would have answered: </em>`}${String(inputs)}
        </p>
      `,
    )}
    <p class="meta">${standing(run, all.length)} <a href=${`/runs/${id}`}>How it came to that</a></p>
  `
}

const SAID = ['done', 'would_have']

function standing(run: RunView | undefined, answers: number): string {
  if (!run || run.status === 'running') return 'Working on it…'
  if (run.status === 'waiting') return 'It waits…'
  if (answers) return ''
  return run.status === 'done' ? 'It has ended without an answer.' : 'It came to nothing.'
}
