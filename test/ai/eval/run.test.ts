import { describe, expect, test } from 'vitest'
import {
  type CaseResult,
  checkDistinct,
  drafterWith,
  type EvalCase,
  fingerprintOf,
  isLeftOut,
  type LeftOut,
  Present,
  playOf,
  RecordedModel,
  readCases,
  runDraftCase,
  runInvestigateCase,
  runLookCase,
} from '../../../src/ai/eval/index.ts'
import type { LanguageModel } from '../../../src/ai/index.ts'
import { ManualClock } from '../../../src/core/index.ts'
import { Scripted } from '../scripted.ts'

const LOOKS = `
suite: look
place: gate
site: { facts: The baker comes at six. }
cases:
  - id: van-of-dhl
    why: a plain courier, as the reader sees him
    split: seen
    prompt: Whose van is this?
    decision: [delivery, other]
    fields: { company: [dhl, none], vehicles: { measure: count, of: vehicle } }
    rules: [ { when: { company: dhl }, then: delivery }, { then: other } ]
    scenes: [ { things: [ { label: truck, score: 0.8 } ], text: [DHL EXPRESS] } ]
    expect: { decision: delivery, fields: { company: dhl, vehicles: 1 } }
  - id: old-picture
    why: what is an hour old says nothing of now
    split: held_out
    prompt: Is somebody there?
    decision: [somebody, nobody]
    fields: { persons: { measure: count, of: person } }
    rules: [ { when: { persons: { at_least: 1 } }, then: somebody }, { then: nobody } ]
    scenes: [ { things: [ { label: person, score: 0.9 } ] } ]
    age: 3600
    expect: { decision: unsure, because: stale_picture }
`
const UNKNOWABLE = `
suite: look
place: gate
cases:
  - { id: rain, why: the text does not tell, split: seen, prompt: Is it raining?, decision: [rain, dry], text: It is late., expect: { decision: unsure } }
`
const INVESTIGATIONS = `
suite: investigate
place: farm
site: { cameras: [gate, yard], lists: [vets], roles: [owner] }
cases:
  - id: vet-at-night
    why: the list says who it is
    split: seen
    goal: Find out whether {plate} is expected.
    decision: [expected, stranger]
    fields: { who: [vet, nobody] }
    event: { schema: plate.recognized.v1, camera: gate }
    values: { plate: HX04KL }
    tools: [site_lookup, camera_health, ask_person]
    results:
      site_lookup:
        - { when: { value: HX04KL }, result: { in_lists: [vets] } }
        - { result: { in_lists: [] } }
      camera_health: [ { error: it cannot be reached } ]
      ask_person: [ { answer: "Yes" } ]
    expect: { decision: expected, fields: { who: vet }, tools: [site_lookup, ask_person] }
`
const DRAFTS = `
suite: draft
place: yard
cases:
  - id: log-plates
    why: the smallest there is
    split: seen
    sentence: Log every plate at the gate.
    never: [alert]
    workflow: |
      contract: workflow.v1
      name: Plates
      when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
      then: [ log: "{plate}" ]
`
const read = (yaml: string): EvalCase[] => readCases(yaml, 'x.yaml')
function only<S extends EvalCase['suite']>(suite: S, yaml: string, index = 0) {
  const one = read(yaml)[index]
  if (one?.suite !== suite) throw new Error(`no case of ${suite}`)
  return one as Extract<EvalCase, { suite: S }>
}
function done(came: CaseResult | LeftOut): CaseResult {
  if (isLeftOut(came)) throw new Error(came.why)
  return came
}

const clock = new ManualClock(1_800_000_000_000)
const now = () => clock.now()
const look = (index: number, language: LanguageModel | null) =>
  runLookCase(only('look', LOOKS, index), {
    language,
    eyes: null,
    picture: () => Promise.reject(new Error('there is none')),
    now,
    timeoutMs: 1000,
  })
const investigate = (language: LanguageModel | null, yaml = INVESTIGATIONS) =>
  runInvestigateCase(only('investigate', yaml), {
    language,
    limits: { toolCalls: 4, ms: 60_000, modelCalls: 8, tokens: 40_000 },
    now,
    after: (ms, callback) => clock.after(ms, callback),
  })

describe('a Look case', () => {
  test('is right where decision and fields are', async () => {
    const model = new Scripted([{ company: 'dhl', reason: 'it says so', self_reported: 0.8 }])
    expect(done(await look(0, model))).toMatchObject({
      ...{ right: true, got: 'delivery', wrong: [], unsure: null, selfReported: 0.8 },
      ...{ modelCalls: 2, tokensIn: 100, tokensOut: 20 },
    })
    expect(model.told()).toContain('DHL EXPRESS')
    expect(model.told()).toContain('The baker comes at six.')
  })
  test('says all that is wrong', async () => {
    const model = new Scripted([{ company: 'none', reason: 'no idea', self_reported: 0.8 }])
    expect(done(await look(0, model)).wrong).toEqual([
      'other instead of delivery',
      'company: none instead of dhl',
    ])
  })
  test('may expect to be unsure for a reason', async () => {
    expect(done(await look(1, null))).toMatchObject({ right: true, got: 'unsure', unsure: 'stale_picture' })
  })
  test('is left out where who it needs is not there', async () => {
    expect(await look(0, null)).toMatchObject({ why: 'it needs a language model' })
    expect(await look(0, new Scripted(['down'], { sees: true }))).toMatchObject({
      why: expect.stringContaining('sees'),
    })
  })
  test('counts a model that is down as unsure, and as wrong', async () => {
    expect(done(await look(0, new Scripted(['down'])))).toMatchObject({ right: false, unsure: 'llm_down' })
  })
  test.each([
    ['unsure', { reason: 'nothing tells', self_reported: 0.2, decision: 'unsure' }, []],
    ['one that says nonsense', 'It is raining.', ['unsure because it failed: invalid_output']],
    ['one that is too slow', 'timeout' as const, ['unsure because it failed: over_budget']],
    ['one that guesses', { reason: 'x', self_reported: 1, decision: 'rain' }, ['rain instead of unsure']],
  ])(
    'that cannot be known is right by a model that says so, and by no failure: %s',
    async (_, said, wrong) => {
      const one = only('look', UNKNOWABLE)
      const ports = { eyes: null, picture: () => Promise.reject(new Error('none')), now, timeoutMs: 1000 }
      expect(done(await runLookCase(one, { ...ports, language: new Scripted([said]) })).wrong).toEqual(wrong)
    },
  )
})

describe('a model that is judged', () => {
  test.each([
    ['down', 'server', true],
    ['overloaded', 'server', true],
    ['refused', 'server', true],
    // A conversation that does not fit its memory is its own.
    ['refused', 'cpu', false],
    ['timeout', 'server', false],
    ['malformed', 'server', false],
  ] as const)('and is %s (%s) was away: %s', async (failure, backend, away) => {
    const model = new Present(new Scripted([failure], { backend }))
    await look(0, model)
    expect(model.away !== null).toBe(away)
  })
})

describe('an Investigate case', () => {
  const finish = { tool: 'finish', args: {} }
  const expected = { who: 'vet', reason: 'on the list', self_reported: 0.9, decision: 'expected' }

  test('has the tools say what was recorded, by their arguments, and people answer', async () => {
    const model = new Scripted([
      { tool: 'site_lookup', args: { value: 'HX04KL' } },
      { tool: 'ask_person', args: { question: 'Is the vet expected?', replies: ['Yes, at nine', 'No'] } },
      finish,
      expected,
    ])
    expect(done(await investigate(model))).toMatchObject({
      ...{ right: true, got: 'expected', limits: [] },
      tools: { needed: ['site_lookup', 'ask_person'], missing: [], called: ['site_lookup', 'ask_person'] },
    })
    const told = model.told(3)
    expect(told).toContain('{"in_lists":["vets"]}')
    expect(told).toContain('Yes, at nine')
    // The cameras of this site, and no other names.
    expect(model.told(0)).toContain('one of "gate", "yard"')
  })
  test('is told the time of its event as a site’s clock shows it', async () => {
    const yaml = INVESTIGATIONS.replace('camera: gate }', 'camera: gate, at: "2026-11-04T19:10+01:00" }')
    const model = new Scripted([finish, expected])
    await investigate(model, yaml)
    expect(model.told(0)).toContain('"time_at_site": "Wednesday 2026-11-04 19:10+01:00"')
    const timeless = new Scripted([finish, expected])
    await investigate(timeless)
    expect(timeless.told(0)).not.toContain('time_at_site')
  })
  test('tells the tools that were missing, what failed, and the limits that were hit', async () => {
    const model = new Scripted([
      { tool: 'site_lookup', args: { value: 'OTHER' } },
      { tool: 'camera_health', args: {} },
      { tool: 'camera_health', args: { camera: 'yard' } },
      { tool: 'camera_health', args: { camera: 'gate' } },
      { ...expected, decision: 'stranger' },
    ])
    const came = done(await investigate(model))
    expect(came).toMatchObject({ right: false, limits: ['tool_calls'] })
    expect(came.wrong).toEqual(['stranger instead of expected'])
    expect(came.tools).toMatchObject({ missing: ['ask_person'], called: ['site_lookup', 'camera_health'] })
  })
  test('is left out without a model', async () => {
    expect(await investigate(null)).toMatchObject({ why: 'it needs a language model' })
  })
  test('is played as it is expected, with all that it needs', async () => {
    const model = new RecordedModel(playOf(only('investigate', INVESTIGATIONS)))
    expect(done(await investigate(model))).toMatchObject({ right: true, tools: { missing: [] } })
  })
  test('is played as it was recorded where it was', async () => {
    const yaml = INVESTIGATIONS.replace(
      '    expect:',
      '    recorded: [ "no JSON", { tool: finish, args: {} }, { who: nobody, reason: x, self_reported: 1, decision: stranger } ]\n    expect:',
    )
    const came = done(await investigate(new RecordedModel(playOf(only('investigate', yaml))), yaml))
    expect(came).toMatchObject({ right: false, got: 'stranger', tools: { called: [] } })
  })
})

describe('a drafting case', () => {
  const draft = (yaml: string | null) =>
    runDraftCase(only('draft', DRAFTS), {
      now,
      draft:
        yaml === null
          ? () => Promise.reject(new Error('it is down'))
          : async () => ({ yaml, modelCalls: 1, tokensIn: 5, tokensOut: 6 }),
    })
  const good = only('draft', DRAFTS).workflow

  test('is right where the draft does what is expected, whatever it is called', async () => {
    const came = done(await draft(good.replace('Plates', 'Another name').replace('{plate}', 'seen: {plate}')))
    expect(came).toMatchObject({ right: true, wrong: [], tokensIn: 5, tokensOut: 6 })
  })
  test.each([
    ['no YAML', 'then: [', 'it is not valid'],
    ['a kind that there is not', good.replace('log:', 'shout:'), 'it is not valid'],
    [
      'another trigger',
      good
        .replace('event: { schema: plate.recognized.v1, cameras: [gate] }', 'button: {}')
        .replace('{plate}', 'x'),
      'trigger: event is missing',
    ],
    ['another camera', good.replace('[gate]', '[yard]'), 'cameras: gate is missing'],
    ['no camera', good.replace(', cameras: [gate]', ''), 'cameras: gate is missing'],
    [
      'what must not be in it',
      good.replace('then: [', 'then: [ alert: { severity: low, title: x },'),
      'alert must not be in it',
    ],
    ['no draft', null, 'nothing was drafted: it is down'],
  ])('is wrong by %s', async (_, yaml, why) => {
    const came = done(await draft(yaml))
    expect(came.right).toBe(false)
    expect(came.wrong.join('\n')).toContain(why)
  })
  test('is right where the same time is said in another way', async () => {
    const at = (when: string) =>
      DRAFTS.replace('event: { schema: plate.recognized.v1, cameras: [gate] }', when).replace('{plate}', 'x')
    const one = readCases(
      at('schedule: { at: "07:30", days: [mon, fri] }').replace(
        'never: [alert]',
        'match: [trigger, trigger_params]',
      ),
      'x.yaml',
    )[0]
    if (one?.suite !== 'draft') throw new Error('it is one')
    const came = async (when: string) => {
      const yaml = only('draft', at(when)).workflow
      const draft = async () => ({ yaml, modelCalls: 1, tokensIn: 0, tokensOut: 0 })
      return done(await runDraftCase(one, { now, draft })).right
    }
    expect(await came('schedule: { cron: "30 7 * * 1,5" }')).toBe(true)
    expect(await came('schedule: { cron: "30 7 * * mon-fri" }')).toBe(false)
    expect(await came('schedule: { at: "07:30" }')).toBe(false)
  })
  test('is drafted by a model for the site of the case, put right, and counted', async () => {
    const yaml = DRAFTS.replace('cases:', 'site: { cameras: [gate], facts: The baker comes at six. }\ncases:')
    const good = {
      when: { event: { schema: 'plate.recognized.v1', cameras: ['gate'] } },
      then: [{ log: '{plate}' }],
    }
    const file = { contract: 'workflow.v1', name: 'Plates', ...good }
    const model = new Scripted([{ ...file, then: [{ log: '{nonsense}' }] }, file])
    const came = done(await runDraftCase(only('draft', yaml), { now, draft: drafterWith(model, { now }) }))
    expect(came).toMatchObject({ wrong: [], right: true, modelCalls: 2, tokensIn: 200, tokensOut: 40 })
    expect(model.told()).toContain('Log every plate at the gate.')
    expect(model.told()).toContain('The baker comes at six.')
    const down = drafterWith(new Scripted(['down']), { now })
    expect(done(await runDraftCase(only('draft', yaml), { now, draft: down }))).toMatchObject({
      ...{ right: false, unsure: 'not_drafted', got: 'nothing' },
    })
  })
  test('is left out where nobody drafts', async () => {
    expect(await runDraftCase(only('draft', DRAFTS), { now, draft: null })).toMatchObject({
      why: 'it needs a language model',
    })
  })
})

describe('a file of cases', () => {
  test.each([
    ['suite: look', 'suite: other', 'suite: is none of'],
    [
      'decision: delivery, fields',
      'decision: gift, fields',
      'the expected decision gift is none of its decisions',
    ],
    ['company: dhl, vehicles: 1', 'colour: red', 'the expected field colour'],
    ['then: other', 'then: lost', 'a rule leads to lost'],
    ['decision: [delivery, other]', 'decision: [delivery, other, unsure]', 'unsure is always a decision'],
    ['split: seen', 'split: both', '/cases/0/split'],
    ['age: 3600', 'age: 3600\n    text: x', 'more than one of'],
    ['why: a plain', 'because: a plain', '/cases/0/why'],
    ['place: gate', 'place: &a gate\nother: *a', 'cannot be used'],
  ])('%s → %s is refused', (from, to, why) => {
    expect(() => read(LOOKS.replace(from, to))).toThrow(why)
  })
  test.each([
    [
      'tools: [site_lookup, camera_health, ask_person]',
      'tools: [site_lookup, open_gate, ask_person]',
      'there is no tool open_gate',
    ],
    [
      'tools: [site_lookup, camera_health, ask_person]',
      'tools: [site_lookup, ask_person]',
      'camera_health has results',
    ],
    [
      'tools: [site_lookup, ask_person] }',
      'tools: [site_lookup, recent_plates] }',
      'recent_plates has no result',
    ],
    ['who: [vet, nobody]', 'who: { measure: count }', 'the field who is measured'],
  ])('of investigations: %s → %s is refused', (from, to, why) => {
    expect(() => read(INVESTIGATIONS.replace(from, to))).toThrow(why)
  })
  test('has no case twice, by name or by what it asks', () => {
    const [one, two] = read(LOOKS)
    if (!one || !two) throw new Error('there are two')
    expect(() => checkDistinct([one, two])).not.toThrow()
    expect(() => checkDistinct([one, { ...two, id: one.id } as EvalCase])).toThrow(
      'two cases are named van-of-dhl',
    )
    expect(() => checkDistinct([one, { ...one, id: 'other', why: 'another why' } as EvalCase])).toThrow(
      'other asks what van-of-dhl asks',
    )
  })
  test('has a fingerprint that hangs on what it holds, in whatever order', () => {
    const [one, two] = read(LOOKS)
    if (!one || !two) throw new Error('there are two')
    expect(fingerprintOf([one, two])).toBe(fingerprintOf([two, one]))
    expect(fingerprintOf([one])).not.toBe(fingerprintOf([two]))
  })
})
