/** The JSON Schema (draft 2020-12) of `workflow.v1`, for editors and other programs. */
import type { TSchema } from '@sinclair/typebox'
import { actions, conditions, steps, triggers } from './kinds/index.ts'
import { headSchema } from './read-workflow.ts'
import type { Json } from './types.ts'

type Schema = { [key: string]: Json }

const STEPS: Schema = { $ref: '#/$defs/steps' }
const CONDITION: Schema = { $ref: '#/$defs/condition' }

/** The schema as plain JSON. It knows shapes; what depends on other parts of the file only `parse` knows. */
export function jsonSchema(): Schema {
  const head = plain(headSchema) as { properties: Schema; required: Json }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'workflow.v1',
    type: 'object',
    additionalProperties: false,
    required: ['name', 'when', 'then'],
    properties: {
      ...head.properties,
      when: {
        oneOf: Object.values(triggers).map(kind => oneKey(kind.kind, kind.description, plain(kind.params))),
      },
      if: { type: 'array', minItems: 1, items: CONDITION },
      then: { type: 'array', minItems: 1, items: { $ref: '#/$defs/step' } },
      always: STEPS,
    },
    $defs: {
      steps: { type: 'array', items: { $ref: '#/$defs/step' } },
      step: {
        oneOf: [
          ...Object.values(steps).map(({ kind, description, params }) =>
            flow(kind, description, plain(params)),
          ),
          ...Object.values(actions).map(({ kind, description, params }) =>
            step(kind, description, plain(params)),
          ),
        ],
      },
      condition: {
        oneOf: Object.values(conditions).map(kind => oneKey(kind.kind, kind.description, plain(kind.params))),
      },
    },
  }
}

/** TypeBox's schema without what is ours or its own. */
export function plain(schema: TSchema): Schema {
  // Symbols fall away in JSON; `expects` is how problems are worded, `siteNames` what a tool offers of the site.
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'expects' || key === 'siteNames' ? undefined : value)),
  )
}

const oneKey = (kind: string, description: string, params: Json): Schema => ({
  type: 'object',
  description,
  additionalProperties: false,
  required: [kind],
  properties: { [kind]: params },
})

const step = (
  kind: string,
  description: string,
  params: Json,
  beside: Schema = {},
  open = false,
): Schema => ({
  type: 'object',
  description,
  additionalProperties: open ? STEPS : false,
  required: [kind],
  properties: { name: { type: 'string', pattern: '^[a-z][a-z0-9_-]{0,63}$' }, [kind]: params, ...beside },
})

function flow(kind: string, description: string, params: Schema): Schema {
  switch (kind) {
    case 'ai':
      return step(kind, description, { ...params, additionalProperties: STEPS })
    case 'for_each':
      return step(kind, description, {
        ...params,
        properties: { ...(params.properties as Schema), do: STEPS },
        required: ['do'],
      })
    case 'if':
      return { ...step(kind, description, params, { then: STEPS, else: STEPS }), required: ['if', 'then'] }
    case 'wait_for':
      return step(kind, description, params, { met: STEPS, timeout: STEPS })
    case 'wait':
      return step(kind, description, params)
    default:
      return step(kind, description, params, { no_answer: STEPS }, true)
  }
}
