import { describe, expect, test } from 'vitest'
import { jpeg } from '../helpers.ts'
import { type NvrBox, nvrBox, signal } from './box.ts'
import { HOSTILE, NvrServer } from './server.ts'

const NOW = Date.UTC(2026, 2, 10, 12)
const HASH = 'a'.repeat(64)
const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString()

const visit = (id: number, seconds: number, more: object = {}) => ({
  id,
  camera_id: 1,
  label: 'car',
  score: 0.9,
  started_at: ago(seconds),
  ended_at: ago(seconds - 5),
  observed_at: null,
  stationary: false,
  plate_text: null,
  has_evidence: true,
  ...more,
})

const SITE = 'cameras: { cam1: { roles: [gate] }, yard: { source: { nvr: cam2 } } }'
const asked = { cameraId: null, schema: null, since: NOW - 3_600_000, until: NOW, limit: 20 }
type Filter = Parameters<NvrBox['nvr']['archive']['events']>[0]
const events = ({ nvr }: NvrBox, filter: Partial<Filter> = {}) =>
  nvr.archive.events({ ...asked, ...filter }, { signal: signal() })

describe('what the NVR keeps of before', () => {
  test('is read as visits, of cameras as the site calls them, newest first', async () => {
    const server = new NvrServer()
    server.events = [
      visit(7, 60),
      visit(8, 30, { camera_id: 2, label: 'person' }),
      visit(9, 10, { camera_id: 5 }),
    ]
    const found = await events(nvrBox(server, SITE))
    expect(found.map(({ eventId, cameraId, at }) => [eventId, cameraId, NOW - at])).toEqual([
      ['nvr 9', '5', 10_000],
      ['nvr 8', 'yard', 30_000],
      ['nvr 7', 'cam1', 60_000],
    ])
    expect(found[2]).toMatchObject({
      kind: 'event',
      schema: 'visit.recorded.v1',
      payload: { event_id: '7', label: 'car', score: 0.9, stationary: false },
    })
    expect(found[2]?.payload).not.toHaveProperty('plate_text')
  })

  test('is asked of one camera by its number, and of one time', async () => {
    const server = new NvrServer()
    server.events = [visit(7, 60), visit(8, 30, { camera_id: 2 }), visit(9, 7_200, { camera_id: 2 })]
    const found = await events(nvrBox(server, SITE), { cameraId: 'yard' })
    expect(found.map(({ eventId }) => eventId)).toEqual(['nvr 8'])
    expect(server.seen.at(-1)?.query).toEqual({
      camera_id: '2',
      from: ago(3_600),
      to: ago(0),
      limit: '20',
    })
  })

  test('holds plates, dated when they were read', async () => {
    const server = new NvrServer()
    server.events = [
      visit(7, 60, { plate_text: 'BAB123', observed_at: ago(58) }),
      visit(8, 30),
      visit(9, 10, { plate_text: ' ' }),
    ]
    const found = await events(nvrBox(server, SITE), { schema: 'plate.recognized.v1', plate: 'BAB123' })
    expect(found).toMatchObject([
      { schema: 'plate.recognized.v1', at: NOW - 58_000, payload: { plate_text: 'BAB123', event_id: '7' } },
    ])
    expect(server.seen.at(-1)?.query).toMatchObject({ plate: 'BAB123', limit: '500' })
  })

  test('has nothing of other schemas, and is not asked for them', async () => {
    const server = new NvrServer()
    expect(await events(nvrBox(server), { schema: 'occupancy.changed.v1' })).toEqual([])
    expect(server.seen).toEqual([])
  })

  test('is nothing, or was not to be learnt: that differs', async () => {
    const server = new NvrServer()
    const box = nvrBox(server)
    expect(await events(box)).toEqual([])
    await server.stop()
    await expect(events(box)).rejects.toMatchObject({ code: 'destination_unreachable' })
  })

  test.each(HOSTILE)('%s instead crashes nothing and is no empty list', async (name, answer) => {
    const server = new NvrServer()
    server.before = answer
    const found = events(nvrBox(server))
    if (name === 'a list of nonsense') expect(await found).toEqual([])
    else await expect(found).rejects.toMatchObject({ name: 'GatehouseError' })
  })

  test('rows that say nonsense are left out, the others count', async () => {
    const server = new NvrServer()
    server.events = [
      visit(1, 60, { started_at: 'yesterday' }),
      visit(2, 60, { started_at: null }),
      visit(3, 60, { id: { $gt: 0 } }),
      visit(4, -86_400),
      { id: 5 },
      visit(6, 60, { label: 'x'.repeat(70_000) }),
      visit(7, 60, { camera_id: null, label: { a: 1 } }),
    ]
    server.before = ({ path }) =>
      path.endsWith('/events') ? Response.json({ events: server.events }) : undefined
    const found = await events(nvrBox(server))
    expect(found.map(({ eventId, cameraId }) => [eventId, cameraId])).toEqual([['nvr 7', null]])
  })

  test('of ten thousand that come at once the newest count, in a moment', async () => {
    const server = new NvrServer()
    server.events = Array.from({ length: 10_000 }, (_, i) => visit(i, i / 10))
    server.before = ({ path }) =>
      path.endsWith('/events') ? Response.json({ events: server.events }) : undefined
    const box = nvrBox(server)
    const began = performance.now()
    const found = await events(box)
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(found.map(({ eventId }) => eventId)).toEqual(Array.from({ length: 20 }, (_, i) => `nvr ${i}`))
  })
})

describe('the picture that the NVR keeps of an event', () => {
  const evidence = ({ nvr }: NvrBox, payload: object) =>
    nvr.archive.evidence({ at: NOW, payload: payload as never, cameraId: null }, { signal: signal() })

  test('is found by the event’s number, or by the name that its store gave it', async () => {
    const server = new NvrServer()
    server.evidence.set('7', jpeg(7))
    server.evidence.set(`aa/${HASH}.jpg`, jpeg(8))
    const box = nvrBox(server)
    expect(await evidence(box, { event_id: 7 })).toMatchObject({
      takenAt: NOW,
      source: 'evidence of the NVR',
    })
    expect((await evidence(box, { event_id: '7' }))?.bytes).toEqual(new Uint8Array(jpeg(7)))
    expect((await evidence(box, { evidence_path: `aa/${HASH}.jpg` }))?.bytes).toEqual(new Uint8Array(jpeg(8)))
    const images = { evidence: { images: { face: 3, crop: `aa/${HASH}.jpg` } } }
    expect((await evidence(box, images))?.bytes).toEqual(new Uint8Array(jpeg(8)))
  })

  test('is none where there is none, and nothing is asked for what is no such name', async () => {
    const server = new NvrServer()
    const box = nvrBox(server)
    expect(await evidence(box, { event_id: 8 })).toBeNull()
    const { length } = server.seen
    for (const payload of [
      {},
      { event_id: '../../site-mode' },
      { event_id: '7/../8' },
      { event_id: [7] },
      { evidence_path: '/etc/passwd' },
      { evidence_path: `../${HASH}.jpg` },
      { evidence_path: 'http://10.0.0.9/x.jpg' },
      { evidence_path: 'cam1/2026/09/22/x.jpg' },
      { evidence: { images: { a: '/data/secrets/key', b: null, c: { path: `aa/${HASH}.jpg` } } } },
      { evidence: { images: [`file:///etc/passwd`] } },
    ])
      expect(await evidence(box, payload)).toBeNull()
    expect(server.seen).toHaveLength(length)
  })

  test.each([
    ['a page', () => new Response('<html>'), 'no JPEG'],
    ['too much', () => new Response(new Uint8Array(20_000_001)), 'more than'],
    ['a failure', () => new Response('', { status: 500 }), 'answered 500'],
    ['a way elsewhere', () => Response.redirect('http://127.0.0.1:9/x.jpg', 302), 'redirect|nvr.url'],
  ])('%s is no picture, and is said', async (_name, answer, message) => {
    const server = new NvrServer()
    server.before = answer
    await expect(evidence(nvrBox(server), { event_id: 7 })).rejects.toThrow(new RegExp(message))
  })
})
