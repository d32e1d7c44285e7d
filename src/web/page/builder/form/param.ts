/** One parameter, by the input that suits its schema. */
import { html } from 'htm/preact'
import type { Json } from '../../../../contract/index.ts'
import { useBuilding } from '../building.ts'
import { suggestions } from '../names.ts'
import { choicesOf } from '../schema.ts'
import { say } from '../words.ts'
import { Fields } from './ai-fields.ts'
import { type FieldProps, Fieldset, hintOf, labelOf, wordOf } from './field.ts'
import { listOf, Texts, textsOf } from './lists.ts'
import { Input } from './looked-at.ts'
import { Matchers, Pairs } from './pairs.ts'
import { Rules } from './rules.ts'
import { shapeOf } from './shape.ts'
import { Choice, Duration, Single } from './single.ts'

interface ParamProps extends FieldProps {
  /** The parameters beside it. */
  around?: { [key: string]: Json }
}

/** The site has all there are: nothing else is asked for. */
const BY_NAME = ['cameras', 'camera', 'site_mode', 'tools']

const isMap = (value: Json | undefined) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const isText = (value: Json | undefined): value is string => typeof value === 'string'

export function Param({ id, kind, name, schema, value, set, required = false, around = {} }: ParamProps) {
  const { names } = useBuilding()
  const label = labelOf(kind, name)
  const hint = hintOf(kind, name, schema)
  const offers = suggestions(names, kind, name)
  const shared = { id, label, hint }
  const text = isText(value) ? value : value === undefined || value === null ? null : JSON.stringify(value)
  const shape = shapeOf(name, schema)
  // Said in a way of its own: as it stands.
  const odd = shape === 'texts' && isMap(value)
  switch (odd ? 'json' : shape) {
    case 'choice':
      return html`<${Choice} ...${shared} value=${text} words=${choicesOf(schema).map(word => [word, wordOf(word)])} set=${set} required=${required} />`
    case 'yes_no':
      return html`<${Choice}
        ...${shared}
        value=${value === undefined || value === null ? null : String(value)}
        words=${[['true', say('fresh.yes')], ['false', say('fresh.no')]]}
        set=${(next: string | null) => set(next === null ? null : next === 'true')}
        required=${required}
      />`
    case 'number':
      return html`<${Single} ...${shared} is="number" value=${value ?? null} min=${schema.minimum} max=${schema.maximum} step=${schema.type === 'integer' ? 1 : undefined} set=${set} />`
    case 'duration':
      return html`<${Duration} ...${shared} value=${text} set=${set} />`
    case 'clock':
      return html`<${Single} ...${shared} is="time" value=${text} set=${set} />`
    case 'text':
      return html`<${Single} ...${shared} value=${text} offers=${offers} set=${set} />`
    case 'long':
      return html`<${Single} ...${shared} value=${text} long set=${set} />`
    case 'checks':
      return html`<${Texts} ...${shared} value=${textsOf(value)} offers=${choicesOf(schema.items ?? {})} says=${wordOf} set=${(next: string[]) => set(listOf(inOrder(next, choicesOf(schema.items ?? {})), false))} fixed />`
    case 'texts':
      return html`<${Texts}
        ...${shared}
        value=${textsOf(value)}
        offers=${offers}
        says=${(word: string) => nameOf(word)}
        fixed=${offers.length > 0 && BY_NAME.includes(name)}
        set=${(next: string[]) => set(listOf(next, schema.type !== 'array' && !Array.isArray(value)))}
      />`
    case 'input':
      return html`<${Input} ...${shared} value=${value} set=${set} />`
    case 'matchers':
      return html`<${Matchers} ...${shared} value=${value} set=${set} />`
    case 'fields':
      return html`<${Fields} ...${shared} value=${value} set=${set} measured=${kind === 'ai' && around.mode !== 'investigate'} />`
    case 'rules':
      return html`<${Rules} ...${shared} value=${value} set=${set} around=${around} />`
    case 'map': {
      const map = (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}) as {
        [key: string]: Json
      }
      const put = (key: string, next: Json) => {
        const { [key]: _, ...others } = map
        const all = next === null ? others : { ...others, [key]: next }
        set(Object.keys(all).length > 0 ? all : null)
      }
      return html`
        <${Fieldset} legend=${label} hint=${hint}>
          ${Object.entries(schema.properties ?? {}).map(
            ([key, inner]) =>
              html`<${Param} key=${key} id=${`${id}-${key}`} kind=${kind} name=${key} schema=${inner} value=${map[key]} set=${(next: Json) => put(key, next)} />`,
          )}
        </${Fieldset}>
      `
    }
    default:
      if (isText(value) && value !== '')
        return html`<${Single} ...${shared} value=${value} long set=${set} />`
      return html`<${Pairs} ...${shared} value=${value} set=${set} />`
  }
}

/** `role:guard` → `guard`, for those who read it. */
function nameOf(word: string): string {
  const [, sort, name] = /^(role|person):(.+)$/.exec(word) ?? []
  return sort && name ? say(`who.${sort as 'role'}`, { name }) : word
}

const inOrder = (words: readonly string[], order: readonly string[]) => [
  ...order.filter(word => words.includes(word)),
  ...words.filter(word => !order.includes(word)),
]
