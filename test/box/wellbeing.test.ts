import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SignSources, Signs } from '../../src/box/wellbeing/signs.ts'
import { Wellbeing, type WellbeingOptions } from '../../src/box/wellbeing/wellbeing.ts'
import type { CameraCondition } from '../../src/connect/index.ts'
import { noLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { Box } from '../engine/box.ts'

const MINUTE = 60_000
const SITE = `
time_zone: Europe/Berlin
cameras:
  gate: { name: Main gate, roles: [gate], source: { snapshot: "http://192.0.2.1/" } }
  yard: { name: Yard, roles: [yard], source: { rtsp: "rtsp://192.0.2.2/" } }
  drop: { name: Drop, roles: [drop], source: { folder: drop } }
  bare: { name: Bare, roles: [bare] }
channels:
  push: { kind: ntfy, url: "https://ntfy.example", topic: a }
`

let box: Box
let wellbeing: Wellbeing
let cameras: Map<string, CameraCondition>
let connections: Record<string, string>
let channels: Record<string, string>
let models: ReturnType<SignSources['models']>
let restarts: number
let looked: string[]
let look: (camera: string) => void
let told: Parameters<WellbeingOptions['tell']>[0][]

const ill = (problem: string): CameraCondition => ({
  problem,
  lastFrameAt: null,
  offlineSince: box.clock.now(),
})
const fine = (): CameraCondition => ({ problem: null, lastFrameAt: box.clock.now(), offlineSince: null })

function make(): Wellbeing {
  return new Wellbeing({
    ...{ site: () => box.site, store: box.store, clock: box.clock, log: noLog },
    cameras: () => cameras,
    connections: () => connections,
    channels: () => channels,
    models: () => models,
    processes: () => ({ 'looking at pictures': { state: 'ready', pid: 1, restarts, pending: 0 } }),
    look: async camera => {
      looked.push(camera)
      look(camera)
    },
    tell: async words => {
      told.push(words)
    },
  })
}

beforeEach(async () => {
  box = await new Box({ site: SITE }).start()
  cameras = new Map(['gate', 'yard', 'drop'].map(id => [id, fine()]))
  ;[connections, channels, models, restarts, looked, told] = [{}, {}, {}, 0, [], []]
  look = id => void cameras.set(id, fine())
  wellbeing = make()
  await wellbeing.start()
})
afterEach(async () => {
  await wellbeing.stop()
  await box.stop()
})

/** Time passes, ten seconds at a time; what was told meanwhile. */
async function pass(ms: number): Promise<string[]> {
  told.length = 0
  for (let gone = 0; gone < ms; gone += 10_000) {
    box.clock.advance(10_000)
    for (let turn = 0; turn < 8; turn++) await new Promise(resolve => setImmediate(resolve))
  }
  return told.map(({ title }) => title)
}

/** The process ends and another one begins. */
async function again(how: 'asked' | 'killed', afterMs = 0): Promise<void> {
  if (how === 'asked') await wellbeing.stop()
  // Whoever is killed is not heard any more.
  const dead = wellbeing
  await (how === 'asked' ? box.restart(afterMs) : box.crash())
  if (how === 'killed') {
    await dead.stop()
    box.clock.advance(afterMs)
  }
  wellbeing = make()
  await wellbeing.start()
}

describe('the owner is told', () => {
  test('that a camera gives no picture, once, and that it does again, once', async () => {
    look = () => undefined
    cameras.set('gate', ill('camera gate does not answer'))
    expect(await pass(MINUTE + 50_000)).toEqual([])
    expect(await pass(20_000)).toEqual(['Camera Main gate gives no picture'])
    expect(told[0]).toMatchObject({
      severity: 'medium',
      cameraId: 'gate',
      body: 'camera gate does not answer\nSince 2026-03-10 13:00.',
    })
    cameras.set('gate', ill('camera gate says something else'))
    expect(await pass(3 * 60 * MINUTE)).toEqual([])
    cameras.set('gate', fine())
    expect(await pass(4 * MINUTE)).toEqual([])
    expect(await pass(2 * MINUTE)).toEqual(['Camera Main gate gives pictures again'])
    expect(told[0]).toMatchObject({ severity: 'low', body: 'It was away for 3 hours.' })
    expect(await pass(2 * 60 * MINUTE)).toEqual([])
    expect(box.store.ailments.all()).toEqual([])
  })

  test('nothing of what is over in a moment', async () => {
    look = () => undefined
    for (let n = 0; n < 5; n++) {
      cameras.set('gate', ill('away'))
      expect(await pass(MINUTE)).toEqual([])
      cameras.set('gate', fine())
      expect(await pass(30 * MINUTE)).toEqual([])
    }
  })

  test('once that something comes and goes, with how often, and once that it stays', async () => {
    look = () => undefined
    const all: string[] = []
    const bodies: string[] = []
    for (let n = 0; n < 40; n++) {
      cameras.set('gate', ill('away'))
      all.push(...(await pass(MINUTE)))
      bodies.push(...told.map(({ body }) => body))
      cameras.set('gate', fine())
      all.push(...(await pass(4 * MINUTE)))
    }
    expect(all).toEqual(['Camera Main gate comes and goes'])
    expect(bodies[0]).toBe('6 times in the last hour; you are told once it stays well.\naway')
    expect(await pass(25 * MINUTE)).toEqual([])
    expect(await pass(10 * MINUTE)).toEqual(['Camera Main gate gives pictures again'])
    expect(told[0]?.body).toContain('with breaks: 40 times')
  })

  test('of many that fail in the same moment in one message', async () => {
    const many = Array.from(
      { length: 30 },
      (_, n) => `  c${n}: { name: C${n}, roles: [c], source: { snapshot: "http://192.0.2.1/" } }`,
    )
    box.site = Site.load(`cameras:\n${many.join('\n')}`, 'site.yaml')
    look = () => undefined
    cameras = new Map(many.map((_, n) => [`c${n}`, ill('the switch is off')]))
    expect(await pass(3 * MINUTE)).toEqual(['30 cameras are not well'])
    expect(told[0]?.body).toMatch(/^C0, C1, .* and 18 more\.\nthe switch is off$/)
    for (const id of cameras.keys()) cameras.set(id, fine())
    expect(await pass(6 * MINUTE)).toEqual(['30 cameras are well again'])
  })

  test('of connections, channels, models and processes', async () => {
    connections = { NATS: 'NATS at 192.0.2.3: nothing answers.', Channels: 'said of each' }
    channels = { push: 'ntfy refuses the token' }
    models = {
      'language model': { state: 'failed', why: 'It is not there.', at: 0 },
      'model for pictures': null,
    }
    expect(await pass(3 * MINUTE)).toEqual(['NATS is not well', 'Nobody can be told by push'])
    expect(await pass(3 * MINUTE)).toEqual(['The language model does not answer'])
    expect(told[0]?.body).toContain('It is not there.')
    restarts = 3
    expect(await pass(MINUTE)).toEqual([])
    restarts = 4
    expect(await pass(MINUTE)).toEqual(['The program for looking at pictures keeps ending'])
    expect(told[0]).toMatchObject({ severity: 'high' })
    connections = {}
    channels = {}
    models = { 'language model': { state: 'answered', why: null, at: 1 } }
    expect((await pass(20 * MINUTE)).toSorted()).toEqual([
      'NATS is well again',
      'People are told by push again',
      'The language model answers again',
      'The program for looking at pictures runs again',
    ])
  })

  test('no second time after a restart, and of what got well meanwhile', async () => {
    look = () => undefined
    cameras.set('gate', ill('away'))
    connections = { NATS: 'away' }
    expect(await pass(3 * MINUTE)).toHaveLength(2)
    await again('asked', 10 * MINUTE)
    // Nothing is known of any camera at first.
    cameras = new Map()
    connections = {}
    expect(await pass(30_000)).toEqual([])
    cameras.set('gate', ill('away'))
    expect(await pass(30 * MINUTE)).toEqual(['NATS is well again'])
    cameras.set('gate', fine())
    expect(await pass(6 * MINUTE)).toEqual(['Camera Main gate gives pictures again'])
  })

  test('nothing more of what was taken out of the site', async () => {
    look = () => undefined
    cameras.set('gate', ill('away'))
    expect(await pass(3 * MINUTE)).toHaveLength(1)
    box.site = Site.load('cameras: {}', 'site.yaml')
    expect(await pass(30 * MINUTE)).toEqual([])
    expect(box.store.ailments.all()).toEqual([])
    expect(wellbeing.told).toEqual([])
  })

  test('what nobody understands of what was stored is nothing', async () => {
    await wellbeing.stop()
    await box.store.write(() => {
      box.store.ailments.set('camera gate', '{"told":"maybe"}')
      box.store.ailments.set('odd', 'x')
      box.store.meta.set('uptime', '7')
    })
    wellbeing = make()
    await wellbeing.start()
    expect(await pass(30 * MINUTE)).toEqual([])
  })
})

test('cameras that nobody asks are looked at now and then; those that are asked, folders and bare ones are not', async () => {
  cameras = new Map([['gate', fine()]])
  look = id => {
    if (id === 'yard') cameras.set(id, ill('no stream'))
  }
  const heard: string[] = []
  for (let n = 0; n < 6; n++) {
    cameras.set('gate', fine())
    heard.push(...(await pass(MINUTE)))
  }
  expect(new Set(looked)).toEqual(new Set(['yard']))
  expect(heard).toEqual(['Camera Yard gives no picture'])
})

test('processes are judged by the last ten minutes', () => {
  let count = 0
  const signs = new Signs({
    ...{ site: () => box.site, cameras: () => new Map(), connections: () => ({}), channels: () => ({}) },
    models: () => ({}),
    processes: () => ({ eyes: { state: 'ready', pid: 1, restarts: count, pending: 0 } }),
  })
  const read = (minute: number) => signs.read(minute * MINUTE).find(({ sort }) => sort === 'process')?.sign.is
  expect(read(0)).toBe('well')
  for (let minute = 5; minute < 60; minute += 5) {
    count++
    expect(read(minute)).toBe('well')
  }
  count += 4
  expect(read(61)).toBe('ill')
  expect(read(80)).toBe('well')
})

describe('the box itself', () => {
  test('says nothing of a stop that was asked for, nor of its first start', async () => {
    expect(told).toEqual([])
    await pass(5 * MINUTE)
    await again('asked', 60 * MINUTE)
    expect(told).toEqual([])
  })

  test('says that it is up again after it was cut off, and for how long', async () => {
    await pass(5 * MINUTE)
    await again('killed', 42 * MINUTE)
    expect(told.map(({ title }) => title)).toEqual(['The box is up again'])
    expect(told[0]).toMatchObject({
      severity: 'medium',
      body: expect.stringContaining('after 2026-03-10 13:05, and was away for 42 minutes'),
    })
  })

  test('says once that it keeps ending, and once that it stays', async () => {
    const all: string[] = []
    for (let n = 0; n < 8; n++) {
      all.push(...(await pass(MINUTE)))
      await again('killed', 5_000)
      all.push(...told.map(({ title }) => title))
    }
    expect(all).toEqual([
      'The box is up again',
      'The box is up again',
      'The box keeps ending without being asked to',
    ])
    expect(await pass(29 * MINUTE)).toEqual([])
    expect(await pass(3 * MINUTE)).toEqual(['The box stays up again'])
    expect(await pass(60 * MINUTE)).toEqual([])
  })
})
