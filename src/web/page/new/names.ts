import { html } from 'htm/preact'
import type { Outline } from '../outline.ts'
import type { Renaming, Wanted } from './at-box.ts'
import { say, sayTerm } from './words.ts'

const sortOf = (what: string) => sayTerm(`new.needs_${what}`) ?? what

/** What a site has to have for it beside the names that can be chosen, and which cameras its roles are here. */
export function Needed({ outline: { needs, cameras } }: { outline: Outline }) {
  const { apps = [], skills = [] } = needs
  const entries = Object.entries({ apps, skills }).filter(([, names]) => names.length > 0)
  const roles = Object.entries(cameras)
  if (!entries.length && !roles.length) return null
  return html`
    <dl class="does">
      <dt>${say('new.needs')}</dt>
      ${entries.map(([what, names]) => html`<dd key=${what}>${sortOf(what)}: ${names.map(skill).join(', ')}</dd>`)}
      ${roles.map(
        ([role, names]) =>
          html`<dd key=${role}>${say('new.means', { role, names: names.join(', ') || say('new.nobody') })}</dd>`,
      )}
    </dl>
  `
}

const skill = (name: string) => sayTerm(`skill.${name}`) ?? name.replaceAll(/[._-]/g, ' ')

interface NamesProps {
  wanted: readonly Wanted[]
  names: Renaming
  map(what: Wanted['what'], name: string, to: string): void
}

/** Each name of the site that the file comes from, and which of this site stands in its place. */
export function Names({ wanted, names, map }: NamesProps) {
  if (!wanted.length) return null
  return html`
    <fieldset class="mapping">
      <legend>${say('new.names')}</legend>
      <p class="meta">${say('new.names_why')}</p>
      ${wanted.map(one => html`<${Name} key=${`${one.what} ${one.name}`} one=${one} chosen=${names[one.what]?.[one.name]} map=${map} />`)}
    </fieldset>
  `
}

interface NameProps extends Pick<NamesProps, 'map'> {
  one: Wanted
  chosen: string | undefined
}

function Name({ one: { what, name, here, choices }, chosen, map }: NameProps) {
  const value = chosen ?? (here ? name : '')
  const id = `name-${what}-${name}`
  return html`
    <div class="name">
      <label for=${id}>${say(`new.one_${what}`)} <strong>${name}</strong></label>
      ${
        choices.length
          ? html`<select id=${id} aria-invalid=${!value} onChange=${(event: Event) => map(what, name, (event.target as HTMLSelectElement).value)}>
              ${!here && html`<option value="" disabled selected=${!value}>${say('new.pick')}</option>`}
              ${choices.map(
                each =>
                  html`<option key=${each.name} value=${each.name} selected=${each.name === value}>
                    ${each.says ? `${each.name} (${sayTerm(`class.${each.says}`) ?? each.says})` : each.name}
                  </option>`,
              )}
            </select>`
          : html`<span class="meta">${say(`new.none_${what}`)}</span>`
      }
    </div>
  `
}
