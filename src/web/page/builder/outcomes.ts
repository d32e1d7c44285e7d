/** What a step can come to: each is a path of its own in the flow. */
import { html } from 'htm/preact'
import { addOutcome, removeOutcome, renameOutcome, type Step } from '../../../contract/index.ts'
import { useBuilding } from './building.ts'
import { Fieldset } from './form/field.ts'
import { More, textsOf } from './form/lists.ts'
import { Typed } from './form/typed.ts'
import { say } from './words.ts'

const NAMED: Readonly<Record<string, string>> = { ai: 'decision', ask_person: 'replies', call: 'outcomes' }

export function Outcomes({ path, step: { kind, params, paths } }: { path: string; step: Step }) {
  const { edit } = useBuilding()
  const key = NAMED[kind]
  if (!key) return null
  const words = textsOf((params as Record<string, string[]> | null)?.[key])
  const steps = (word: string) => paths[word]?.length ?? 0
  return html`
    <${Fieldset} legend=${say(`outcomes.${kind as 'ai'}`)} hint=${say(`outcomes.${kind as 'ai'}_why`)}>
      ${words.map(
        (word, i) => html`
          <span class="pair" key=${`${i} ${word}`}>
            <${Typed}
              aria-label=${say('form.nth', { what: say(`outcomes.${kind as 'ai'}`), n: i + 1 })}
              maxlength="64"
              value=${word}
              take=${(given: string) => given.trim() !== '' && edit(text => renameOutcome(text, path, word, given.trim()))}
            />
            <button
              type="button"
              class="small"
              disabled=${words.length < 2}
              aria-label=${say('form.without', { what: word })}
              title=${steps(word) > 0 ? say('outcomes.with_steps') : undefined}
              onClick=${() => edit(text => removeOutcome(text, path, word), say('gone.outcome', { word }))}
            >
              ×
            </button>
          </span>
        `,
      )}
      <${More} id=${`outcomes-${kind}`} label=${say(`outcomes.${kind as 'ai'}_add`)} add=${(word: string) => edit(text => addOutcome(text, path, word))} />
    </${Fieldset}>
  `
}
