import { Database } from 'bun:sqlite'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LookInput, runLook } from '../../../src/ai/index.ts'
import { ManualClock } from '../../../src/core/index.ts'
import type { ComparedEvent } from '../../../src/engine/index.ts'
import { TrialClock } from '../../../src/engine/learn/trial-clock.ts'
import { Site } from '../../../src/site/index.ts'
import type { Seen } from '../../../src/vision/index.ts'
import { Box, decision, picture, SITE } from '../box.ts'

const seen: Seen = {
  width: 640,
  height: 480,
  detections: [],
  below: {},
  lines: null,
  cut: false,
  ms: { decode: 1, detect: 2, read: 0 },
  models: { detector: 'test', reader: null },
}
const one = { value: 1, confidence: 0.9 }

let box: Box
/** What each Look was given. */
let looked: LookInput[]
beforeEach(async () => {
  box = await new Box().start()
  looked = []
  box.look = async (_spec, input) => {
    looked.push(input)
    return decision({
      decision: textOf(input).includes('cat') ? 'clear' : 'person',
      reason: textOf(input),
      confidence: 0.9,
    })
  }
})
afterEach(() => box.stop())

const textOf = ({ pictures }: LookInput) =>
  pictures.map(({ bytes }) => new TextDecoder().decode(bytes.slice(3))).join('+')

const file = (
  parts: { guard?: string; before?: string; input?: string; when?: string; then?: string } = {},
) => `
contract: workflow.v1
name: Yard
state: test
limits: { cooldown: 10m, per_hour: 1000, ai_per_hour: 1000 }
when: ${parts.when ?? '{ event: { schema: picture.arrived.v1, cameras: [yard] } }'}
${parts.guard ? `if: [ ${parts.guard} ]\n` : ''}then:
${parts.before ?? ''}  - ai:
      mode: look
      prompt: Who?
      input: ${parts.input ?? 'picture'}
      decision: [person, clear]
      person: [ ${parts.then ?? 'webhook: { to: chat, json: { text: "{reason}" } }'} ]
      clear: []
      unsure: []
`
const arrived = (name: string, patch: Parameters<Box['event']>[0] = {}) =>
  box.event({
    schema: 'picture.arrived.v1',
    cameraId: 'yard-1',
    payload: { file: name },
    pictures: [picture(name, box.clock.now())],
    ...patch,
  })
async function tryOn(what: { id?: number; yaml?: string }) {
  const outcome = await box.engine.learning.try(what)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  return outcome
}
/** How many rows the box has, asked from the outside. */
function rows() {
  const tables = [
    'workflows',
    'workflow_runs',
    'workflow_run_steps',
    'workflow_versions',
    'events',
    'media',
    'due',
  ]
  const db = new Database(join(box.dir, 'gatehouse.db'), { readonly: true })
  const counts = [...tables, 'notices', 'intents', 'workflow_tool_calls'].map(table =>
    db.query(`SELECT count(*) AS n FROM ${table}`).get(),
  )
  db.close()
  return counts
}

describe('a file tried on events of the past', () => {
  test('says what came of each then and would now, newest first, and leaves nothing behind', async () => {
    const id = await box.save(file(), 'on')
    for (const name of ['one', 'cat', 'two']) {
      await box.run(arrived(name))
      box.clock.advance(20 * 60_000)
    }
    const [before, sent, at] = [rows(), box.sent.length, box.clock.now()]
    looked.length = 0
    const draft = file()
      .replace('decision: [person, clear]', 'decision: [clear, person]')
      .replace('Who?', 'Cats?')
    box.look = async (_spec, input) => {
      looked.push(input)
      return decision({
        decision: textOf(input) === 'one' ? 'clear' : 'person',
        reason: textOf(input),
        confidence: 0.7,
      })
    }
    const { tried, flipped, note } = await tryOn({ id, yaml: draft })
    expect(looked.map(textOf)).toEqual(['two', 'cat', 'one'])
    expect([flipped, note]).toEqual([2, null])
    expect(tried.map(({ then, now, flipped: turned }) => [then?.decision, now?.decision, turned])).toEqual([
      ['person', 'person', false],
      ['clear', 'person', true],
      ['person', 'clear', true],
    ])
    expect(tried[0]).toMatchObject({
      event: { kind: 'event', camera: 'yard-1', run: 3, at: '2026-03-10T12:40:00.000Z' },
      then: {
        run: 3,
        version: 1,
        reason: 'two',
        confidence: 0.9,
        effects: [{ kind: 'webhook', status: 'done' }],
      },
      now: {
        run: null,
        status: 'done',
        reason: 'two',
        confidence: 0.7,
        effects: [{ kind: 'webhook', status: 'would_have', inputs: { to: 'chat', json: { text: 'two' } } }],
      },
      kept_out: null,
    })
    expect([rows(), box.sent.length, box.clock.now()]).toEqual([before, sent, at])
    expect(readdirSync(join(box.dir, 'try'))).toEqual([])
    // No cooldown of the box began.
    await box.run(arrived('three'))
  })

  test('that somebody else brings, or has to carry out, is tried without anybody being asked', async () => {
    box.site = Site.load(
      SITE.replace(
        'destinations:',
        'mqtt: { url: mqtt://192.0.2.1 }\ndestinations:\n  lamp: { topic: hall/lamp, class: tell }',
      ),
      'site.yaml',
    )
    const publish = async () => {
      throw new Error('somebody was asked')
    }
    Object.assign(box.world, { tracks: { lacks: null }, broker: { lacks: null, publish } })
    const stays = (seconds: number) =>
      `{ detect.person_in_zone: { cameras: [yard], min_seconds: ${seconds} } }`
    const id = await box.save(file({ when: stays(5), then: 'mqtt: { to: lamp, json: ON }' }), 'test')
    const asked = { zone: null, min_seconds: 5, stationary: false }
    const payload = { label: 'person', zone: null, seconds: 5, track: '7', score: 0.9, asked }
    await box.run(arrived('one', { kind: 'detect.person_in_zone', schema: null, payload }))
    const { tried } = await tryOn({ id })
    expect(tried).toMatchObject([{ kept_out: null, now: { decision: 'person' }, flipped: false }])
    // What was counted for five seconds says nothing about ten.
    const other = await tryOn({ yaml: file({ when: stays(10) }) })
    expect(other.tried).toEqual([])
  })

  test('takes conditions at the time of then, skips waits, and does not wait for them', async () => {
    const id = await box.save(file(), 'on')
    await box.run(arrived('noon'))
    box.clock.advance(8 * 3_600_000)
    await box.run(arrived('evening'))
    const guard = 'time: { from: "19:00", to: "23:00" }'
    const { tried } = await tryOn({ id, yaml: file({ guard, before: '  - wait: 30m\n' }) })
    expect(tried.map(({ now, kept_out, flipped }) => [now?.decision ?? kept_out?.code, flipped])).toEqual([
      ['person', false],
      ['guard', true],
    ])
  })

  test('of another workflow has nothing to compare with, and leaves out what its guard does', async () => {
    await box.save(file(), 'on')
    await box.run(arrived('one'))
    const { tried } = await tryOn({ yaml: file().replace('Yard', 'Draft') })
    expect(tried).toMatchObject([{ then: null, now: { decision: 'person' }, flipped: null }])
    const guarded = await tryOn({ yaml: file({ guard: 'camera: [gate]' }) })
    expect(guarded).toMatchObject({ tried: [], note: 'No event that is kept would have started it.' })
  })

  test('sees what cameras showed then, and none of now', async () => {
    let n = 0
    box.snapshot = async cameraId => ({
      ...picture(`shot ${++n}`, box.clock.now()),
      source: `camera ${cameraId}`,
    })
    const id = await box.save(file(), 'on')
    await box.run(arrived('', { pictures: [] }))
    looked.length = 0
    await tryOn({ id })
    expect([looked.map(textOf), n]).toEqual([['shot 1'], 1])
    const { tried } = await tryOn({
      id,
      yaml: file().replace('input: picture', 'input: picture\n      look_at: gate'),
    })
    expect(tried[0]?.now).toMatchObject({ decision: 'unsure', reason: 'no picture of camera gate was kept' })
  })

  test('judges how old a picture is at the time of then, that of a camera too', async () => {
    const fields = 'fields: { persons: { measure: count, of: person } }\n      max_age: 30s'
    const rules = 'rules: [ { when: { persons: { at_least: 1 } }, then: person }, { then: clear } ]'
    const looks = file()
      .replace('input: picture', `input: picture\n      ${fields}`)
      .replace('person: [', `${rules}\n      person: [`)
    box.look = (spec, input, options) =>
      runLook(spec, input, {
        ...options,
        vision: { shrink: async it => it, see: async () => seen },
        measure: () => one,
      })
    let age = 2_000
    box.snapshot = async cameraId => ({
      ...picture('shot', box.clock.now() - age),
      source: `camera ${cameraId}`,
    })
    const id = await box.save(looks, 'on')
    await box.run(arrived('fresh'))
    box.clock.advance(20 * 60_000)
    await box.run(arrived('', { pictures: [] }))
    box.clock.advance(20 * 60_000)
    age = 45_000
    await box.run(arrived('', { pictures: [] }))
    box.clock.advance(20 * 60_000)
    const { tried, flipped } = await tryOn({ id, yaml: looks.replace('then:\n', 'then:\n  - wait: 10s\n') })
    expect(tried.map(({ then, now }) => [then?.decision, now?.decision])).toEqual([
      ['unsure', 'unsure'],
      ['person', 'person'],
      ['person', 'person'],
    ])
    expect([flipped, tried[0]?.now?.reason]).toEqual([0, expect.stringContaining('is 45 s old')])
  })

  test('compares as far as to a question to people, which nobody is asked now', async () => {
    const asking = (message: string, also = '') => `
contract: workflow.v1
name: Ask
limits: { cooldown: 1s }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
${also}  - ask_person: { who: role:guard, message: "${message}", replies: [Open, Refuse], timeout: 60s, default: Refuse }
    Open: [ webhook: { to: barrier } ]
    Refuse: [ log: refused ]
`
    const id = await box.save(asking('Open for {plate}?'), 'on')
    const run = await box.begin(box.event())
    await box.until(run, 'waiting')
    const [question] = box.engine.approvals({ open: true })
    await box.engine.answer(question?.id ?? 0, 'Open', { by: 'session', name: 'Ann' })
    await box.ended(run)
    const { tried, flipped } = await tryOn({ id })
    expect([flipped, tried[0]?.flipped]).toEqual([0, false])
    expect(tried[0]?.then?.did).toBe('asks role:guard “Open for B-AB 123?”: Open by Ann, webhook to barrier')
    expect(tried[0]?.now).toMatchObject({
      did: 'asks role:guard “Open for B-AB 123?”',
      asks: { who: ['role:guard'], message: 'Open for B-AB 123?' },
    })
    for (const other of [
      asking('Let {plate} in?'),
      asking('Open for {plate}?', '  - notify: { who: role:guard, message: Look }\n'),
    ])
      expect(await tryOn({ id, yaml: other })).toMatchObject({ flipped: 1 })
  })

  test('moves nothing and sets nothing', async () => {
    const id = await box.save(file(), 'on')
    await box.run(arrived('one'))
    const moves = `
contract: workflow.v1
name: Yard
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
if: [ in_list: { list: residents, value: "{plate}" } ]
then: [ site_mode: { to: armed_away }, webhook: { to: barrier } ]
`
    const plate = await box.save(moves, 'on')
    box.sent.length = 0
    await box.run(box.event())
    expect([box.sent.length, box.store.meta.get('site_mode')]).toEqual([1, 'armed_away'])
    await box.store.write(() => box.store.meta.set('site_mode', 'disarmed'))
    const { tried } = await tryOn({ id: plate })
    expect(tried[0]).toMatchObject({
      then: {
        effects: [
          { kind: 'site_mode', status: 'done' },
          { kind: 'webhook', status: 'done' },
        ],
      },
      now: {
        effects: [
          { kind: 'site_mode', status: 'would_have' },
          { kind: 'webhook', status: 'would_have' },
        ],
      },
      flipped: false,
    })
    expect([box.sent.length, box.store.meta.get('site_mode')]).toEqual([1, 'disarmed'])
    expect(id).not.toBe(plate)
  })

  test('takes at most twenty, its own hooks only, and says when pictures are gone', async () => {
    const when = '{ webhook: {} }'
    const id = await box.save(file({ when, then: '' }).replace('10m', '0s'), 'test')
    for (let i = 0; i < 22; i++)
      await box.run({ ...box.hook(id, {}, 'yard-1'), pictures: [picture(`p${i}`, box.clock.now())] })
    const { tried } = await tryOn({ id })
    expect([tried.length, tried[0]?.now?.reason]).toEqual([20, 'p21'])
    expect(await tryOn({ yaml: file({ when }) })).toMatchObject({ tried: [], flipped: 0 })
    const media = box.store.media.ofRun(22)[0]
    rmSync(join(box.dir, 'media', media?.hash.slice(0, 2) ?? '', media?.hash ?? ''))
    expect((await tryOn({ id })).tried[0]).toMatchObject({
      now: null,
      kept_out: { code: 'no_picture' },
      flipped: null,
    })
  })

  test('ends when its time is over, and one is tried at a time', async () => {
    const id = await box.save(file(), 'on')
    await box.run(arrived('one'))
    box.look = () => new Promise(() => {})
    const one = box.engine.learning.try({ id })
    await expect(box.engine.learning.try({ id })).rejects.toMatchObject({ code: 'try_busy', status: 409 })
    for (let i = 0; i < 40; i++) {
      await Bun.sleep(10)
      box.clock.advance(4_000)
    }
    const outcome = await one
    expect(outcome.ok && outcome.tried[0]).toMatchObject({ now: null, kept_out: { code: 'over_budget' } })
    box.look = async () => decision({ decision: 'person' })
    expect((await tryOn({ id })).tried).toHaveLength(1)
  })

  test('is told event by event to whoever watches, beside the version in force, with its steps', async () => {
    const id = await box.save(file(), 'on')
    await box.run(arrived('one'))
    box.clock.advance(20 * 60_000)
    // Only another one takes this: what the version in force makes of it has to be tried.
    await box.engine.setState(id, 'off')
    await box.save(file().replace('Yard', 'Other'), 'on')
    const admissions = await box.engine.submit(arrived('two'))
    await box.ended(admissions.find(({ run }) => run !== null)?.run ?? 0)
    const begun: object[] = []
    const told: ComparedEvent[] = []
    const watcher = {
      signal: new AbortController().signal,
      begins: (about: object) => begun.push(about),
      tried: (one: ComparedEvent) => told.push(one),
    }
    const guard = 'not: { value: { of: file, is: one } }'
    const yaml = file({ guard, then: '' }).replace('decision: [person, clear]', 'decision: [clear, person]')
    box.look = async (_spec, input) =>
      decision({ decision: 'person', reason: textOf(input), confidence: 0.7 })
    const outcome = await box.engine.learning.try({ id, yaml, watcher })
    expect(begun).toEqual([{ trigger: 'event', of: 2, version: 1 }])
    expect(outcome).toMatchObject({ ok: true, flipped: 1 })
    expect(told).toMatchObject([
      {
        then: null,
        saved: { run: null, decision: 'person', effects: [{ kind: 'webhook', status: 'would_have' }] },
        now: { decision: 'person', effects: [] },
        flipped: false,
      },
      { saved: { run: 1, decision: 'person' }, now: null, kept_out: { code: 'guard' }, flipped: true },
    ])
    const [{ event, trace } = {}] = told
    // What was looked at is found under its id on the box.
    expect(trace?.pictures).toMatchObject([{ media: event?.picture }])
    expect(box.store.media.get(event?.picture ?? 0)).toMatchObject({ runId: event?.run })
    expect(trace?.steps).toMatchObject([{ kind: 'ai', outcome: 'person' }])
  })

  test('ends when whoever watches leaves, and the next one may begin', async () => {
    const id = await box.save(file(), 'on')
    for (const name of ['one', 'two']) {
      await box.run(arrived(name))
      box.clock.advance(20 * 60_000)
    }
    const left = new AbortController()
    const asked = Promise.withResolvers<void>()
    box.look = async (_spec, _input, { signal }) => {
      asked.resolve()
      const { promise, reject } = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => reject(new Error('gone')))
      return promise
    }
    const told: object[] = []
    const watcher = { signal: left.signal, begins: () => {}, tried: (one: object) => told.push(one) }
    const trying = box.engine.learning.try({ id, watcher })
    await asked.promise
    left.abort()
    expect([await trying, told]).toMatchObject([{ ok: true, tried: [] }, []])
    box.look = async () => decision({ decision: 'person' })
    expect((await tryOn({ id })).tried).toHaveLength(2)
  })

  test('with errors is refused with all of them', async () => {
    expect(await box.engine.learning.try({ yaml: 'contract: workflow.v1' })).toMatchObject({
      ok: false,
      problems: [{ severity: 'error' }, {}, {}],
    })
    await expect(box.engine.learning.try({ id: 99 })).rejects.toMatchObject({ code: 'workflow_unknown' })
  })
})

test('the clock of a try stands elsewhere, goes on, and skips what is waited for', async () => {
  const real = new ManualClock(1_000_000)
  const clock = new TrialClock(real, 5_000)
  const rang: string[] = []
  clock.after(100, () => rang.push('a'))
  clock.after(9_000, () => rang.push('b'))
  clock.after(5_000, () => rang.push('never'))()
  real.advance(100)
  await Promise.resolve()
  expect([clock.now(), rang]).toEqual([5_100, ['a']])
  clock.skipTo(4_000)
  expect(clock.now()).toBe(5_100)
  clock.skipTo(13_000)
  real.advance(999)
  await Promise.resolve()
  expect(rang).toEqual(['a'])
  real.advance(1)
  await Promise.resolve()
  expect(rang).toEqual(['a', 'b'])
  clock.after(50, () => rang.push('c'))
  clock.skipTo(20_000)
  await Promise.resolve()
  expect(rang).toEqual(['a', 'b', 'c'])
})
