import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import type { RunView } from '../api.ts'
import { term } from '../language.ts'
import { label } from '../words.ts'
import { type CaseView, getCases, makeCase, removeCase } from './at-box.ts'
import { say } from './words.ts'

export const named = (decision: string): string => term('decision', decision) ?? label(decision)

/** A person says what would have been right of a run, and it becomes a case of its workflow. */
export function MakeCase({ run }: { run: RunView }) {
  const judged = run.steps.findLast(({ kind, outcome }) => kind === 'ai' && outcome !== null)
  const { decision = [] } = (judged?.inputs ?? {}) as { decision?: string[] }
  const options = [...decision, 'unsure']
  const [there, setThere] = useState<CaseView | null>(null)
  const [expected, setExpected] = useState('')
  const [note, setNote] = useState('')
  const [said, setSaid] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const show = (found: CaseView | null) => {
    setThere(found)
    if (found) setExpected(found.expected)
    if (found) setNote(found.note ?? '')
  }
  useEffect(() => {
    getCases(run.workflow.id).then(
      all => show(all.find(each => each.run === run.id) ?? null),
      (error: Error) => setProblem(error.message),
    )
  }, [run.id])
  const doing = async (work: Promise<CaseView | null>, done: string) => {
    setBusy(true)
    setProblem('')
    setSaid('')
    await work.then(
      found => {
        show(found)
        setSaid(done)
      },
      (error: Error) => setProblem(error.message),
    )
    setBusy(false)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    doing(makeCase(run.id, expected, note), say('cases.made', { name: run.workflow.name }))
  }
  const remove = () =>
    there &&
    doing(
      removeCase(run.workflow.id, there.id).then(() => null),
      say('cases.removed'),
    )
  return html`
    <form class="make-case" onSubmit=${submit}>
      <fieldset>
        <legend>${say('cases.right')}</legend>
        ${options.map(
          option => html`
            <label key=${option}>
              <input
                type="radio"
                name="expected"
                value=${option}
                checked=${option === expected}
                onChange=${() => setExpected(option)}
              />
              <span>${named(option)}${option === judged?.outcome && html` <small>${say('cases.came')}</small>`}</span>
            </label>
          `,
        )}
      </fieldset>
      <label class="field">
        <span>${say('cases.note')}</span>
        <input maxlength="1000" value=${note} onInput=${(event: Event) => setNote((event.target as HTMLInputElement).value)} />
      </label>
      <p class="meta">${say('cases.kept')}</p>
      <p class="tools">
        <button type="submit" class="main" disabled=${busy || !expected}>${say(there ? 'cases.change' : 'cases.make')}</button>
        ${there && html`<button type="button" disabled=${busy} onClick=${remove}>${say('cases.no_more')}</button>`}
      </p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <p role="status">
        ${said}${said && there && html` <a href=${`/workflows/${run.workflow.id}`}>${say('cases.see')}</a>`}
      </p>
    </form>
  `
}
