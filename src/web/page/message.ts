import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { type RunView, sendMessage, type WorkflowView } from './api.ts'
import { t } from './language.ts'
import { Barred, useMay } from './may.ts'
import { said } from './said.ts'
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

  const may = useMay('message')
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    try {
      const { run, reason } = await sendMessage(workflow.id, text)
      setWritten({ text, run, why: reason ? said(reason.message) : t('try.kept_out') })
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
      <h2 id="write">${t('write.title')}</h2>
      <${Barred} from="message" />
      <form onSubmit=${submit} hidden=${!may}>
        <label class="field">
          <span>${workflow.label ?? t('short.message')}</span>
          <textarea
            rows="2"
            maxlength="4000"
            required
            value=${text}
            onInput=${(event: Event) => setText((event.target as HTMLTextAreaElement).value)}
          ></textarea>
        </label>
        <button type="submit" class="main" disabled=${busy}>${t(busy ? 'write.sending' : 'write.send')}</button>
      </form>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <div class="talk" role="log">
        ${written && html`<p class="mine">${written.text}</p>`}
        ${written?.run === null && html`<p class="meta">${t('try.no_run', { why: written.why })}</p>`}
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
          ${status === 'would_have' && html`<em>${t('write.would_have')}</em>`}${String(inputs)}
        </p>
      `,
    )}
    <p class="meta">${standing(run, all.length)} <a href=${`/runs/${id}`}>${t('write.how')}</a></p>
  `
}

const SAID = ['done', 'would_have']

function standing(run: RunView | undefined, answers: number): string {
  if (!run || run.status === 'running') return t('write.working')
  if (run.status === 'waiting') return t('write.waits')
  if (answers) return ''
  return t(run.status === 'done' ? 'write.no_answer' : 'write.nothing')
}
