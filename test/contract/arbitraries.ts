/** Random workflows over all kinds, as far as a schema and a kind's own rules let them be. */
import type { TSchema } from '@sinclair/typebox'
import fc from 'fast-check'
import { oddCharacter } from '../../src/contract/characters.ts'
import type { Condition, Json, Step, StepKind, Workflow } from '../../src/contract/index.ts'
import { actions, conditions, STEP_KINDS, steps, triggers } from '../../src/contract/kinds/index.ts'

/** Texts of every sort that a file may hold: quotes, braces, colons, lines, accents, what looks like a number. */
const anyText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }),
  fc.constantFrom(
    'yes',
    'no',
    'on',
    'true',
    'null',
    '~',
    '1',
    '1.5',
    '0x1F',
    '1e3',
    '22:00',
    '5m',
    '- a',
    '# no comment',
    'a: b',
    'a #b',
    '{plate}',
    '[x]',
    '&a',
    '*a',
    '!t',
    '|',
    '>',
    '%',
    '@',
    '`',
    '"',
    "'",
    '\\',
    ' lead',
    'trail ',
    'two\nlines',
    'two\nlines\n',
    '\nfirst empty',
    'a\n\n  indented\nb',
    'a\n\ufeffb\u2028c\n#d',
    'tab\there',
    'cr\r\nlf',
    'Ünïcödé',
    '\ufefffoo',
    '\u2028',
    '---',
    '...',
    'key:',
    '?',
    '-',
    'x'.repeat(120),
  ),
)
const legal = (text: string) => oddCharacter(text) < 0
const text = anyText.filter(legal)
const key = text.filter(each => !(each.normalize('NFC') in {}) && each.normalize('NFC') !== '<<')

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter(n => !Number.isInteger(n)),
    fc.array(tie('value'), { maxLength: 3 }),
    dictionary(tie('value')),
  ),
})).value

function dictionary<T>(value: fc.Arbitrary<T>, minKeys = 0): fc.Arbitrary<Record<string, T>> {
  return fc
    .uniqueArray(fc.tuple(key, value), {
      minLength: minKeys,
      maxLength: 3,
      selector: ([k]) => k.normalize('NFC'),
    })
    .map(entries => Object.fromEntries(entries))
}

/** What fits a schema. */
function fitting(schema: TSchema): fc.Arbitrary<Json> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...(schema.anyOf as TSchema[]).map(fitting))
  switch (schema.type) {
    case 'string': {
      if (schema.pattern)
        return fc.stringMatching(new RegExp(schema.pattern), { maxLength: 30 }).filter(legal)
      return text.filter(each => each.length <= (schema.maxLength ?? 1000))
    }
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 })
    case 'number':
      return fc.oneof(
        fc
          .double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
          .map(n => (n === 0 ? 0 : n)),
        fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 }),
      )
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fitting(schema.items), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(3, schema.maxItems ?? 3),
      })
    case 'object':
      return object(schema)
    default:
      return json
  }
}

function object(schema: TSchema): fc.Arbitrary<Json> {
  if (typeof schema.additionalProperties === 'object') {
    return dictionary(fitting(schema.additionalProperties), schema.minProperties ?? 0)
  }
  const properties = Object.fromEntries(
    Object.entries<TSchema>(schema.properties).map(([name, inner]) => [name, fitting(inner)]),
  )
  const fits = fc.record(properties, { requiredKeys: schema.required ?? [] }) as fc.Arbitrary<
    Record<string, Json>
  >
  return fits.filter(map => Object.keys(map).length >= (schema.minProperties ?? 0))
}

type Kind = {
  kind: string
  params: TSchema
  check?(params: unknown, found: (finding: { severity?: string }) => void): void
}

/** A map without some keys. */
const without = <T extends object>(map: T, ...keys: string[]) =>
  Object.fromEntries(Object.entries(map).filter(([name]) => !keys.includes(name)))

/** Keys of which a kind takes exactly one. */
const ONE_OF: Readonly<Record<string, readonly string[]>> = {
  schedule: ['cron', 'every', 'at'],
  value: ['is', 'in', 'at_least', 'at_most', 'contains_any', 'is_not', 'present'],
  for_each: ['cameras', 'list', 'events'],
}

/** Parameters that a kind's own rules accept too. */
function paramsOf(kind: Kind): fc.Arbitrary<Json> {
  const keys = ONE_OF[kind.kind]
  const given = keys ? oneKeyed(kind, keys) : fitting(kind.params)
  return given.filter(params => {
    let errors = 0
    kind.check?.(params, ({ severity }) => {
      if (severity !== 'warning') errors++
    })
    return errors === 0
  })
}

function oneKeyed(kind: Kind, keys: readonly string[]): fc.Arbitrary<Json> {
  const rest = fitting(kind.params) as fc.Arbitrary<Record<string, Json>>
  return fc.constantFrom(...keys).chain(key => {
    const value =
      key === 'cron' ? fc.constant('*/5 8-18 * jan,jul mon-fri') : fitting(kind.params.properties[key])
    const unwanted = [...keys, ...(key === 'at' ? [] : ['days'])]
    return fc.tuple(rest, value).map(([others, one]) => ({ ...without(others, ...unwanted), [key]: one }))
  })
}

const kindsOf = <T extends object>(map: T) => Object.entries(map) as [string, Kind][]

/** Every condition without one inside, by kind. */
export const conditionsByKind: readonly [string, fc.Arbitrary<Condition>][] = kindsOf(conditions)
  .filter(([kind]) => !['not', 'any', 'all'].includes(kind))
  .map(([kind, descriptor]) => [kind, paramsOf(descriptor).map(params => ({ kind, params }) as Condition)])

const condition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>(tie => ({
  condition: fc.oneof(
    { maxDepth: 2 },
    ...conditionsByKind.map(([, one]) => one),
    tie('condition').map(params => ({ kind: 'not', params }) as Condition),
    fc
      .tuple(fc.constantFrom('any', 'all'), fc.array(tie('condition'), { minLength: 1, maxLength: 3 }))
      .map(([kind, params]) => ({ kind, params }) as Condition),
  ),
})).condition
const conditionList = fc.array(condition, { minLength: 1, maxLength: 3 })

const stepName = fc.option(fc.stringMatching(/^[b-h][a-z0-9_-]{0,8}$/), { nil: undefined })
const named = (step: Omit<Step, 'name'>, name: string | undefined): Step => (name ? { ...step, name } : step)

/** Every action, by kind. */
export const actionsByKind: readonly [string, fc.Arbitrary<Step>][] = kindsOf(actions).map(
  ([kind, descriptor]) => [
    kind,
    fc
      .tuple(paramsOf(descriptor), stepName)
      .map(([params, name]) => named({ kind: kind as StepKind, params, paths: {} }, name)),
  ],
)
const action = fc.oneof(...actionsByKind.map(([, one]) => one))

/** Outcomes that may stand as keys: no kind, no reserved word. */
const outcomes = fc.uniqueArray(
  text.filter(
    one =>
      one.length <= 64 &&
      ![...STEP_KINDS, 'name', 'no_answer', 'unsure'].includes(one) &&
      !(one.normalize('NFC') in {}) &&
      one !== '<<',
  ),
  {
    minLength: 1,
    maxLength: 3,
    selector: one => one.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim(),
  },
)

const aiKeys = Object.keys(steps.ai.params.properties)
const aiParams = fc
  .record({
    decision: outcomes.filter(names => !names.some(name => [...aiKeys, 'ai'].includes(name))),
    look: fc.boolean(),
    rest: fitting(steps.ai.params) as fc.Arbitrary<Record<string, Json>>,
    prompt: text,
    input: fitting(steps.ai.params.properties.input),
    tools: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 5 }),
    who: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 3 }),
  })
  .map(({ decision, look, rest, prompt, input, tools, who }) => ({
    ...without(
      rest,
      ...(look ? ['goal', 'instructions', 'tools', 'memory'] : ['prompt', 'input', 'look_at', 'max_age']),
    ),
    ...(look ? { mode: 'look', prompt, input } : { mode: 'investigate', goal: prompt, tools }),
    decision,
    fields: { who, note: 'text', sure_of: 'yes_no' },
    rules: [{ when: { who, sure_of: 'yes' }, then: decision[0] as string }, { then: 'unsure' }],
  }))

const step: fc.Arbitrary<Step> = fc.letrec<{ step: Step; list: Step[] }>(tie => {
  const optional = <T extends string>(names: readonly T[]) =>
    fc
      .tuple(
        fc.subarray([...names]),
        fc.array(tie('list'), { minLength: names.length, maxLength: names.length }),
      )
      .map(([chosen, lists]) =>
        Object.fromEntries(chosen.map((name, index) => [name, lists[index] as Step[]])),
      )
  const all = (names: readonly string[]) =>
    fc
      .array(tie('list'), { minLength: names.length, maxLength: names.length })
      .map(lists => Object.fromEntries(names.map((name, index) => [name, lists[index] as Step[]])))
  const flow = (
    kind: StepKind,
    params: fc.Arbitrary<unknown>,
    paths: (params: never) => fc.Arbitrary<Step['paths']>,
  ) =>
    params.chain(given =>
      fc
        .tuple(paths(given as never), stepName)
        .map(([inner, name]) => named({ kind, params: given, paths: inner }, name)),
    )
  const chosen = (kind: 'ask_person' | 'call', names: 'replies' | 'outcomes') =>
    fc
      .tuple(fitting(steps[kind].params) as fc.Arbitrary<Record<string, Json>>, outcomes)
      .map(([params, given]) => ({
        ...without(params, 'default', 'fields'),
        [names]: given,
      }))
  return {
    list: fc.array(tie('step'), { maxLength: 1 }),
    step: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'step' },
      action,
      flow('ai', aiParams, ({ decision }: { decision: string[] }) => all([...decision, 'unsure'])),
      flow('if', conditionList, () =>
        fc.tuple(all(['then']), optional(['else'])).map(([then, otherwise]) => ({ ...then, ...otherwise })),
      ),
      flow('for_each', paramsOf(steps.for_each as unknown as Kind), () => all(['do'])),
      flow('ask_person', chosen('ask_person', 'replies'), ({ replies }: { replies: string[] }) =>
        optional([...replies, 'no_answer']),
      ),
      flow('call', chosen('call', 'outcomes'), ({ outcomes: given }: { outcomes: string[] }) =>
        optional([...given, 'no_answer']),
      ),
      flow('wait', fitting(steps.wait.params), () => fc.constant({})),
      flow(
        'wait_for',
        condition.map(until => ({ until, every: '5s', timeout: '1m' })),
        () => optional(['met', 'timeout']),
      ),
    ),
  }
}).step

/** Every trigger, by kind. */
export const triggersByKind: readonly [string, fc.Arbitrary<Workflow['when']>][] = kindsOf(triggers).map(
  ([kind, descriptor]) => [kind, paramsOf(descriptor).map(params => ({ kind, params }) as Workflow['when'])],
)

export const workflow: fc.Arbitrary<Workflow> = fc
  .record({
    name: text.filter(each => !each.includes('\n') && each.length <= 100),
    description: fc.option(text, { nil: undefined }),
    state: fc.constantFrom('off' as const, 'test' as const, 'on' as const),
    limits: fc.constantFrom<Workflow['limits']>(
      {},
      { cooldown: '5m' },
      { one_at_a_time: 'plate', per_hour: 9 },
    ),
    when: fc.oneof(...triggersByKind.map(([, one]) => one)),
    if: fc.array(condition, { maxLength: 3 }),
    then: fc.array(step, { minLength: 1, maxLength: 3 }),
    always: fc.array(step, { maxLength: 1 }),
  })
  .map(({ description, ...rest }) => ({
    contract: 'workflow.v1' as const,
    ...rest,
    ...(description === undefined ? {} : { description }),
  }))
