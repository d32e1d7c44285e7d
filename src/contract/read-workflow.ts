/** A whole file, from its source tree to its typed form. */
import { type Static, Type } from '@sinclair/typebox'
import { triggerKind, triggers } from './kinds/index.ts'
import { closed, duration, mapOf, names, oneOf } from './kinds/params.ts'
import { readConditions } from './read-condition.ts'
import type { ReadContext } from './read-context.ts'
import { readParams } from './read-node.ts'
import { readSteps } from './read-steps.ts'
import { replaceRange } from './reporter.ts'
import { checkShape, unknownKey } from './shape.ts'
import { entryOf, type Src, type SrcMap, toJson } from './source.ts'
import type { Effect, Json, Trigger, TriggerKind, Workflow } from './types.ts'

const perHour = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000, expects: 'a whole number from 1 to 1000000', description })

const needs = closed(
  {
    cameras: Type.Optional(names('Camera roles.')),
    lists: Type.Optional(names('Lists of the site.')),
    roles: Type.Optional(names('Roles of people.')),
    destinations: Type.Optional(
      mapOf<Effect>(
        oneOf(['tell', 'move'], 'What sending there does.'),
        'Destinations: name → tell or move.',
      ),
    ),
    apps: Type.Optional(names('Apps of the NVR.')),
    skills: Type.Optional(
      Type.Array(
        Type.String({ pattern: '^[a-z][a-z0-9_.-]{0,63}$', expects: 'a skill such as look.picture' }),
        {
          maxItems: 64,
          expects: 'a list of skills',
          description: 'Abilities of the box.',
        },
      ),
    ),
  },
  'What the site must have; written by export, checked on import.',
)

/** Everything but the flow itself. */
export const headSchema = closed({
  contract: Type.Optional(oneOf(['workflow.v1'], 'The version of the format.')),
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[^\\n]*$',
    expects: 'one line of at most 100 characters',
    description: 'What people call it.',
  }),
  description: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      expects: 'text of at most 2000 characters',
      description: 'What it is for.',
    }),
  ),
  needs: Type.Optional(needs),
  state: Type.Optional(
    oneOf(
      ['off', 'test', 'on'],
      'off; test: everything runs, effects are only recorded; on. test where absent.',
    ),
  ),
  limits: Type.Optional(
    closed(
      {
        cooldown: Type.Optional(duration('Least time between two runs for one camera; 1m where absent.')),
        one_at_a_time: Type.Optional(
          oneOf(['camera', 'plate', 'track'], 'Of what only one run may be under way.'),
        ),
        per_hour: Type.Optional(perHour('The most runs an hour; 30 where absent.')),
        ai_per_hour: Type.Optional(perHour('The most AI calls an hour; 60 where absent.')),
      },
      'How often it may run.',
    ),
  ),
})

const FLOW = ['when', 'if', 'then', 'always'] as const
export const TOP_KEYS = ['contract', 'name', 'description', 'needs', 'state', 'limits', ...FLOW]

/** Reads the file as far as it can be read; null where it is no map at all. */
export function readWorkflow(src: Src, context: ReadContext): Workflow | null {
  if (src.type !== 'map') {
    if (src.type !== 'broken')
      context.error('not_a_workflow', '', 'A workflow file is a map with name, when and then.', src)
    return null
  }
  const isFlow = (key: string) => FLOW.some(one => one === key)
  const head: SrcMap = {
    ...src,
    entries: src.entries.filter(({ key }) => TOP_KEYS.includes(key) && !isFlow(key)),
  }
  const faults = checkShape(headSchema, head, '', context)
  for (const { key } of src.entries) {
    if (!TOP_KEYS.includes(key)) context.reporter.report(unknownKey(key, TOP_KEYS, [src, '']))
  }
  if (!entryOf(src, 'contract')) noContract(src, context)
  const fitting = head.entries.filter(({ key }) => !faults.has(key))
  const said = Object.fromEntries(fitting.map(({ key, value }) => [key, toJson(value)])) as Partial<
    Static<typeof headSchema>
  >
  const when = readTrigger(src, context)
  if (!when) context.valuesUnknown = context.guardsUnknown = true
  const conditions = entryOf(src, 'if')
  return {
    contract: 'workflow.v1',
    name: said.name ?? '-',
    ...(said.description !== undefined && { description: said.description }),
    ...(said.needs && { needs: said.needs as NonNullable<Workflow['needs']> }),
    state: said.state ?? 'test',
    limits: (said.limits ?? {}) as Workflow['limits'],
    when: when ?? { kind: 'button', params: {} },
    if: conditions ? readConditions(conditions.value, 'if', context) : [],
    then: readThen(src, context),
    always: list(src, 'always', context),
  }
}

function noContract(src: SrcMap, context: ReadContext): void {
  const [first] = src.entries
  if (!first) return
  const line = context.text.slice(context.text.lastIndexOf('\n', first.keyFrom - 1) + 1, first.keyFrom)
  const insert = src.flow ? 'contract: workflow.v1, ' : `contract: workflow.v1\n${line.replace(/\S/g, ' ')}`
  context.reporter.report({
    severity: 'warning',
    code: 'contract_missing',
    path: 'contract',
    message: 'Say which format this is: begin with contract: workflow.v1.',
    from: first.keyFrom,
    to: first.keyTo,
    fix: replaceRange('Add contract: workflow.v1', first.keyFrom, first.keyFrom, insert),
  })
}

const list = (src: SrcMap, key: 'then' | 'always', context: ReadContext) => {
  const entry = entryOf(src, key)
  return entry ? readSteps(entry.value, key, context) : []
}

function readThen(src: SrcMap, context: ReadContext) {
  const entry = entryOf(src, 'then')
  if (!entry) context.error('missing_key', 'then', 'then is missing: add the steps.', src)
  else if (entry.value.type === 'list' && entry.value.items.length === 0) {
    context.error('no_steps', 'then', 'A workflow needs at least one step under then.', entry.value)
  }
  return list(src, 'then', context)
}

function readTrigger(src: SrcMap, context: ReadContext): Trigger | null {
  const entry = entryOf(src, 'when')
  const known = Object.keys(triggers)
  if (!entry) {
    context.error('missing_key', 'when', `when is missing: add a trigger out of ${known.join(', ')}.`, src)
    return null
  }
  const { value } = entry
  if (value.type === 'broken') return null
  if (value.type === 'scalar' && typeof value.value === 'string' && triggerKind(value.value)) {
    const insert = `{ ${value.value}: {} }`
    context.error(
      'invalid_value',
      'when',
      'A trigger is a map with one key.',
      value,
      replaceRange(`Write ${insert}`, value.from, value.to, insert),
    )
    return null
  }
  const [first, second] = value.type === 'map' ? value.entries : []
  if (!first) {
    context.error('invalid_value', 'when', `when has exactly one trigger out of ${known.join(', ')}.`, value)
    return null
  }
  if (second) {
    context.keyError(
      'two_kinds',
      `when`,
      'A workflow has one trigger: make a second workflow for this one.',
      second,
    )
  }
  const kind = triggerKind(first.key)
  if (!kind) {
    context.reporter.report({ ...unknownKey(first.key, known, [value, 'when']), code: 'unknown_kind' })
    return null
  }
  const { params, faults } = readParams(kind, first.value, `when.${first.key}`, context)
  if (faults.size > 0) return null
  return { kind: kind.kind as TriggerKind, params: params as { [key: string]: Json } }
}
