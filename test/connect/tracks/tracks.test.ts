import { describe, expect, test } from 'vitest'
import { Tracks, type TracksOptions } from '../../../src/connect/tracks/tracks.ts'
import { type IncomingEvent, ManualClock, noLog } from '../../../src/core/index.ts'
import type { Admission, ListensFor } from '../../../src/engine/index.ts'
import { Site } from '../../../src/site/index.ts'
import { IN, listens, message, OUT, SITE, thing } from './scene.ts'

const NOW = Date.UTC(2026, 0, 5, 12)
const TIER0 = 'opennvr.inference.tier0.yard-1.completed'
const OBSERVED = 'opennvr.events.detection.observed.v1.yard-1'
const encode = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

/** The tracks of a site, with a broker that is told by hand. */
class Scene {
  readonly clock = new ManualClock(NOW)
  readonly events: IncomingEvent[] = []
  site = Site.load(SITE, '/site.yaml')
  answer: () => Promise<Admission[]> = async () => []
  readonly tracks: Tracks
  #subscribed = new Map<string, (subject: string, bytes: Uint8Array) => void>()

  constructor(...asked: ListensFor['params'][]) {
    const submit: TracksOptions['submit'] = async event => {
      this.events.push(event)
      return this.answer()
    }
    this.tracks = new Tracks({
      site: () => this.site,
      submit,
      ownPorts: () => [],
      clock: this.clock,
      log: noLog,
    })
    this.subscribe(...asked)
  }

  /** As at a connect, or when workflows have changed: what was subscribed to stays so. */
  subscribe(...asked: ListensFor['params'][]): string[] {
    const wanted = this.tracks.wanted(asked.map(listens))
    const before = this.#subscribed
    this.#subscribed = new Map(wanted.map(({ subject, take }) => [subject, before.get(subject) ?? take]))
    return [...this.#subscribed.keys()]
  }

  hear(value: unknown, subject = TIER0): this {
    this.#subscribed.get(subject)?.(subject, encode(value))
    return this
  }

  /** A message a second, in real time. */
  film(seconds: number, tracks: () => object[], subject = TIER0): this {
    for (let n = 0; n < seconds; n++) {
      this.clock.advance(1000)
      const now = this.clock.now()
      const plain = message(now, tracks(), { seq: Math.round((now - NOW) / 1000) })
      const { frame, tracks: told } = plain
      const observed = {
        schema: 'detection.observed.v1',
        camera_id: 'yard-1',
        ts: new Date(now).toISOString(),
        correlation_id: 'nvr-7',
        payload: { frame, tracks: told },
      }
      this.hear(subject === OBSERVED ? observed : plain, subject)
    }
    return this
  }
}
const lawn = { zone: 'lawn' }
const stands = () => [thing(7, IN)]

describe('somebody in a zone', () => {
  test('is an event that says who, where and since when', () => {
    const scene = new Scene(lawn).film(10, stands)
    expect(scene.events).toEqual([
      {
        kind: 'detect.person_in_zone',
        id: expect.stringMatching(/^stay_[0-9a-f]{16}$/),
        at: NOW + 6000,
        cameraId: 'yard-1',
        schema: null,
        source: 'tier0',
        severity: null,
        payload: {
          label: 'person',
          zone: 'lawn',
          seconds: 5,
          track: '7',
          score: 0.9,
          since: '2026-01-05T12:00:01.000Z',
          box: [0.65, 0.3, 0.75, 0.5],
          asked: { zone: 'lawn', min_seconds: 5, stationary: false },
        },
        correlationId: null,
        chain: [],
        by: null,
        workflowId: null,
        pictures: [],
      },
    ])
  })

  test('is another event for each track, zone and number of seconds, and the same one when it is told again', async () => {
    const scene = new Scene(lawn, {}, { ...lawn, min_seconds: 6 }).film(8, () => [thing(1, IN), thing(2, IN)])
    expect(new Set(scene.events.map(({ id }) => id)).size).toBe(6)
    const busy = new Scene(lawn)
    let lacks = 3
    const full = { workflow: 'w', run: null, reason: { code: 'queue_full', message: '' } } as const
    busy.answer = async () => (lacks-- > 0 ? [full] : [])
    for (let n = 0; n < 20; n++) {
      busy.film(1, stands)
      await Bun.sleep(0)
    }
    expect(busy.events).toHaveLength(4)
    expect(new Set(busy.events.map(({ id }) => id)).size).toBe(1)
  })

  test('that the engine could not store is told again', async () => {
    const scene = new Scene(lawn)
    scene.answer = () => Promise.reject(new Error('the disk failed'))
    for (let n = 0; n < 8; n++) {
      scene.film(1, stands)
      await Bun.sleep(0)
    }
    scene.answer = async () => []
    for (let n = 0; n < 4; n++) {
      scene.film(1, stands)
      await Bun.sleep(0)
    }
    expect(scene.events.length).toBeGreaterThanOrEqual(2)
    expect(scene.tracks.shed.failed).toBe(scene.events.length - 1)
  })

  test('is told by the domain event where the detector itself is not heard, and once where both are', () => {
    const observed = new Scene(lawn).film(10, stands, OBSERVED)
    expect(observed.events).toMatchObject([{ correlationId: 'nvr-7', source: 'detector' }])
    const both = new Scene(lawn)
    for (let n = 0; n < 10; n++) {
      both.film(1, stands)
      // The same under other numbers: as if another had told it.
      both.hear(message(both.clock.now(), [thing(99, IN)]), OBSERVED)
    }
    expect(both.events.map(({ payload }) => payload.track)).toEqual(['7'])
    // The detector is not heard any more.
    both.clock.advance(10_000)
    both.film(8, () => [thing(8, IN)], OBSERVED)
    expect(both.events.map(({ payload }) => payload.track)).toEqual(['7', '8'])
  })
})

describe('subjects', () => {
  test('are those of the cameras that workflows watch', () => {
    const scene = new Scene()
    expect(scene.subscribe()).toEqual([])
    expect(scene.subscribe({ cameras: ['gate'] })).toEqual([
      'opennvr.inference.tier0.gate.completed',
      'opennvr.events.detection.observed.v1.gate',
    ])
    expect(scene.subscribe({}, { cameras: ['yard', 'gate'] })).toHaveLength(6)
    expect(scene.tracks.wanted([listens()]).every(({ queue }) => queue === null)).toBe(true)
  })

  test('that change leave alone who is watched already', () => {
    const scene = new Scene(lawn).film(4, stands)
    scene.subscribe(lawn, { cameras: ['gate'] })
    scene.film(4, stands)
    expect(scene.events).toHaveLength(1)
    scene.subscribe({ cameras: ['gate'] })
    scene.film(20, stands)
    expect(scene.events).toHaveLength(1)
  })

  test('of a zone that is drawn anew: it is watched as it is now', () => {
    const scene = new Scene(lawn).film(4, stands)
    scene.site = Site.load(
      SITE.replace('[[0.5, 0], [1, 0], [1, 1], [0.5, 1]]', '[[0, 0], [0.5, 0], [0.5, 1], [0, 1]]'),
      '/site.yaml',
    )
    scene.subscribe(lawn)
    expect(scene.film(10, stands).events).toHaveLength(0)
    expect(scene.film(10, () => [thing(7, OUT)]).events).toHaveLength(1)
  })
})

describe('what cannot be used', () => {
  const shedOf = (value: unknown, subject = TIER0) => {
    const scene = new Scene(lawn).hear(value, subject)
    const shed = Object.entries(scene.tracks.shed).filter(([, count]) => count > 0)
    return [...shed, scene.tracks.problem]
  }

  test.each([
    ['text', 'hello', 'malformed', /JSON/],
    ['another camera', message(NOW, stands(), { camera_id: 'gate' }), 'mismatched', /names another camera/],
    ['an old picture', message(NOW - 301_000, stands()), 'stale', /dated 5 minutes ago/],
    ['a picture of tomorrow', message(NOW + 86_400_000, stands()), 'malformed', /future/],
    ['too much', 'x'.repeat(300_000), 'malformed', /300000 bytes/],
  ])('%s is counted and said', (_, value, reason, why) => {
    const [shed, problem, ...more] = shedOf(value)
    expect([shed, more]).toEqual([[reason, 1], []])
    expect(problem).toMatch(/^camera yard-1: what its detector tells is left out: [^\n]+\.$/)
    expect(problem).toMatch(why)
  })

  test('is no trouble any more when a good message follows, or after a minute', () => {
    const scene = new Scene(lawn).hear('hello')
    expect(scene.tracks.problem).not.toBeNull()
    scene.film(1, stands)
    // Another camera's zone is still not drawn.
    expect(scene.tracks.problem).toContain('yard-2 has no zone lawn')
    scene.subscribe({})
    expect(scene.hear('hello').tracks.problem).not.toBeNull()
    scene.clock.advance(61_000)
    expect(scene.tracks.problem).toBeNull()
  })

  test('bytes that are no text, and entries that are no tracks, are counted', () => {
    const scene = new Scene(lawn)
    const [heard] = scene.tracks.wanted([listens(lawn)])
    heard?.take(TIER0, new Uint8Array([0xff, 0xfe, 0x80]))
    heard?.take('opennvr.inference.tier0.nobody.completed', encode('x'))
    scene.hear(message(NOW, [...stands(), {}, []]))
    expect(scene.tracks.shed).toMatchObject({ malformed: 1, odd: 2 })
  })

  test('counts outlive the camera that they are about', () => {
    const scene = new Scene(lawn).film(3, stands)
    scene.hear(message(NOW, stands()))
    scene.subscribe()
    expect(scene.tracks.shed).toMatchObject({ late: 1 })
  })
})

test('a stop waits for what is being told', async () => {
  const scene = new Scene(lawn)
  const { promise, resolve } = Promise.withResolvers<Admission[]>()
  scene.answer = () => promise
  scene.film(8, stands)
  let stopped = false
  const stop = scene.tracks.stop().then(() => {
    stopped = true
  })
  await Bun.sleep(0)
  expect(stopped).toBe(false)
  resolve([])
  await stop
  expect(scene.film(20, stands).events).toHaveLength(1)
})
