import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { trace } from '../../src/cli/trace.ts'
import type { RunView } from '../../src/engine/index.ts'
import { Box } from './box.ts'
import { Voice } from './voice.ts'

let voice: Voice
let box: Box

beforeEach(async () => {
  voice = new Voice()
  box = await new Box({ world: voice.world }).start()
})
afterEach(async () => {
  await box.stop()
  await voice.stop()
})

const CALL = `call:
      who: [role:guard, person:ann]
      goal: Find out whether {plate} is expected.
      script: "This is about {plate}, {vehicle_label}"
      outcomes: [expected, unknown]
      fields: { company: [dhl, fedex], code: text, story: long_text, packets: number, urgent: yes_no }
      timeout: 2m`

const file = ({ call = CALL, limits = '{ cooldown: 0s }', rest = '' } = {}) => `
contract: workflow.v1
name: Calls
limits: ${limits}
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - ${call}
    expected: [ log: "{answer} by {answered_by}: {company}, {packets}, {urgent}" ]
    unknown: [ log: unknown ]
    no_answer: [ log: nobody ]
  - log: after
${rest || 'always: [ log: end ]'}
`

const CAME = {
  outcome: 'expected',
  answeredBy: 'Ann',
  reason: 'she waits for a parcel',
  transcript: 'calls/7',
  fields: { company: 'dhl', code: '4711', story: 'two\nlines', packets: 3, urgent: true },
}

const event = () =>
  box.event({ payload: { plate_text: 'X-YZ 9', confidence: 0.97, vehicle_label: 'a {plate} van' } })
const logs = ({ steps }: RunView) => steps.filter(({ kind }) => kind === 'log').map(({ inputs }) => inputs)

async function begin(yaml = file()): Promise<number> {
  await box.save(yaml, 'on')
  return box.begin(event())
}

describe('a call', () => {
  test('waits for what comes of it, and goes that way with what was said', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    voice.comes = () => promise
    const id = await begin()
    await voice.rings()
    const waits = await box.until(id, 'waiting')
    expect(waits.steps).toMatchObject([{ kind: 'call', status: 'waiting', outcome: null, result: null }])
    expect(voice.placed).toEqual([
      {
        id: expect.stringMatching(new RegExp(`-${id}-0$`)),
        who: ['role:guard', 'person:ann'],
        // Data stays data: braces in the goal name it, those in the script are filled in once.
        goal: 'Find out whether {plate} is expected.',
        script: 'This is about X-YZ 9, a {plate} van',
        values: { plate: 'X-YZ 9' },
        outcomes: ['expected', 'unknown'],
        fields: {
          company: ['dhl', 'fedex'],
          code: 'text',
          story: 'long_text',
          packets: 'number',
          urgent: 'yes_no',
        },
        deadline: box.clock.now() + 120_000,
        correlationId: expect.stringMatching(/^run_/),
      },
    ])
    resolve(CAME)
    const run = await box.ended(id)
    expect(run.status).toBe('done')
    expect(logs(run)).toEqual(['expected by Ann: dhl, 3, yes', 'after', 'end'])
    expect(run.steps[0]).toMatchObject({
      status: 'done',
      outcome: 'expected',
      result: { answer: 'expected', answered_by: 'Ann', call: voice.placed[0]?.id, transcript: 'calls/7' },
      fields: CAME.fields,
      reason: 'she waits for a parcel',
      confidence: null,
    })
    const lines = trace(run).split('\n')
    for (const line of ['taken by Ann', 'company: dhl', 'urgent: yes', 'reason: she waits for a parcel'])
      expect(lines).toContain(`    ${line}`)
    expect(run.values).toMatchObject({ answer: 'expected', answered_by: 'Ann', ...CAME.fields })
    expect(box.engine.runs({ limit: 1 })[0]).toMatchObject({
      decision: 'expected',
      reason: 'she waits for a parcel',
    })
    expect(box.store.due.all()).toEqual([])
    expect(voice.hungUp).toEqual([])
  })

  test.each([
    ['nobody takes', { outcome: null, reason: 'it rang in vain' }, 'no_answer', 'it rang in vain'],
    ['comes back empty', {}, 'no_answer', 'Nobody took the call.'],
    ['comes back as no object', 'expected', 'no_answer', 'Nobody took the call.'],
    ['comes to something else', { outcome: 'open the gate' }, 'no_answer', /none of the outcomes/],
    ['comes to several', { outcome: ['expected'] }, 'no_answer', /none of the outcomes/],
    ['cannot be placed', 503, 'call_failed', 'the exchange answered 503'],
  ])('that %s takes no_answer and says why', async (_, came, code, message) => {
    voice.comes = () => came
    const run = await box.ended(await begin())
    expect(run.status).toBe('done')
    expect(logs(run)).toEqual(['nobody', 'after', 'end'])
    // The box's own word for it is no field that was said.
    expect(run.values).toMatchObject({ answer: null, answered_by: '', code: null, company: null })
    expect(run.steps[0]).toMatchObject({
      status: 'done',
      outcome: 'no_answer',
      result: {
        ...{ answer: null, answered_by: '', code, call: voice.placed[0]?.id },
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      },
      fields: null,
    })
  })

  test('is heard as data: what is no field of it is left out, what is too long is cut', async () => {
    voice.comes = () => ({
      outcome: 'unknown',
      answeredBy: `A\u202enn\n${'x'.repeat(10_000)}`,
      reason: 7,
      transcript: { at: 'x' },
      fields: {
        company: 'ups',
        code: 'c'.repeat(100_000),
        story: `\u0000${'{plate} '.repeat(50_000)}`,
        packets: 1e300,
        urgent: 'yes',
        answer: 'expected',
        __proto__: { company: 'dhl' },
      },
    })
    const { steps, values } = await box.ended(await begin())
    expect(values).toMatchObject({ answer: 'unknown', company: null, packets: null, urgent: null })
    expect(String(values.code)).toHaveLength(200)
    expect(String(values.story).length).toBeLessThanOrEqual(1_500)
    expect(String(values.story)).toMatch(/^\{plate\} /)
    expect(String(values.answered_by)).toMatch(/^Ann x+…$/)
    expect(Object.keys(steps[0]?.fields ?? {})).toEqual(['company', 'code', 'story', 'packets', 'urgent'])
    expect(steps[0]?.result).not.toHaveProperty('transcript')
  })

  test('is hung up when its time is up, and what comes then is not heard', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    voice.comes = () => promise
    const id = await begin()
    await voice.rings()
    box.clock.advance(119_999)
    await box.quiet()
    expect(box.engine.run(id)?.status).toBe('waiting')
    box.clock.advance(1)
    const run = await box.ended(id)
    expect(logs(run)).toEqual(['nobody', 'after', 'end'])
    expect(run.steps[0]).toMatchObject({ outcome: 'no_answer', result: { code: 'timeout' }, ms: 120_000 })
    await voice.silence()
    resolve(CAME)
    await box.quiet()
    expect(box.engine.run(id)).toEqual(run)
    expect(voice.placed).toHaveLength(1)
  })

  test('that comes back at its deadline comes too late, though nothing has rung yet', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    voice.comes = () => promise
    const id = await begin()
    await voice.rings()
    await box.until(id, 'waiting')
    const { clock } = box
    const deadline = clock.now() + 120_000
    const asItWas = vi.spyOn(clock, 'now').mockReturnValue(deadline)
    resolve(CAME)
    await box.quiet()
    asItWas.mockRestore()
    expect(box.engine.run(id)?.status).toBe('waiting')
    clock.advance(120_000)
    expect((await box.ended(id)).steps[0]).toMatchObject({
      outcome: 'no_answer',
      result: { code: 'timeout' },
    })
  })

  test('is hung up by a stop; always still runs', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    voice.comes = () => promise
    const id = await begin()
    await voice.rings()
    const run = await box.engine.stopRun(id, 'Ann')
    expect(run.status).toBe('stopped')
    expect(logs(run)).toEqual(['end'])
    await voice.silence()
    resolve(CAME)
    await box.quiet()
    expect(box.engine.run(id)).toEqual(run)
  })

  test('that was settled before the stop keeps what came of it, and the run stops behind it', async () => {
    const id = await begin(file({ call: `name: asked\n    ${CALL}` }))
    await voice.rings()
    const [due] = box.store.due.ofRun(id)
    if (!due) throw new Error('it does not wait')
    // What a call came to and a stop are written in one turn, the call first.
    const came = { outcome: 'unknown', answered_by: 'Ann', transcript: null, fields: {}, reason: '' }
    const written = box.store.write(() => box.store.due.move(due.id, box.clock.now(), { came }))
    const [run] = await Promise.all([box.engine.stopRun(id), written])
    expect(run.status).toBe('stopped')
    expect(run.steps[0]).toMatchObject({ outcome: 'unknown', result: { answer: 'unknown', stopped: true } })
    expect(logs(run)).toEqual(['end'])
  })

  test('of which something comes late settles no other call of its run', async () => {
    await box.stop()
    const answers: ((came: unknown) => void)[] = []
    // One that does not hang up when it is told to.
    const place = () => new Promise<never>(resolve => answers.push(resolve as never))
    box = await new Box({ world: { voice: { lacks: null, place } } }).start()
    const id = await begin(
      file({
        rest: `always:
  - call: { who: role:guard, goal: Say that it is over., outcomes: [expected], timeout: 1m }
    expected: [ log: wrong ]
    no_answer: [ log: right ]`,
      }),
    )
    await box.until(id, 'waiting')
    const stopped = box.engine.stopRun(id)
    while (answers.length < 2) await box.quiet()
    answers[0]?.(CAME)
    await box.quiet()
    expect(box.engine.run(id)?.status).toBe('waiting')
    box.clock.advance(60_000)
    await stopped
    expect(logs(await box.ended(id))).toEqual(['right'])
  })
})

describe('a call and the end of the process', () => {
  test.each([
    ['a restart', () => box.restart(1_000)],
    ['a crash', () => box.crash()],
  ])('%s: nobody knows what came of it, and nobody is called again', async (_, ends) => {
    const id = await begin()
    await voice.rings()
    await box.until(id, 'waiting')
    await ends()
    const run = await box.ended(id)
    expect(run.status).toBe('done')
    expect(logs(run)).toEqual(['nobody', 'after', 'end'])
    expect(run.steps[0]).toMatchObject({ outcome: 'no_answer', result: { code: 'interrupted' } })
    await box.restart()
    await box.quiet()
    expect(voice.placed).toHaveLength(1)
  })

  test('what had come of it before counts', async () => {
    const id = await begin()
    await voice.rings()
    await box.until(id, 'waiting')
    const [due] = box.store.due.ofRun(id)
    const came = { outcome: 'unknown', answered_by: 'Ann', transcript: null, fields: {}, reason: '' }
    await box.store.write(() => box.store.due.move(due?.id ?? 0, box.clock.now(), { came }))
    await box.crash()
    const run = await box.ended(id)
    expect(logs(run)).toEqual(['unknown', 'after', 'end'])
    expect(voice.placed).toHaveLength(1)
  })

  test('a run goes on with the version that it began with', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    voice.comes = () => promise
    const id = await begin()
    await voice.rings()
    const other = file({ call: CALL.replace('[expected, unknown]', '[expected, unknown, other]') })
    const saved = await box.engine.save(other, { id: 1 })
    expect(saved.ok).toBe(true)
    resolve({ outcome: 'other' })
    expect((await box.ended(id)).steps[0]).toMatchObject({ outcome: 'no_answer' })
  })
})

describe('whether anybody is called', () => {
  test('in Test nobody is', async () => {
    await box.save(file(), 'test')
    const run = await box.run(event())
    expect(run.steps[0]).toMatchObject({
      status: 'would_have',
      outcome: 'no_answer',
      result: { answer: null, answered_by: '', would_call: ['role:guard', 'person:ann'] },
    })
    expect(logs(run)).toEqual(['nobody', 'after', 'end'])
    expect(voice.placed).toEqual([])
  })

  test('a file that calls arrives in Test, whatever it says', async () => {
    const saved = await box.engine.save(file().replace('limits:', 'state: on\nlimits:'))
    expect(saved).toMatchObject({ ok: true, workflow: { state: 'test', needs_attention: null } })
  })

  test('a voice that is away: the workflow says so, and comes back by itself', async () => {
    const id = await box.save(file(), 'on')
    voice.lacks = 'the exchange does not answer'
    await box.engine.recheck()
    expect(box.engine.workflow(String(id))?.needs_attention).toContain('call: the exchange does not answer')
    expect(await box.refused(event())).toBe('needs_attention')
    voice.lacks = null
    await box.engine.recheck()
    voice.comes = () => CAME
    expect((await box.run(event())).status).toBe('done')
  })

  test('one that goes away meanwhile is a call that comes to nothing', async () => {
    await box.save(file(), 'on')
    voice.lacks = 'the exchange does not answer'
    const run = await box.run(event())
    expect(run.steps[0]).toMatchObject({
      outcome: 'no_answer',
      result: { code: 'call_failed', message: 'Nobody can be called: the exchange does not answer.' },
    })
    expect(voice.placed).toEqual([])
  })

  test('a call is one of the AI calls of an hour, over a restart too', async () => {
    voice.comes = () => CAME
    await box.save(file({ limits: '{ cooldown: 0s, ai_per_hour: 2 }' }), 'on')
    await box.run(event())
    await box.restart()
    expect((await box.run(event())).steps[0]).toMatchObject({ outcome: 'expected' })
    expect((await box.run(event())).steps[0]).toMatchObject({
      outcome: 'no_answer',
      result: { code: 'over_budget' },
    })
    expect(voice.placed).toHaveLength(2)
  })

  test('a repeat joins a call about the same, and no other', async () => {
    const id = await begin()
    await voice.rings()
    await box.until(id, 'waiting')
    expect(await box.refused(event())).toBe('joined')
    expect(await box.refused(box.event())).toBe('busy')
    expect(box.engine.run(id)?.seen_again).toBe(1)
    expect(voice.placed).toHaveLength(1)
  })

  test('a file that is tried on what was calls nobody', async () => {
    voice.comes = () => CAME
    await box.save(file(), 'on')
    await box.run(event())
    const outcome = await box.engine.learning.try({ id: 1 })
    expect(outcome).toMatchObject({
      ok: true,
      flipped: 0,
      tried: [{ now: { status: 'done', asks: { who: ['role:guard', 'person:ann'] } }, kept_out: null }],
    })
    expect(JSON.stringify(outcome)).toContain('calls role:guard, person:ann “Find out')
    expect(voice.placed).toHaveLength(1)
  })
})

test('what a call came to is AI: an alert says medium at most, marks count, a loop collects it', async () => {
  voice.comes = () => CAME
  await box.save(
    `
contract: workflow.v1
name: Rounds
limits: { cooldown: 0s }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - for_each:
      cameras: [gate]
      collect: round
      do:
        - call: { who: role:guard, goal: Is all well?, outcomes: [expected], fields: { packets: number }, timeout: 1m }
  - alert: { severity: high, title: "{round}" }
`,
    'on',
  )
  const run = await box.run(event())
  const alert = run.steps.find(({ kind }) => kind === 'alert')
  expect(alert).toMatchObject({
    inputs: { title: 'gate: expected, she waits for a parcel (packets 3)' },
    result: { severity: 'medium', asked: 'high' },
  })
  await box.engine.learning.mark(run.id, true, null, 'Ann')
  expect(box.engine.workflow('1')?.accuracy).toMatchObject([{ path: 'then[0].do[0]', marks: 1, right: 1 }])
})
