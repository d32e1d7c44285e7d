import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatehouseError } from '../../../src/core/index.ts'
import { cleanJson, readEvent, readJson, readTime, severityOf } from '../../../src/kinds/wire/index.ts'

const NOW = Date.parse('2026-11-30T12:00:00Z')
const plate = {
  id: 'evt_0123456789ab',
  schema: 'plate.recognized.v1',
  correlation_id: null,
  camera_id: 'cam-1',
  ts: '2026-11-30T11:59:58.250Z',
  producer: 'lpr',
  payload: { plate_text: 'B123XYZ', confidence: 0.97, vehicle_label: 'car', event_id: 'v1' },
  extra: { ignored: true },
}
const alert = {
  alert_id: 'alrt_0123456789ab',
  fired_at: '2026-11-30T11:59:59+00:00',
  title: 'Person at the fence',
  description: '',
  severity: 'warning',
  source: { kind: 'app', name: 'intrusion-detection', version: '1.0' },
  camera_id: 'cam-2',
  correlation_id: 'c-1',
  evidence: { images: { best: '/x.jpg' } },
  tags: ['fence', 3],
}

const failure = (run: () => unknown): GatehouseError => {
  try {
    run()
  } catch (error) {
    if (error instanceof GatehouseError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('domain envelopes', () => {
  it('reads one as the NVR writes it', () => {
    expect(readEvent(plate, NOW)).toEqual({
      kind: 'event',
      id: plate.id,
      at: NOW - 1750,
      cameraId: 'cam-1',
      schema: 'plate.recognized.v1',
      source: 'lpr',
      severity: null,
      payload: plate.payload,
      correlationId: null,
      chain: [],
      by: null,
      workflowId: null,
      pictures: [],
    })
  })

  it('says all that the payload of a known schema lacks', () => {
    const refused = (schema: string, payload: object) => failure(() => readEvent({ schema, payload }, NOW))
    const wrong = refused('plate.recognized.v1', { confidence: '0.9', plate_box: [1, 2], other: {} })
    expect(wrong).toMatchObject({ code: 'bad_event', status: 422 })
    expect(wrong.message).toBe(
      'The payload of `plate.recognized.v1`: `plate_text` is missing (a text that is not empty); ' +
        '`confidence` must be a number; `plate_box` must be a list of 4 numbers.',
    )
    expect(refused('access.decided.v1', { plate_text: 'B1' }).message).toContain('`decision` is missing')
    expect(refused('plate.recognized.v1', { plate_text: ' ' }).message).toContain('`plate_text` must be')
    // Null counts as absent, and a schema that nobody told us about holds what it likes.
    expect(readEvent({ ...plate, payload: { ...plate.payload, plate_box: null } }, NOW).schema).toBe(
      plate.schema,
    )
    expect(readEvent({ schema: 'door.opened.v1', payload: { plate_text: 7 } }, NOW).payload).toEqual({
      plate_text: 7,
    })
  })

  it('takes numbers for ids and mints what is missing', () => {
    const event = readEvent({ schema: 'occupancy.changed.v1', camera_id: 7, payload: { count: 3 } }, NOW)
    expect(event).toMatchObject({ cameraId: '7', at: NOW, id: expect.stringMatching(/^evt_[0-9a-f]{12}$/) })
  })

  it('loses no event over the form in which its producer is named', () => {
    for (const [producer, source] of [
      [{ kind: 'app', name: 'lpr', version: '2' }, 'lpr'],
      [{ id: 'lpr' }, null],
      [['lpr'], null],
      [{ name: { name: 'lpr' } }, null],
      [true, null],
    ])
      expect(readEvent({ ...plate, producer }, NOW)).toMatchObject({ id: plate.id, source })
  })

  it('reads tracks in both spellings', () => {
    const tracks = [{ id: 1, conf: 0.5, bbox: [0, 0, 1, 1] }, { id: 2, score: 0.6, box: [1, 1, 2, 2] }, 'odd']
    const { payload } = readEvent({ schema: 'detection.observed.v1', payload: { tracks } }, NOW)
    expect(payload.tracks).toEqual([
      { id: 1, score: 0.5, box: [0, 0, 1, 1] },
      { id: 2, score: 0.6, box: [1, 1, 2, 2] },
      'odd',
    ])
  })

  it.each([
    ['a list', []],
    ['nothing known', { hello: 1 }],
    ['a schema of another shape', { ...plate, schema: 'Plate' }],
    ['a payload that is a list', { ...plate, payload: [] }],
    ['a camera that is an object', { ...plate, camera_id: {} }],
    ['an endless id', { ...plate, id: 'x'.repeat(201) }],
    ['a date that is none', { ...plate, ts: 'yesterday' }],
    ['a date in the future', { ...plate, ts: '2026-12-01T00:00:00Z' }],
  ])('refuses %s with what to change', (_, json) => {
    expect(failure(() => readEvent(json, NOW))).toMatchObject({ code: 'bad_event', status: 422 })
  })
})

describe('alerts', () => {
  it('reads one as the NVR writes it', () => {
    expect(readEvent(alert, NOW)).toMatchObject({
      kind: 'alert',
      id: alert.alert_id,
      at: NOW - 1000,
      cameraId: 'cam-2',
      schema: 'alert.fired.v1',
      source: 'app.intrusion-detection',
      severity: 'medium',
      correlationId: 'c-1',
      chain: [],
      payload: { title: alert.title, severity: 'medium', tags: ['fence'], evidence: alert.evidence },
    })
  })

  it('gives the copy in an envelope the same id, so that the second is a repeat', () => {
    const { camera_id: _, ...payload } = alert
    const envelope = { ...plate, schema: 'alert.fired.v1', payload }
    expect(readEvent(envelope, NOW)).toEqual({ ...readEvent(alert, NOW), cameraId: 'cam-1' })
  })

  it('counts lateness from the observation', () => {
    const late = { ...alert, evidence: { observed_at: '2026-11-30T11:00:00' } }
    expect(readEvent(late, NOW).at).toBe(NOW - 3_600_000)
  })

  it('names the workflows behind it, the sender last', () => {
    const ours = {
      ...alert,
      source: { kind: 'workflow', name: 'b' },
      evidence: { chain: ['a', 1, 'x'.repeat(999)] },
    }
    expect(readEvent(ours, NOW).chain).toEqual(['a', 'b'])
  })

  it('maps severities of others to four', () => {
    const words = [
      'info',
      'NOTICE',
      'debug',
      'low',
      'warning',
      'medium',
      'error',
      'high',
      'critical',
      'odd',
      7,
    ]
    expect(words.map(severityOf)).toEqual([
      'low',
      'low',
      'low',
      'low',
      'medium',
      'medium',
      'high',
      'high',
      'critical',
      'high',
      'high',
    ])
  })
})

describe('times', () => {
  it.each([
    ['2026-11-30T12:00:00Z', NOW],
    ['2026-11-30T12:00:00', NOW],
    ['2026-11-30 12:00:00.000000', NOW],
    ['2026-11-30T13:00:00+01:00', NOW],
    ['2026-11-30T13:00:00+0100', NOW],
    [NOW, NOW],
    [NOW / 1000, NOW],
    ['2026-11-31T12:00:00Z', null],
    ['', null],
    [-1, null],
    [1e300, null],
    [{}, null],
  ])('%j', (value, at) => {
    expect(readTime(value)).toBe(at)
  })

  it('forgives a clock that runs a little ahead', () => {
    expect(readEvent({ ...plate, ts: '2026-11-30T12:03:00Z' }, NOW).at).toBe(NOW)
  })
})

describe('JSON from outside', () => {
  it('drops `__proto__`, NUL and half surrogates', () => {
    const value = readJson('{"__proto__":{"admin":true},"a\\u0000":"b\\u0000\\ud800","n":{"__proto__":1}}')
    expect(value).toEqual({ 'a\u{FFFD}': 'b\u{FFFD}\u{FFFD}', n: {} })
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it.each([
    ['deep nesting', `${'['.repeat(33)}1${']'.repeat(33)}`, 'bad_json'],
    ['a number without end', '[1e999]', 'bad_event'],
    ['very many values', `[${'1,'.repeat(20_000)}1]`, 'bad_event'],
    ['a huge text', JSON.stringify('x'.repeat(70_000)), 'bad_event'],
    ['a huge key', JSON.stringify({ ['x'.repeat(300)]: 1 }), 'bad_event'],
    ['half of it', '{"a":', 'bad_json'],
    ['a million brackets', '['.repeat(1_000_000), 'bad_json'],
  ])('refuses %s', (_, text, code) => {
    expect(failure(() => readJson(text)).code).toBe(code)
  })

  it('never throws anything but a GatehouseError, whatever comes', () => {
    const keys = fc.constantFrom(
      'schema',
      'payload',
      'title',
      'severity',
      'alert_id',
      'source',
      'ts',
      'evidence',
    )
    const json = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(keys, fc.oneof(fc.jsonValue(), fc.constant('a.b.v1'))),
    )
    fc.assert(
      fc.property(json, value => {
        try {
          const event = readEvent(value, NOW)
          expect(event.at).toBeLessThanOrEqual(NOW)
          expect(cleanJson(event.payload)).toEqual(event.payload)
        } catch (error) {
          if (!(error instanceof GatehouseError)) throw error
        }
      }),
      { numRuns: 300 },
    )
  })
})
