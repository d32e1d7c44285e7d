/** Extra values of a step: each by its name, and how it is filled. */
import { html } from 'htm/preact'
import type { Json } from '../../../../contract/index.ts'
import { useBuilding } from '../building.ts'
import { suggestions } from '../names.ts'
import { say } from '../words.ts'
import { Fieldset } from './field.ts'
import { More, Texts } from './lists.ts'
import { type PairsProps, without } from './pairs.ts'
import { Choice, Single } from './single.ts'

type JsonMap = { [key: string]: Json }

const ASKED = ['options', 'text', 'long_text', 'number', 'yes_no'] as const
const MEASURED = ['count', 'present', 'measured_text', 'plate'] as const
type Way = (typeof ASKED)[number] | (typeof MEASURED)[number]

function wayOf(field: Json): Way | null {
  if (Array.isArray(field)) return 'options'
  if (field !== null && typeof field === 'object') {
    const { measure } = field
    return (measure === 'text' ? 'measured_text' : measure) as Way
  }
  return field as Way
}

function fresh(way: Way, was: Json): Json {
  const of = was !== null && typeof was === 'object' && !Array.isArray(was) ? was.of : undefined
  switch (way) {
    case 'options':
      return [say('fresh.yes'), say('fresh.no')]
    case 'count':
    case 'present':
      return { measure: way, of: of ?? 'person' }
    case 'measured_text':
      return { measure: 'text' }
    case 'plate':
      return { measure: 'plate' }
    default:
      return way
  }
}

/** `measured`: a detector may fill them, since a picture is looked at. */
export function Fields({ id, label, hint = '', value, set, measured }: PairsProps & { measured: boolean }) {
  const map = (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}) as JsonMap
  const put = (next: JsonMap) => set(Object.keys(next).length > 0 ? next : null)
  const ways = [...(measured ? MEASURED : []), ...ASKED]
  const add = (word: string) => {
    const name = slug(word)
    if (name && !Object.hasOwn(map, name)) put({ ...map, [name]: measured ? fresh('count', null) : 'text' })
  }
  return html`
    <${Fieldset} legend=${label} hint=${hint}>
      ${Object.entries(map).map(
        ([name, field]) => html`
          <div class="one-of" key=${name}>
            <span class="pair">
              <strong class="name">${name}</strong>
              <button type="button" class="small" aria-label=${say('form.without', { what: name })} onClick=${() => put(without(map, name))}>×</button>
            </span>
            <${Choice}
              id=${`${id}-${name}`}
              label=${say('field.how', { what: name })}
              bare
              value=${wayOf(field)}
              words=${ways.map(way => [way, say(`field.${way}`)])}
              set=${(next: string | null) => next !== null && put({ ...map, [name]: fresh(next as Way, field) })}
              required
            />
            <${Details} id=${`${id}-${name}`} name=${name} field=${field} set=${(next: Json) => put({ ...map, [name]: next })} />
          </div>
        `,
      )}
      <${More} id=${id} label=${say('field.add')} add=${add} />
    </${Fieldset}>
  `
}

const slug = (word: string): string =>
  word
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')

interface DetailsProps {
  id: string
  name: string
  field: Json
  set(next: Json): void
}

function Details({ id, name, field, set }: DetailsProps) {
  const { names } = useBuilding()
  if (Array.isArray(field))
    return html`<${Texts} id=${`${id}-options`} label=${say('field.which', { what: name })} value=${field.map(String)} set=${(next: string[]) => next.length > 0 && set(next)} />`
  if (field === null || typeof field !== 'object') return null
  const counted = field.measure === 'count' || field.measure === 'present'
  const change = (key: string) => (next: Json) =>
    set(next === null ? without(field, key) : { ...field, [key]: next })
  return html`
    ${counted && html`<${Single} id=${`${id}-of`} label=${say('field.of')} value=${field.of ?? null} offers=${suggestions(names, 'ai', 'of')} set=${change('of')} />`}
    <details class="more-of">
      <summary>${say('form.rest')}</summary>
      <${Single} id=${`${id}-region`} label=${say('field.region')} value=${field.region ?? null} offers=${names.zones} set=${change('region')} />
      <${Single} id=${`${id}-score`} label=${say('field.score')} is="number" min=${0} max=${1} step=${0.05} value=${field.min_score ?? null} set=${change('min_score')} />
    </details>
  `
}
