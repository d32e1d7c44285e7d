import { html } from 'htm/preact'
import { useKnows } from '../together.ts'
import { getRules, type RulesView, setPart } from './api.ts'
import { useEditing } from './editing.ts'
import { From } from './parts.ts'
import { SaveBar } from './save-bar.ts'
import { say } from './words.ts'

/** More are refused by the box: every AI step is told them. */
const MOST_WORDS = 300
/** From here on it is said that they are many. */
const MANY_WORDS = 240

interface Written {
  text: string
  /** Set on this box; else the site file's count. */
  here: boolean
}

const at = (view: RulesView) => ({
  version: view.version,
  value: { text: view.in_force.facts.text, here: view.in_force.facts.from === 'page' },
})

/** What every AI step is told about this site, in a few plain sentences. */
export function Facts() {
  const editing = useEditing<Written>({
    key: 'facts',
    get: async () => at(await getRules()),
    put: async ({ text, here }, version) => at(await setPart('facts', here ? text : null, version)),
  })
  const { value, problem } = editing
  useKnows(value !== null || problem !== '')
  const text = value?.text ?? ''
  const words = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  const isLong = words > MOST_WORDS
  return html`
    <section aria-labelledby="facts">
      <h2 id="facts">${say('facts.title')}</h2>
      <p class="meta" id="facts-about">${say('facts.about')} ${value && html`<${From} here=${value.here} />`}</p>
      <textarea
        class="facts-text"
        aria-labelledby="facts"
        aria-describedby="facts-about facts-words"
        rows="8"
        maxlength="10000"
        value=${text}
        disabled=${value === null}
        onInput=${(event: Event) => editing.set({ text: (event.target as HTMLTextAreaElement).value, here: true })}
      ></textarea>
      <p class="meta">
        <span id="facts-words" class=${words > MANY_WORDS ? 'unsure' : ''}>
          ${say('facts.words', { n: words, most: MOST_WORDS })}
          ${words > MANY_WORDS && ` ${say(isLong ? 'facts.long' : 'facts.many')}`}
        </span>
        ${
          value?.here &&
          editing.base?.here &&
          html`<button type="button" onClick=${() => editing.set({ text: '', here: false })}>${say('facts.back')}</button>`
        }
        ${value && !value.here && editing.changed && html`<span>${say('as_file')}</span>`}
      </p>
      <${SaveBar}
        editing=${editing}
        texts=${(theirs: Written, mine: Written) => [theirs.text, mine.here ? mine.text : say('as_file')] as [string, string]}
        wrong=${isLong ? say('facts.long') : ''}
      />
    </section>
  `
}
