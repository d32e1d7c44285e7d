import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAsked } from '../asked.ts'
import { said } from '../said.ts'
import { draft, whyNotDrafted } from './at-box.ts'
import { say } from './words.ts'

const LONGEST = 2_000

/** A sentence becomes a draft, where the model of the box has shown that it can. */
export function Describe({ drafted }: { drafted(file: string, sentence: string): void }) {
  // In a list, since that nothing stands against it is an answer too.
  const { found, problem: unknown } = useAsked(async () => [await whyNotDrafted()])
  const [sentence, setSentence] = useState('')
  const [problem, setProblem] = useState('')
  const [going, setGoing] = useState<AbortController | null>(null)
  const last = useRef<AbortController>(null)
  useEffect(() => () => last.current?.abort(), [])

  const submit = async (event: Event) => {
    event.preventDefault()
    const control = new AbortController()
    last.current = control
    setGoing(control)
    setProblem('')
    try {
      const { yaml } = await draft(sentence, control.signal)
      return drafted(yaml, sentence.trim())
    } catch (error) {
      if (!control.signal.aborted) setProblem((error as Error).message)
    }
    setGoing(null)
  }
  const [why] = found ?? []
  return html`
    <section class="describe" aria-labelledby="describe">
      <h2 id="describe">${say('new.describe')}</h2>
      ${unknown && html`<p class="problem" role="alert">${unknown}</p>`}
      ${found && why != null && html`<p class="none">${say('new.not_drafted', { why: said(why) })}</p>`}
      ${
        found &&
        why == null &&
        html`<form onSubmit=${submit}>
          <label class="field">
            <span>${say('new.sentence')}</span>
            <textarea
              rows="3"
              maxlength=${LONGEST}
              required
              placeholder=${say('new.example')}
              disabled=${going !== null}
              value=${sentence}
              onInput=${(event: Event) => setSentence((event.target as HTMLTextAreaElement).value)}
            ></textarea>
          </label>
          <p class="tools">
            ${
              going
                ? html`<button type="button" onClick=${() => going.abort()}>${say('new.stop')}</button>
                    <span class="meta" role="status">${say('new.drafting')}</span>`
                : html`<button type="submit" class="main" disabled=${!sentence.trim()}>${say('new.draft')}</button>
                    <span class="meta">${say('new.draft_why')}</span>`
            }
          </p>
          ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        </form>`
      }
    </section>
  `
}
