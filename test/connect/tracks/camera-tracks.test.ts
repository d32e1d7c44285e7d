import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CameraTracks } from '../../../src/connect/tracks/camera-tracks.ts'
import { watchesOf } from '../../../src/connect/tracks/watches.ts'
import type { ListensFor } from '../../../src/engine/index.ts'
import { readTracks } from '../../../src/kinds/index.ts'
import { Site } from '../../../src/site/index.ts'
import { IN, listens, message, OUT, SITE, thing } from './scene.ts'

const site = Site.load(SITE, '/site.yaml')
const START = Date.UTC(2026, 0, 5, 12)

/** One camera on which `asked` is watched; `at` are seconds from the start. */
class Scene {
  readonly camera = new CameraTracks()
  /** What was told: second and track. */
  readonly told: [second: number, track: string, more: { ms: number; since: number; zone: string | null }][] =
    []
  #messages = 0

  constructor(...asked: ListensFor['params'][]) {
    this.watch(...asked)
  }

  watch(...asked: ListensFor['params'][]): void {
    this.camera.watch(watchesOf(asked.map(listens), site).byCamera.get('yard-1') ?? [])
  }

  see(at: number, tracks: object[], more: object = {}): this {
    const text = JSON.stringify(message(START + at * 1000, tracks, { seq: ++this.#messages, ...more }))
    for (const { track, ms, since, watch } of this.camera.take(readTracks(text, START + 86_400_000)))
      this.told.push([at, track.id, { ms, since: since - START, zone: watch.asked.zone }])
    return this
  }

  /** Five pictures a second. */
  film(from: number, to: number, tracks: (at: number) => object[], more: object = {}): this {
    for (let n = Math.round(from * 5); n <= to * 5; n++) this.see(n / 5, tracks(n / 5), more)
    return this
  }

  get times(): [second: number, track: string][] {
    return this.told.map(([at, track]) => [at, track])
  }
}
const lawn = { zone: 'lawn' }
const stands = () => [thing(1, IN)]

describe('who stays', () => {
  test('is told of once, when the seconds are over', () => {
    const scene = new Scene(lawn).film(0, 60, stands)
    expect(scene.told).toEqual([[5, '1', { ms: 5000, since: 0, zone: 'lawn' }]])
  })

  test('is told of at once where no seconds are asked', () => {
    expect(new Scene({ ...lawn, min_seconds: 0 }).film(0, 3, stands).times).toEqual([[0, '1']])
  })

  test('has to stand in the zone: the feet count, not the head', () => {
    expect(new Scene(lawn).film(0, 20, () => [thing(1, OUT)]).times).toEqual([])
    const leaning = { box: [300, 100, 720, 500] }
    expect(new Scene(lawn).film(0, 20, () => [thing(1, IN, leaning)]).times).toEqual([[5, '1']])
    const beside = { box: [300, 100, 680, 500] }
    expect(new Scene(lawn).film(0, 20, () => [thing(1, IN, beside)]).times).toEqual([])
    const cut = { box: [650, 600, 750, 1200] }
    expect(new Scene(lawn).film(0, 20, () => [thing(1, IN, cut)]).times).toEqual([[5, '1']])
  })

  test('may be anywhere where no zone is named', () => {
    expect(new Scene({}).film(0, 20, at => [thing(1, at % 2 ? IN : OUT)]).times).toEqual([[5, '1']])
  })

  test('is each for itself', () => {
    const scene = new Scene(lawn).film(0, 20, at => [thing('a', IN), ...(at >= 3 ? [thing('b', IN)] : [])])
    expect(scene.times).toEqual([
      [5, 'a'],
      [8, 'b'],
    ])
  })

  test('is what was looked for', () => {
    const dog = () => [thing(1, IN, { label: 'dog' })]
    expect(new Scene(lawn).film(0, 20, dog).times).toEqual([])
    expect(new Scene({ ...lawn, labels: ['animal'] }).film(0, 20, dog).times).toEqual([[5, '1']])
  })

  test('is told of for each thing that is asked', () => {
    const scene = new Scene(lawn, { ...lawn, min_seconds: 2 }, {}, { ...lawn, labels: ['person', 'dog'] })
    scene.film(0, 20, at => [thing(1, at < 4 ? OUT : IN)])
    expect(scene.told.map(([at, , { zone }]) => [at, zone])).toEqual([
      [5, null],
      [6, 'lawn'],
      [9, 'lawn'],
    ])
  })
})

describe('who leaves and comes back', () => {
  test('within ten seconds goes on; the time away does not count', () => {
    const scene = new Scene(lawn).film(0, 40, at => [thing(1, at > 3 && at < 13 ? OUT : IN)])
    expect(scene.told).toEqual([[15, '1', { ms: 5000, since: 0, zone: 'lawn' }]])
  })

  test('later than that is there anew, and told of anew', () => {
    const scene = new Scene(lawn).film(0, 60, at => [thing(1, at > 20 && at < 31 ? OUT : IN)])
    expect(scene.told.map(([at, , { since }]) => [at, since])).toEqual([
      [5, 0],
      [36, 31_000],
    ])
  })

  test('from out of sight is there anew after ten seconds without a word of it', () => {
    const scene = new Scene(lawn).film(0, 4, stands).film(14.2, 25, stands)
    expect(scene.told.map(([at, , { since }]) => [at, since])).toEqual([[19.2, 14_200]])
    // A shorter silence: it goes on, but nobody knows where it was meanwhile.
    expect(new Scene(lawn).film(0, 4, stands).film(13, 25, stands).times).toEqual([[14, '1']])
  })

  test('walks along the edge: only the time inside counts', () => {
    const scene = new Scene(lawn).film(0, 30, at => [thing(1, Math.floor(at) % 2 ? OUT : IN)])
    // Of every two seconds the four steps between five pictures count.
    expect(scene.times).toEqual([[12.2, '1']])
  })
})

describe('what is lost', () => {
  test('by the detector is not there', () => {
    const missed = (at: number) => [
      thing(1, IN, at > 2 ? { matched: false, misses: 3, since_match_s: at - 2 } : {}),
    ]
    expect(new Scene(lawn).film(0, 30, missed).times).toEqual([])
    const gone = (at: number) => [thing(1, IN, at > 2 ? { matched: false, misses: 1 } : {})]
    expect(new Scene(lawn).film(0, 30, gone).times).toEqual([])
    // A few pictures in which it was not found are none without it.
    const flicker = (at: number) => [thing(1, IN, at % 1 ? { matched: false, misses: 1 } : {})]
    expect(new Scene(lawn).film(0, 30, flicker).times).toEqual([[5, '1']])
  })

  test('or was not looked for, is believed in for a moment', () => {
    const unlooked = (age: number) =>
      new Scene(lawn).film(0, 9, () => [thing(1, IN, { matched: false, since_match_s: age })])
    expect(unlooked(1.9).times).toEqual([[5, '1']])
    expect(unlooked(2.1).times).toEqual([])
  })

  test('to a slow detector is there all the same', () => {
    const slow = new Scene(lawn)
    for (let at = 0; at <= 30; at += 5) slow.see(at, stands())
    expect(slow.times).toEqual([[5, '1']])
    const slower = new Scene(lawn)
    for (let at = 0; at <= 60; at += 6) slower.see(at, stands())
    expect(slower.times).toEqual([])
  })
})

describe('what stands still', () => {
  const parked = () => [thing(1, IN, { label: 'car', stationary: true, matched: false, since_match_s: 9 })]
  const cars = { ...lawn, labels: ['vehicle'] }

  test('does not count', () => {
    expect(new Scene(cars).film(0, 60, parked).times).toEqual([])
  })

  test('counts where the file asks for it', () => {
    expect(new Scene({ ...cars, stationary: true }).film(0, 60, parked).times).toEqual([[5, '1']])
  })

  test('counts while it moves, and is no new one when it moves on', () => {
    const scene = new Scene(cars).film(0, 90, at => {
      const stationary = at >= 3 && at < 60
      return [thing(1, IN, { label: 'car', stationary })]
    })
    expect(scene.told.map(([at, , { since }]) => [at, since])).toEqual([[62.2, 0]])
  })
})

describe('messages', () => {
  test('of a detector that gets used to the picture count for nothing', () => {
    expect(new Scene(lawn).film(0, 20, stands, { calibrating: true }).times).toEqual([])
  })

  test('that come twice or out of order change nothing', () => {
    const scene = new Scene(lawn)
    for (let n = 0; n <= 20; n++) {
      scene.see(n, stands())
      scene.see(n, stands())
      if (n > 2) scene.see(n - 2.5, [thing(1, OUT), thing(2, IN)])
    }
    expect(scene.times).toEqual([[5, '1']])
    expect(scene.camera.late).toBe(18)
  })

  test('count by their own time, not by when they come', () => {
    // A second of pictures in a burst, then nothing for a second.
    const scene = new Scene(lawn).film(0, 1, stands).film(1.2, 2, stands)
    expect(scene.times).toEqual([])
  })

  test('of a detector that starts anew are about others under the same numbers', () => {
    const scene = new Scene(lawn).film(0, 4, stands)
    for (let n = 0; n <= 10; n++) scene.see(5 + n, stands(), { seq: n })
    expect(scene.told.map(([at, , { since }]) => [at, since])).toEqual([[10, 5000]])
    expect(scene.camera.isTorn).toBe(false)
  })

  test('of two detectors about one camera are found out', () => {
    const scene = new Scene(lawn)
    for (let n = 0; n <= 20; n++) scene.see(n, stands(), { seq: n % 2 ? n : 1000 + n })
    expect(scene.camera.isTorn).toBe(true)
    for (let n = 0; n <= 120; n++) scene.see(21 + n, stands(), { seq: 3000 + n })
    expect(scene.camera.isTorn).toBe(false)
  })

  test('after a clock was set back begin anew, and so do those after it was set forward', () => {
    const back = new Scene(lawn).film(1000, 1003, stands).film(0, 30, stands)
    expect(back.told.map(([at, , { since }]) => [at, since])).toEqual([[6.8, 1800]])
    const forward = new Scene(lawn).film(0, 3, stands).film(1000, 1030, stands)
    expect(forward.told.map(([at, , { since }]) => [at, since])).toEqual([[1005, 1_000_000]])
  })

  test('that nobody could take are told once more', () => {
    const scene = new Scene(lawn)
    const taken: number[] = []
    for (let n = 0; n <= 40; n++) {
      const text = JSON.stringify(message(START + n * 200, stands()))
      for (const stay of scene.camera.take(readTracks(text, START + 60_000))) {
        taken.push(n)
        if (n < 30) stay.again()
      }
    }
    expect(taken).toEqual([25, 26, 27, 28, 29, 30])
  })
})

describe('what is watched', () => {
  test('goes on when another watch comes and goes', () => {
    const scene = new Scene(lawn).film(0, 3, stands)
    scene.watch(lawn, { min_seconds: 60 })
    scene.film(3.2, 4, stands)
    scene.watch({ ...lawn, labels: ['person', 'dog'] })
    scene.film(4.2, 20, stands)
    expect(scene.times).toEqual([[5, '1']])
  })

  test('is shared by workflows that ask the same, and names where it cannot be', () => {
    const { byCamera, undrawn } = watchesOf(
      [listens(lawn), listens({ ...lawn, labels: ['dog'] }), listens({ cameras: ['gate', 'yard'] })],
      site,
    )
    const seen = [...byCamera].map(([camera, watches]) => [camera, watches.map(({ asked }) => asked.zone)])
    expect(Object.fromEntries(seen)).toEqual({ 'yard-1': ['lawn', null], gate: [null], 'yard-2': [null] })
    expect([...(byCamera.get('yard-1')?.[0]?.labels ?? [])]).toEqual(['person', 'dog'])
    expect(undrawn).toEqual([
      'camera yard-2 has no zone lawn: draw it under zones of the camera in the site file.',
    ])
    expect(watchesOf([{ ...listens(), kind: 'event' }], site).byCamera.size).toBe(0)
  })
})

test('a crowd without end is bounded, and counted', () => {
  const scene = new Scene(lawn)
  for (let n = 0; n < 20; n++)
    scene.see(
      n / 5,
      Array.from({ length: 256 }, (_, i) => thing(n * 256 + i, IN)),
    )
  expect(scene.camera.shed).toBe(19 * 256)
  expect(scene.film(15, 25, stands).times).toEqual([[20, '1']])
})

test('whatever is told: each visit once, never before its time, and never more time than has passed', () => {
  const step = fc.record({
    gap: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: -3000, max: 30_000 })),
    tracks: fc.array(
      fc.record({
        id: fc.constantFrom(1, 2, 3),
        x: fc.constantFrom(IN, OUT),
        stationary: fc.boolean(),
        misses: fc.constantFrom(0, 0, 0, 2),
        since_match_s: fc.constantFrom(0, 0, 1, 30),
        label: fc.constantFrom('person', 'person', 'dog'),
      }),
      { maxLength: 3 },
    ),
    seq: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
    calibrating: fc.constantFrom(false, false, false, true),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), steps => {
      const scene = new Scene(lawn, { ...lawn, min_seconds: 1, labels: ['dog', 'person'], stationary: true })
      let at = 1000
      for (const { gap, tracks, seq, calibrating } of steps) {
        at += gap / 1000
        scene.see(
          at,
          tracks.map(({ id, x, ...more }) => thing(id, x, more)),
          { calibrating, ...(seq !== undefined && { seq }) },
        )
      }
      for (const [told, , { ms, since }] of scene.told) {
        expect(ms).toBeGreaterThanOrEqual(1000)
        expect(ms).toBeLessThanOrEqual(Math.round(told * 1000) - since + 1)
      }
    }),
    { numRuns: 300 },
  )
})
