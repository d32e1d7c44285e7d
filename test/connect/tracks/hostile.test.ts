/** What may come from a broker that anybody may publish at: nothing of it throws, or tells of who was not there. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Tracks } from '../../../src/connect/tracks/tracks.ts'
import { type IncomingEvent, ManualClock, noLog } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { eventually } from '../helpers.ts'
import { hasNats, NatsServer } from '../nats/server.ts'
import { listening } from '../nats/world.ts'
import { IN, listens, message, OUT, SITE, thing } from './scene.ts'

const NOW = Date.UTC(2026, 0, 5, 12)
const TIER0 = 'opennvr.inference.tier0.yard-1.completed'
const OBSERVED = 'opennvr.events.detection.observed.v1.yard-1'

test('no message throws, and whoever is told of was there for as long as it says', () => {
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(null, -1, 1e308, '', '\0', '__proto__', [], {}, true, 'person', NOW / 1000),
  )
  const track = fc
    .tuple(
      fc.constantFrom(1, 2, 'a', '__proto__'),
      fc.constantFrom(IN, OUT),
      fc.dictionary(
        fc.constantFrom(
          'id',
          'label',
          'box',
          'bbox',
          'score',
          'stationary',
          'misses',
          'since_match_s',
          'best',
        ),
        odd,
        { maxKeys: 1 },
      ),
    )
    .map(([id, x, more]) => thing(id, x, more))
  const said = fc
    .tuple(
      fc.integer({ min: -2000, max: 2000 }),
      fc.array(track, { maxLength: 4 }),
      fc.dictionary(
        fc.constantFrom('seq', 'frame', 'wall_ts', 'tracks', 'camera_id', 'schema', 'payload', 'calibrating'),
        odd,
        { maxKeys: 1 },
      ),
    )
    .map(
      ([late, tracks, more]) =>
        (now: number) =>
          JSON.stringify(message(now + late, tracks, more)),
    )
  const bytes = fc.oneof(
    { weight: 6, arbitrary: said },
    { weight: 1, arbitrary: fc.string().map(text => () => text) },
    { weight: 1, arbitrary: fc.uint8Array() },
  )
  let told = 0
  fc.assert(
    fc.property(fc.array(fc.tuple(bytes, fc.boolean(), fc.nat({ max: 3000 })), { maxLength: 60 }), steps => {
      const clock = new ManualClock(NOW)
      const site = Site.load(SITE, '/site.yaml')
      const events: { event: IncomingEvent; now: number }[] = []
      const submit = async (event: IncomingEvent) => {
        events.push({ event, now: clock.now() })
        return []
      }
      const tracks = new Tracks({ site: () => site, submit, ownPorts: () => [], clock, log: noLog })
      const [heard] = tracks.wanted([listens({ zone: 'lawn', min_seconds: 1 })])
      for (const [each, copy, wait] of steps) {
        clock.advance(wait)
        const text = typeof each === 'function' ? new TextEncoder().encode(each(clock.now())) : each
        heard?.take(copy ? OBSERVED : TIER0, text)
        expect(tracks.problem === null || /^[^\n]+\.$/.test(tracks.problem)).toBe(true)
      }
      for (const { event, now } of events) {
        told++
        const { label, seconds, since, zone } = event.payload
        expect([label, zone, event.cameraId]).toEqual(['person', 'lawn', 'yard-1'])
        expect(seconds).toBeGreaterThanOrEqual(1)
        expect(event.at).toBeLessThanOrEqual(now)
        // The messages are up to two seconds beside the clock, in both directions.
        expect(Number(seconds) * 1000).toBeLessThanOrEqual(now - Date.parse(String(since)) + 4100)
      }
      expect(tracks.shed.failed).toBe(0)
    }),
    { numRuns: 400 },
  )
  expect(told).toBeGreaterThan(20)
})

describe.skipIf(!hasNats)('at a real broker', () => {
  test('10,000 messages in a burst, a tenth of them none: all are taken in, and each stay is told once', async () => {
    const server = await new NatsServer().start()
    const site = Site.load(SITE, '/site.yaml')
    const events: IncomingEvent[] = []
    const clock = new ManualClock(NOW)
    const submit = async (event: IncomingEvent) => {
      events.push(event)
      return []
    }
    const tracks = new Tracks({ site: () => site, submit, ownPorts: () => [], clock, log: noLog })
    const asked = { wanted: () => tracks.wanted([listens({ zone: 'lawn' })]) }
    const { up } = await listening(`{ url: "${server.url}" }`, { listeners: [asked] })
    await up()
    while ((await server.subjects()).length < 2) await Bun.sleep(10)
    const messages = Array.from({ length: 10_000 }, (_, n) =>
      n % 10 === 9
        ? `{"tracks": ${'['.repeat(n)}`
        : message(NOW - 250_000 + n * 25, [thing('a', IN), thing(n >> 10, IN)]),
    )
    await server.publish(TIER0, ...messages)
    await eventually(() => tracks.shed.malformed === 1000)
    // One who stays, and one every 25 seconds.
    expect(events.map(({ payload }) => payload.track).toSorted()).toEqual(
      [...'0123456789'].slice(0, 10).concat('a'),
    )
    expect(tracks.shed).toEqual({
      malformed: 1000,
      mismatched: 0,
      stale: 0,
      odd: 0,
      failed: 0,
      late: 0,
      crowd: 0,
    })
  })
})
