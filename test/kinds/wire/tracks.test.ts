import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatehouseError } from '../../../src/core/index.ts'
import { readTracks } from '../../../src/kinds/index.ts'

const NOW = Date.parse('2026-11-30T12:00:00Z')
const track = {
  id: 7,
  label: 'person',
  score: 0.91,
  box: [960, 270, 1152, 540],
  stationary: false,
  best: true,
  matched: true,
  misses: 0,
  since_match_s: 0,
}
const tier0 = {
  schema: 'opennvr.tier0.v1',
  adapter: 'tier0',
  camera_id: 'cam-1',
  seq: 44_120,
  ts: 1837.42,
  wall_ts: NOW / 1000 - 0.25,
  frame: { w: 1920, h: 1080 },
  calibrating: false,
  tracks: [track],
}
const observed = {
  id: 'evt_0123456789ab',
  schema: 'detection.observed.v1',
  correlation_id: 'c-1',
  camera_id: 'cam-1',
  ts: '2026-11-30T11:59:59.750Z',
  producer: 'detect-pipeline',
  payload: {
    frame: { w: 1920, h: 1080 },
    calibrating: true,
    tracks: [{ id: 'a', label: 'Car', conf: 0.5, bbox: [0, 0, 1920, 1080] }],
  },
}
const read = (message: unknown, camera: string | null = null) =>
  readTracks(typeof message === 'string' ? message : JSON.stringify(message), NOW, camera)
const tracksOf = (...tracks: unknown[]) => read({ ...tier0, tracks }).tracks
const refused = (message: unknown): string => {
  try {
    read(message)
  } catch (error) {
    if (error instanceof GatehouseError) return `${error.code} ${error.message}`
    throw error
  }
  throw new Error('it was taken')
}

describe('what a detector says', () => {
  it('is read as it is written', () => {
    expect(read(tier0)).toEqual({
      cameraId: 'cam-1',
      at: NOW - 250,
      seq: 44_120,
      source: 'tier0',
      correlationId: null,
      calibrating: false,
      tracks: [
        {
          id: '7',
          label: 'person',
          score: 0.91,
          box: [0.5, 0.25, 0.6, 0.5],
          stationary: false,
          best: true,
          misses: 0,
          sinceMatchMs: 0,
        },
      ],
      left: 0,
    })
  })

  it('is read when it is told as a domain event, in the other spelling', () => {
    expect(read(observed)).toMatchObject({
      cameraId: 'cam-1',
      at: NOW - 250,
      seq: null,
      source: 'detect-pipeline',
      correlationId: 'c-1',
      calibrating: true,
      tracks: [{ id: 'a', label: 'car', score: 0.5, box: [0, 0, 1, 1], best: false }],
    })
  })

  it('may leave out what it does not know, and say more than is known', () => {
    const { schema: _, seq: _seq, adapter: _adapter, ...old } = tier0
    const plain = { id: 1, label: 'dog', box: [1, 1, 9, 9], mood: 'good' }
    expect(read({ ...old, extra: {}, tracks: [plain] })).toMatchObject({
      seq: null,
      source: 'detector',
      tracks: [{ id: '1', score: null, misses: 0, stationary: false }],
    })
  })

  it('takes the wall clock for its time, never the other one', () => {
    const { wall_ts: _, ...timeless } = tier0
    expect(read(timeless).at).toBe(NOW)
    expect(read({ ...tier0, wall_ts: NOW - 5 }).at).toBe(NOW - 5)
    expect(read({ ...tier0, wall_ts: NOW / 1000 + 299 }).at).toBe(NOW + 299_000)
    expect(refused({ ...tier0, wall_ts: NOW / 1000 + 301 })).toContain('future')
    expect(refused({ ...tier0, wall_ts: 'noon' })).toContain('wall_ts')
    expect(refused({ ...observed, ts: 'noon' })).toContain('bad_tracks')
  })

  it('names its camera, else the subject does', () => {
    const { camera_id: _, ...nameless } = tier0
    expect(read(nameless, 'cam-9').cameraId).toBe('cam-9')
    expect(read(tier0, 'cam-9').cameraId).toBe('cam-1')
    expect(read({ ...tier0, camera_id: 3 }).cameraId).toBe('3')
    expect(refused(nameless)).toContain('camera_id')
  })

  it('is cut to the picture', () => {
    expect(tracksOf({ ...track, box: [-50, 500, 400, 1200] })).toMatchObject([
      { box: [0, 500 / 1080, 400 / 1920, 1] },
    ])
  })
})

describe('what is no track', () => {
  it.each([
    ['no id', { ...track, id: null }],
    ['no label', { ...track, label: '' }],
    ['a label without end', { ...track, label: 'x'.repeat(65) }],
    ['an id without end', { ...track, id: 'x'.repeat(201) }],
    ['a box of three', { ...track, box: [1, 2, 3] }],
    ['a box of texts', { ...track, box: ['1', '2', '3', '4'] }],
    ['a box that is turned round', { ...track, box: [9, 1, 2, 5] }],
    ['a box beside the picture', { ...track, box: [3000, 10, 3100, 50] }],
    ['a box of nothing', { ...track, box: [5, 5, 5, 5] }],
    ['a list', []],
    ['nothing', null],
  ])('%s is left out and counted, the others stay', (_, odd) => {
    const { tracks, left } = read({ ...tier0, tracks: [odd, { ...track, id: 8 }] })
    expect(tracks.map(({ id }) => id)).toEqual(['8'])
    expect(left).toBe(1)
  })

  it('a number that JSON cannot hold is none', () => {
    const text = JSON.stringify(tier0).replace('1152', '1e999')
    expect(read(text).tracks).toEqual([])
  })

  it('counts once, and only so many do', () => {
    const twice = read({ ...tier0, tracks: [track, { ...track, label: 'dog' }] })
    expect([twice.tracks.length, twice.tracks[0]?.label, twice.left]).toEqual([1, 'person', 1])
    const crowd = Array.from({ length: 300 }, (_, id) => ({ ...track, id }))
    const many = read({ ...tier0, tracks: crowd })
    expect([many.tracks.length, many.left]).toEqual([256, 44])
  })

  it('a score beyond all scores is not known', () => {
    expect(tracksOf({ ...track, score: 91 }, { ...track, id: 8, score: -1 })).toMatchObject([
      { score: null },
      { score: null },
    ])
  })
})

describe('a message that is none', () => {
  it.each([
    ['text', 'hello'],
    ['a list', []],
    ['another schema', { ...tier0, schema: 'opennvr.tier0.gate.v1' }],
    ['no tracks', { ...tier0, tracks: undefined }],
    ['tracks that are no list', { ...tier0, tracks: { length: 3 } }],
    ['no payload', { ...observed, payload: null }],
    ['no size of the picture', { ...tier0, frame: null }],
    ['a picture without width', { ...tier0, frame: { w: null, h: 1080 } }],
    ['a picture of no size', { ...tier0, frame: { w: 0, h: 1080 } }],
    ['a depth without end', `${'['.repeat(100)}${']'.repeat(100)}`],
    ['more than is taken', { ...tier0, extra: 'x'.repeat(300_000) }],
  ])('%s is refused in one line', (_, message) => {
    expect(refused(message)).toMatch(/^bad_(json|tracks) [^\n]+[.}]$/)
  })
})

it('whatever comes is read or refused, and what is read is bounded', () => {
  const keys = fc.constantFrom(
    ...Object.keys({ ...tier0, ...track, ...observed, conf: 0, bbox: 0, __proto__: 0 }),
  )
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(1e308, -0, '\0', '\ud800', 'person', 'opennvr.tier0.v1'),
  )
  const loose = fc.dictionary(keys, odd)
  const near = fc
    .tuple(loose, fc.array(fc.tuple(loose, fc.boolean())), loose)
    .map(([outer, tracks, frame]) => ({
      ...tier0,
      ...outer,
      frame: { ...tier0.frame, ...frame },
      tracks: tracks.map(([each, keep]) => (keep ? { ...track, ...each } : each)),
    }))
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    near.map(each => JSON.stringify(each)),
  )
  let taken = 0
  fc.assert(
    fc.property(text, message => {
      try {
        const frame = readTracks(message, NOW, 'cam')
        taken++
        expect(frame.at).toBeLessThanOrEqual(NOW + 300_000)
        expect(frame.tracks.length).toBeLessThanOrEqual(256)
        expect(frame.cameraId).toMatch(/^.{1,200}$/su)
        for (const each of frame.tracks) {
          expect(each.id.isWellFormed() && each.label.isWellFormed()).toBe(true)
          expect(`${each.id}${each.label}`).not.toContain('\0')
          expect(each.box.every(side => side >= 0 && side <= 1)).toBe(true)
          expect(each.score === null || (each.score >= 0 && each.score <= 1)).toBe(true)
          expect(Number.isFinite(each.misses) && Number.isFinite(each.sinceMatchMs)).toBe(true)
        }
      } catch (error) {
        if (!(error instanceof GatehouseError)) throw error
        expect(error.code).toMatch(/^bad_(json|tracks)$/)
      }
    }),
    { numRuns: 2000 },
  )
  expect(taken).toBeGreaterThan(100)
})
