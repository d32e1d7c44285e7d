import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Retention } from '../../src/engine/keep/retention.ts'
import { Box, decision, picture } from './box.ts'

let box: Box
afterEach(() => box.stop())

const DAY = 86_400_000
const ANN = { by: 'session', name: 'Ann' }
const file = (name: string, then: string) => `
contract: workflow.v1
name: ${name}
state: on
limits: { cooldown: 0s, per_hour: 100000, one_at_a_time: plate }
when: { button: {} }
then: [ ${then} ]
`
const look = (then = '[]') =>
  `ai: { mode: look, prompt: Who?, input: picture, decision: [a, b], a: ${then}, b: [], unsure: [] }`

async function press(id: number, text?: string): Promise<number> {
  const event = { ...box.press(id, ANN), payload: { plate: Math.random() } }
  const admissions = await box.engine.submit({
    ...event,
    pictures: text ? [picture(text, box.clock.now())] : [],
  })
  const run = admissions[0]?.run ?? 0
  await box.ended(run)
  return run
}
const there = () =>
  box.engine
    .runs({ limit: 200 })
    .map(({ id }) => id)
    .reverse()
const files = () =>
  readdirSync(join(box.dir, 'media')).flatMap(name =>
    name === 'incoming' ? [] : readdirSync(join(box.dir, 'media', name)),
  )
/** Days go by while the box is off: nothing is rung for on the way. */
const pass = (days: number) => box.restart(days * DAY)
/** Deletes what is old now, whatever the time; answers with the bytes that are kept. */
const sweep = async (): Promise<number | null> => {
  const retention = new Retention(box.deps, () => box.engine.upkeep.view().low)
  retention.start()
  await retention.sweep()
  await retention.stop()
  return retention.bytes
}

describe('what is old', () => {
  let quiet: number
  let chat: number
  beforeEach(async () => {
    box = await new Box({ keep: { restMs: 0 } }).start()
    quiet = await box.save(file('Quiet', 'log: nothing'))
    chat = await box.save(file('Chat', 'webhook: { to: chat, json: hello }'))
  })

  test('goes after its time: dull runs first, failed, acted and marked ones later; the newest stays', async () => {
    const dull = await press(quiet)
    const acted = await press(chat)
    box.answer = () => 403
    const failed = await press(await box.save(file('Broken', 'webhook: { to: barrier }')))
    const marked = await press(quiet)
    await box.engine.learning.mark(marked, true, null, 'Ann')
    // The last of all notices is its own: that of the failed move spares nothing.
    const newest = await press(await box.save(file('Last', 'alert: { severity: low, title: t }')))
    const after = async (days: number) => {
      await pass(days)
      await sweep()
      return there()
    }
    expect(await after(30)).toEqual([dull, acted, failed, marked, newest])
    expect(await after(0.1)).toEqual([acted, failed, marked, newest])
    expect(await after(60)).toEqual([acted, marked, newest])
    expect(await after(90)).toEqual([marked, newest])
    expect(await after(185)).toEqual([newest])
    expect(await after(3_650)).toEqual([newest])
    expect(box.store.steps.ofRun(dull)).toEqual([])
    await expect(box.engine.settled(dull, 1)).rejects.toMatchObject({ code: 'run_unknown' })
  })

  test('takes its pictures with it, those that another run has too stay', async () => {
    box.look = async () => decision({ decision: 'b' })
    const looks = await box.save(file('Looks', look()), 'on')
    await press(looks, 'only mine')
    await press(looks, 'shared')
    await pass(20)
    await sweep()
    expect(files()).toHaveLength(2)
    await press(looks, 'shared')
    await press(quiet)
    await pass(11)
    await sweep()
    await sweep()
    expect(there()).toHaveLength(2)
    expect(files()).toHaveLength(1)
    const [row] = box.store.media.ofRun(there()[0] ?? 0)
    expect(existsSync(join(box.dir, 'media', row?.hash.slice(0, 2) ?? '', row?.hash ?? ''))).toBe(true)
  })

  test('stays while something of it is open: a wait, a move of which nobody knows', async () => {
    const wait = await box.save(file('Waits', 'wait: 7d'))
    const [waiting] = await box.engine.submit(box.press(wait, ANN))
    await box.until(waiting?.run ?? 0, 'waiting')
    box.answer = () => 500
    const unknown = await press(await box.save(file('Moves', 'webhook: { to: barrier }')))
    const dull = await press(quiet)
    await press(quiet)
    expect(box.engine.run(unknown)?.status).toBe('unknown')
    await pass(400)
    await sweep()
    expect(there()).not.toContain(dull)
    expect(there()).toEqual(expect.arrayContaining([waiting?.run, unknown]))
    await box.engine.settle(unknown, true, 'Ann')
    await press(await box.save(file('Last', 'alert: { severity: low, title: t }')))
    await sweep()
    expect(there()).not.toContain(unknown)
  })

  test('stays while a message of it is on its way', async () => {
    await box.stop()
    box = await new Box({ keep: { restMs: 0, days: { dull: 0, failed: 0, acted: 0 } } }).start()
    box.answer = () => 500
    const told = await press(await box.save(file('Chat', 'webhook: { to: chat, json: hello }')))
    const dull = await press(await box.save(file('Quiet', 'log: nothing')))
    await press(2)
    box.clock.advance(1)
    await sweep()
    expect(there()).toContain(told)
    expect(there()).not.toContain(dull)
    box.answer = () => 200
    box.clock.advance(1_000)
    await expect.poll(() => box.store.due.all()).toEqual([])
    await sweep()
    expect(there()).not.toContain(told)
  })

  test('is forgotten among events and the box’s own notices too', async () => {
    await press(quiet)
    const about = {
      kind: 'alert',
      severity: 'low',
      body: '',
      audience: null,
      cameraId: null,
      mediaId: null,
    } as const
    for (const title of ['first', 'second'])
      await box.store.write(() =>
        box.store.notices.add({ ...about, runId: null, stepId: null, title, createdAt: box.clock.now() }),
      )
    const seen = { ...box.press(quiet, ANN), id: 'again' }
    await box.engine.submit(seen)
    await press(quiet)
    await box.restart()
    expect(await box.refused(seen)).toBe('seen')
    await pass(91)
    await sweep()
    expect(box.store.events.owed(`${quiet} again`)).toBeNull()
    expect(box.store.notices.list({ limit: 9 }).map(({ title }) => title)).toEqual(['second'])
  })
})

test('over its cap the oldest dull runs go, and none that acted, however many dull ones come', async () => {
  box = await new Box({ keep: { restMs: 0, maxBytes: 400_000 } }).start()
  const chat = await box.save(file('Chat', 'webhook: { to: chat, json: hello }'))
  box.look = async () => decision({ decision: 'b' })
  const looks = await box.save(file('Looks', look()), 'on')
  const acted = await press(chat)
  const dull: number[] = []
  for (let i = 0; i < 12; i++) dull.push(await press(looks, `${i}`.repeat(50_000)))
  await box.restart()
  await sweep()
  const kept = await sweep()
  expect(there()).toContain(acted)
  const left = dull.filter(id => there().includes(id))
  expect(left.length).toBeGreaterThan(0)
  expect(left).toEqual(dull.slice(-left.length))
  expect(kept).toBeLessThanOrEqual(400_000)
})

describe('over the cap by what events hold', () => {
  const MOST = 1_000_000
  let marked: number[]
  let events = 0

  const fill = (most: number) =>
    box.store.write(() => {
      const { at, cameraId, kind, schema } = box.event()
      for (let i = 0; i < most; i++)
        box.store.events.remember({
          eventId: `long-id-${++events}`,
          kind,
          schema,
          cameraId,
          at,
          payload: null,
        })
    })

  beforeEach(async () => {
    box = await new Box({ keep: { restMs: 0, maxBytes: MOST } }).start()
    const id = await box.save(file('Quiet', 'log: nothing'))
    marked = []
    events = 0
    for (let i = 0; i < 5; i++) {
      marked.push(await press(id))
      await box.engine.learning.mark(marked[i] ?? 0, true, null, 'Ann')
    }
    await fill(20_000)
  })

  test('the oldest events go, and no run', async () => {
    await press(1)
    await pass(0.1)
    const runs = there()
    await sweep()
    expect(there()).toEqual(runs)
    expect(box.store.retention.databaseBytes()).toBeLessThan(MOST)
    expect(box.store.retention.eventBytes()).toBeGreaterThan(MOST / 50)
  })

  test('of the last hour they stay, and no run goes for them', async () => {
    await press(1)
    const runs = there()
    await sweep()
    expect(there()).toEqual(runs)
    expect(box.store.events.owed('long-id-1')).toEqual([])
  })

  test('nor for the versions of long files', async () => {
    await press(1)
    const runs = there()
    await box.store.write(() => {
      for (let i = 0; i < 40; i++) box.store.versions.add(1, `# ${'x'.repeat(60_000)}`, box.clock.now())
    })
    await sweep()
    expect(there()).toEqual(runs)
    await pass(0.1)
    await sweep()
    expect(there()).toEqual(runs)
  })
})

test('how much events take is known closely enough without reading them', async () => {
  box = await new Box().start()
  for (const [n, payload] of [null, { plate: 'B-AB 123' }, { text: 'x'.repeat(900) }].entries()) {
    await box.store.write(() => {
      for (let i = 0; i < 3_000; i++) {
        const eventId = `${n}-${Bun.randomUUIDv7()}`
        const rest = { kind: 'event', schema: 'plate.recognized.v1', cameraId: 'gate', at: i, payload }
        box.store.events.remember({ eventId, ...rest })
      }
    })
    await box.store.write(() => undefined)
    const db = new Database(join(box.dir, 'gatehouse.db'), { readonly: true })
    const sql = "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE '%events%' AND aggregate = TRUE"
    const { bytes } = db.query(sql).get() as { bytes: number }
    db.close()
    expect(box.store.retention.eventBytes() / bytes).toBeGreaterThan(0.4)
    expect(box.store.retention.eventBytes() / bytes).toBeLessThan(1.6)
    await box.store.write(() => box.store.retention.forgetEvents(Number.MAX_SAFE_INTEGER))
  }
})

test('a clock that leaps ahead, or that was wrong at the start, deletes nothing', async () => {
  box = await new Box({ keep: { restMs: 0 } }).start()
  const id = await box.save(file('Quiet', 'log: nothing'))
  const runs = [await press(id), await press(id), await press(id)]
  const passes = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      box.clock.advance(60_000)
      await Bun.sleep(1)
    }
  }
  const { clock } = box
  const now = clock.now.bind(clock)
  // As after a restart with a wrong clock: 40 days ahead, and put right within the hour.
  await box.restart(40 * DAY)
  await passes(55)
  expect(there()).toEqual(runs)
  // A leap while it runs.
  clock.now = () => now() + 3_650 * DAY
  await passes(45)
  expect(there()).toEqual(runs)
  clock.now = now
  await passes(45)
  expect(there()).toEqual(runs)
  // It goes on evenly from here.
  await passes(30)
  await expect.poll(there).toEqual(runs.slice(-1))
})

test('a run with a date before those that came before it is as old as they are', async () => {
  box = await new Box({ keep: { restMs: 0 } }).start()
  const id = await box.save(file('Quiet', 'log: nothing'))
  const now = box.clock.now.bind(box.clock)
  const first = await press(id)
  box.clock.now = () => 1_000
  const runs = [first, await press(id), await press(id)]
  box.clock.now = now
  await box.restart(20 * DAY)
  await sweep()
  expect(there()).toEqual(runs)
})

test('deleting thousands of runs never keeps a turn for long', async () => {
  box = await new Box({ keep: { restMs: 0 } }).start()
  const id = await box.save(file('Quiet', 'log: nothing'))
  const { versionId } = box.store.workflows.get(id) ?? { versionId: 0 }
  const event = {
    triggerKind: 'button',
    event: {},
    cameraId: null,
    values: {},
    chain: [],
    correlationId: null,
  }
  await box.store.write(() => {
    for (let i = 0; i < 3_000; i++) {
      const run = box.store.runs.insert({ ...event, workflowId: id, versionId, state: 'on', startedAt: 1 })
      for (let seq = 0; seq < 5; seq++)
        box.store.steps.start({
          runId: run,
          seq,
          path: `then[${seq}]`,
          kind: 'log',
          name: null,
          inputs: 'x',
          startedAt: 1,
          status: 'done',
          endedAt: 1,
          item: null,
        })
      box.store.runs.end(run, 'done', 1)
    }
  })
  let longest = 0
  let last = performance.now()
  let watching = true
  const watch = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (watching) setImmediate(watch)
  }
  watch()
  await sweep()
  watching = false
  expect(box.store.runs.list({ limit: 10 })).toHaveLength(1)
  // A turn of 20 runs takes a few milliseconds; the bound leaves room for a machine that is busy with other things.
  expect(longest).toBeLessThan(3_000)
})

test('a disk that is nearly full takes no new work, keeps what was promised, says so, and goes on by itself', async () => {
  let free = 1_000_000_000
  box = await new Box({ disk: async () => ({ total: 2_000_000_000, free }) }).start()
  const id = await box.save(file('Waits', 'log: after'))
  const wait = await box.save(file('W', 'wait: 30s'))
  const running = (await box.engine.submit(box.press(wait, ANN)))[0]?.run ?? 0
  await box.until(running, 'waiting')
  free = 100_000_000
  box.clock.advance(10_000)
  await expect.poll(() => box.engine.upkeep.view()).toMatchObject({ low: true, free_bytes: 100_000_000 })
  const event = box.press(id, ANN)
  expect(await box.refused(event)).toBe('disk_low')
  expect(box.engine.shed()).toEqual({ disk_low: 1 })
  box.clock.advance(20_000)
  expect((await box.ended(running)).status).toBe('done')
  expect(box.store.notices.list({ limit: 9 })).toMatchObject([
    { title: expect.stringContaining('nearly full'), runId: null },
  ])
  free = 270_000_000
  box.clock.advance(10_000)
  await Bun.sleep(20)
  expect(box.engine.upkeep.view().low).toBe(true)
  free = 400_000_000
  box.clock.advance(10_000)
  await expect.poll(() => box.engine.upkeep.view().low).toBe(false)
  await box.begin(event)
  await expect.poll(() => box.store.notices.list({ limit: 9 }).length).toBe(2)
})

test('what is free inside of the database is given back to a disk that is nearly full, and work goes on meanwhile', async () => {
  let free = 1_000_000_000
  box = await new Box({
    disk: async () => ({ total: 2_000_000_000, free }),
    keep: { restMs: 0 },
  }).start()
  const id = await box.save(file('Quiet', 'log: nothing'))
  const first = await press(id)
  await box.store.write(() => {
    const { at, cameraId, kind, schema } = box.event()
    for (let i = 0; i < 5_000; i++) {
      const payload = { text: `${i}`.repeat(1_000) }
      box.store.events.remember({ eventId: `e${i}`, kind, schema, cameraId, at, payload })
    }
  })
  const last = await press(id)
  const size = () => statSync(join(box.dir, 'gatehouse.db')).size
  box.store.checkpoint()
  const full = size()
  expect(full).toBeGreaterThan(15_000_000)
  await box.store.write(() =>
    box.store.retention.forgetEvents(box.store.retention.oldEvents(Infinity, 5_001) ?? 0),
  )
  await sweep()
  box.store.checkpoint()
  // For what comes next: the pages are used again.
  expect(size()).toBe(full)
  free = 100_000_000
  box.clock.advance(10_000)
  await expect.poll(size).toBeLessThan(full / 10)
  expect(box.store.retention.space().free).toBe(0)
  expect(there()).toEqual([first, last])
  expect(box.engine.run(last)?.steps).toHaveLength(1)
})
