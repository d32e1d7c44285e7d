import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { useAsked } from '../asked.ts'
import { Field } from '../field.ts'
import { t } from '../language.ts'
import { go } from '../navigate.ts'
import { label } from '../words.ts'
import { getRules, type RulesView } from './api.ts'
import { ListPage } from './list.ts'
import { From, nameOf } from './parts.ts'
import type { SectionProps } from './section.ts'
import { say, sayCount } from './words.ts'

/** The lists of the site, or the one that the address names. */
export function Section({ rest }: SectionProps) {
  const name = nameOf(rest)
  return name === '' ? html`<${Lists} />` : html`<${ListPage} key=${name} name=${name} />`
}

function Lists() {
  const { found, problem } = useAsked<RulesView>(getRules)
  const lists = found?.in_force.lists ?? []
  return html`
    <p class="meta">${say('lists.about')}</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${!found && !problem && html`<p class="none">${t('app.loading')}</p>`}
    ${found && !lists.length && html`<p class="none">${say('lists.none')}</p>`}
    <ul class="site-sections">
      ${lists.map(
        ({ name, entries, from }) => html`
          <li key=${name} class="card title">
            <a href=${`/site/lists/${name}`}>${label(name)}</a>
            <span class="meta">${sayCount('lists.entries', entries)} <${From} here=${from === 'page'} /></span>
          </li>
        `,
      )}
    </ul>
    ${(found || problem) && html`<${Make} />`}
  `
}

function Make() {
  const [name, setName] = useState('')
  const key = nameOf(name)
  const open = (event: Event) => {
    event.preventDefault()
    if (key) go(`/site/lists/${key}`)
  }
  return html`
    <details>
      <summary>${say('lists.make')}</summary>
      <form class="door" onSubmit=${open}>
        <${Field} label=${say('lists.name')} value=${name} set=${setName} />
        ${name !== '' && html`<p class="meta">${say('known_as', { name: key })}</p>`}
        <button disabled=${!key}>${say('lists.open')}</button>
      </form>
    </details>
  `
}
