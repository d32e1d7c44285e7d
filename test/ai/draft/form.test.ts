/** The form of drafts: whatever its grammars let a model say can be read, and the contract knows every key of it. */
import { expect, test } from 'vitest'
import { formOf, PATHS, TIGHT, VARIANTS, WIDE } from '../../../src/ai/draft/form.ts'
import { grammarOf } from '../../../src/ai/draft/grammar.ts'
import { readDraft } from '../../../src/ai/draft/read.ts'
import { eventSchemas, parse, registry } from '../../../src/contract/index.ts'
import { Grammar } from '../decision/gbnf.ts'
import { view } from './world.ts'

const names = { cameras: ['gate', 'yard'], lists: ['residents'], roles: ['guard'], destinations: ['chat'] }
const schemas = eventSchemas().map(({ schema }) => schema)
const form = (size: typeof WIDE) => formOf(registry(), names, schemas, size)

/** Faults that no grammar may let through. */
const SHAPE = [
  'contract_missing',
  'days_without_at',
  'for_each_one_source',
  'invalid_choice',
  'missing_key',
  'schedule_one_way',
  'unknown_action',
  'unknown_key',
  'unknown_kind',
  'value_one_test',
  'wrong_mode',
]

function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test.each([
  ['wide', WIDE, 12],
  ['tight', TIGHT, 80],
] as const)('what the %s grammar lets a model say is of the right shape', (_, size, times) => {
  const grammar = new Grammar(grammarOf(form(size), { ascii: size === TIGHT }))
  let errors = 0
  let read = 0
  for (let seed = 1; seed <= times; seed++) {
    const said = grammar.say(random(seed))
    // A model comes to its end before.
    if (said.length > 30_000) continue
    const yaml = readDraft(said)
    expect(yaml, said).not.toBeNull()
    const { problems } = parse(yaml ?? '', { site: view })
    const found = problems.filter(({ severity }) => severity === 'error')
    errors += found.length
    read++
    expect(found.filter(({ code }) => SHAPE.includes(code))).toEqual([])
  }
  expect(read).toBeGreaterThan(times / 2)
  // They talk nonsense all the same.
  expect(errors).toBeGreaterThan(0)
})

test('the form speaks of kinds and keys that are registered', () => {
  const { triggers, conditions, steps } = registry()
  const keys = new Map(
    [...triggers, ...conditions, ...steps].map(({ kind, params }) => [
      kind,
      Object.keys(Object(params.properties)),
    ]),
  )
  for (const [kind, variants] of Object.entries(VARIANTS))
    for (const key of variants.flatMap(({ need, leave }) => [...need, ...leave]))
      expect([kind, key, keys.get(kind)?.includes(key)]).toEqual([kind, key, true])
  for (const [kind, { of }] of Object.entries(PATHS))
    expect([kind, keys.get(kind)?.includes(of)]).toEqual([kind, true])
})
