/** Parameters of which a kind takes exactly one. */
import { html } from 'htm/preact'
import type { Json } from '../../../../contract/index.ts'
import type { Schema } from '../schema.ts'
import { say } from '../words.ts'
import { labelOf } from './field.ts'
import { Param } from './param.ts'
import { Choice } from './single.ts'

interface Ways {
  keys: readonly string[]
  /** Go with the first alone. */
  with?: Readonly<Record<string, string>>
  fresh: Readonly<Record<string, Json>>
}

export const ALTERNATIVES: Readonly<Record<string, Ways>> = {
  schedule: {
    keys: ['at', 'every', 'cron', 'days'],
    with: { days: 'at' },
    fresh: { at: '07:00', every: '1h', cron: '0 7 * * mon-fri' },
  },
  for_each: {
    keys: ['cameras', 'list', 'events'],
    fresh: { cameras: [], list: 'list', events: { schema: 'plate.recognized.v1', within: '1h' } },
  },
}

interface AlternativesProps {
  kind: string
  node: string
  schema: Schema
  value: { [key: string]: Json }
  set(at: readonly string[], value: Json): void
}

export function Alternatives({ kind, schema, value, set }: AlternativesProps) {
  const ways = ALTERNATIVES[kind]
  if (!ways) return null
  const { keys, fresh, with: tied = {} } = ways
  const main = keys.filter(key => !tied[key])
  const chosen = main.find(key => Object.hasOwn(value, key)) ?? null
  const take = (next: string | null) => {
    if (next === null || next === chosen) return
    const others = Object.entries(value).filter(([key]) => !keys.includes(key))
    set([], { [next]: fresh[next] ?? '', ...Object.fromEntries(others) })
  }
  const shown = chosen === null ? [] : [chosen, ...Object.keys(tied).filter(key => tied[key] === chosen)]
  return html`
    <${Choice}
      id=${`p-${kind}-way`}
      label=${say(`way.${kind as 'schedule'}`)}
      value=${chosen}
      words=${main.map(key => [key, labelOf(kind, key)])}
      set=${take}
      required
    />
    ${shown.map(
      key => html`
        <${Param}
          key=${key}
          id=${`p-${kind}-${key}`}
          kind=${kind}
          name=${key}
          schema=${schema.properties?.[key] ?? {}}
          value=${value[key]}
          set=${(next: Json) => set([key], next)}
          required=${key === chosen}
        />
      `,
    )}
  `
}
