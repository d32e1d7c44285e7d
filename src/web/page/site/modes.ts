import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { Field } from '../field.ts'
import { useKnows } from '../together.ts'
import { label } from '../words.ts'
import { getRules, type RulesView, setPart } from './api.ts'
import { useEditing } from './editing.ts'
import { From, nameOf } from './parts.ts'
import { SaveBar } from './save-bar.ts'
import { say } from './words.ts'

/** In their order; null: as the site file says. */
type Names = string[] | null

/** The modes that the site has; a new box is in the first. */
export function Modes() {
  const [inForce, setInForce] = useState<readonly string[]>([])
  const at = (view: RulesView) => {
    const { names, from } = view.in_force.modes
    setInForce(names)
    return { version: view.version, value: { names: from === 'page' ? [...names] : (null as Names) } }
  }
  const editing = useEditing<{ names: Names }>({
    key: 'modes',
    get: async () => at(await getRules()),
    put: async ({ names }, version) => at(await setPart('modes', names, version)),
  })
  const [name, setName] = useState('')
  useKnows(editing.value !== null || editing.problem !== '')
  const set = editing.value?.names ?? null
  const names = set ?? inForce
  const key = nameOf(name)
  const change = (next: Names) => editing.set({ names: next })
  const add = (event: Event) => {
    event.preventDefault()
    if (!key || names.includes(key)) return
    change([...names, key])
    setName('')
  }
  const up = (at: number) => {
    const next = [...names]
    next.splice(at - 1, 0, ...next.splice(at, 1))
    change(next)
  }
  const text = ({ names: all }: { names: Names }) => all?.join('\n') ?? say('as_file')
  return html`
    <section aria-labelledby="modes">
      <h2 id="modes">${say('modes.title')}</h2>
      <p class="meta">${say('modes.about')} <${From} here=${set !== null} /></p>
      <ol class="entries">
        ${names.map(
          (mode, i) => html`
            <li key=${mode}>
              <span><strong>${label(mode)}</strong> ${i === 0 && html`<span class="meta">${say('modes.first')}</span>`}</span>
              <span class="acts">
                ${
                  i > 0 &&
                  html`<button type="button" aria-label=${say('modes.up_of', { mode: label(mode) })} onClick=${() => up(i)}>↑</button>`
                }
                ${
                  names.length > 1 &&
                  html`<button
                    type="button"
                    aria-label=${say('modes.remove', { mode: label(mode) })}
                    onClick=${() => change(names.filter(each => each !== mode))}
                  >
                    ${say('lists.take_off')}
                  </button>`
                }
              </span>
            </li>
          `,
        )}
      </ol>
      <form class="add-entry one" onSubmit=${add}>
        <${Field} label=${say('modes.add')} value=${name} set=${setName} />
        <button disabled=${!key || names.includes(key)}>${say('add')}</button>
      </form>
      ${set !== null && html`<p><button type="button" onClick=${() => change(null)}>${say('modes.back')}</button></p>`}
      <${SaveBar}
        editing=${editing}
        texts=${(theirs: { names: Names }, mine: { names: Names }) => [text(theirs), text(mine)] as [string, string]}
      />
    </section>
  `
}
