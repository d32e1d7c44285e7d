import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Box, JPEG, NOW, startBox, workflowView } from './box.ts'

let box: Box
beforeAll(async () => {
  box = await startBox()
  box.engine.all.set(1, workflowView(1, { state: 'on' }))
  box.engine.all.set(2, workflowView(2, { trigger: 'button', hook: null }))
  box.engine.all.set(3, workflowView(3, { state: 'off' }))
})
afterAll(() => box.stop())

const HOOK = '/api/v1/hooks/secret-1'
const call = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${box.port}${path}`, { method: 'POST', ...init })
const json = (body: unknown, headers: Record<string, string> = {}) => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})
const form = (parts: Record<string, string | Blob | (string | Blob)[]>) => {
  const body = new FormData()
  for (const [name, value] of Object.entries(parts))
    for (const part of [value].flat()) body.append(name, part)
  return { body }
}
const jpeg = () => new File([JPEG], 'a.txt', { type: 'text/plain' })
const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
]

describe('a webhook', () => {
  it('takes a picture and an event as a form', async () => {
    const response = await call(HOOK, form({ picture: jpeg(), event: '{"camera":"gate","n":1}' }))
    expect(response.status).toBe(202)
    expect(await response.json()).toEqual({ run: expect.any(Number), reason: null })
    expect(box.engine.events.at(-1)).toEqual({
      kind: 'webhook',
      id: expect.stringMatching(/^evt_/),
      at: NOW,
      cameraId: 'gate',
      schema: null,
      source: null,
      severity: null,
      payload: { camera: 'gate', n: 1 },
      correlationId: null,
      chain: [],
      by: null,
      workflowId: 1,
      pictures: [{ bytes: JPEG, takenAt: NOW, source: 'upload' }],
    })
  })

  it('takes JSON with a picture in it, the event alone, or nothing', async () => {
    const picture = Buffer.from(JPEG).toString('base64')
    for (const encoded of [picture, `data:image/jpeg;base64,${picture}`]) {
      await call(HOOK, json({ event: { camera_id: 7, ts: '2026-11-30T11:00:00Z' }, picture: encoded }))
      expect(box.engine.events.at(-1)).toMatchObject({
        cameraId: '7',
        at: NOW - 3_600_000,
        pictures: [{ takenAt: NOW - 3_600_000 }],
      })
    }
    await call(HOOK, json({ camera: 'yard', colour: 'red' }))
    expect(box.engine.events.at(-1)?.payload).toEqual({ camera: 'yard', colour: 'red' })
    expect((await call(HOOK)).status).toBe(202)
    expect(box.engine.events.at(-1)).toMatchObject({ payload: {}, pictures: [], cameraId: null })
  })

  it('takes one delivery once, each hook for itself', async () => {
    const send = async (header: string, id: string) => {
      const response = await call(HOOK, json({}, { [header]: id }))
      return (await response.json()) as { run: number | null; reason: { code: string } | null }
    }
    expect((await send('webhook-id', 'd1')).run).toBeTypeOf('number')
    expect(await send('webhook-id', 'd1')).toMatchObject({ run: null, reason: { code: 'seen' } })
    expect(await send('x-delivery-id', 'd1')).toMatchObject({ run: null, reason: { code: 'seen' } })
    expect((await send('x-delivery-id', 'd2')).run).toBeTypeOf('number')
    expect(await codeOf(await call(HOOK, json({}, { 'webhook-id': 'x'.repeat(129) })))).toEqual([
      400,
      'bad_delivery_id',
    ])
  })

  it('passes on what is odd about an event that counted', async () => {
    const submit = vi.spyOn(box.engine, 'submit')
    submit.mockResolvedValueOnce([
      { workflow: 'x', run: 4, reason: null, note: 'This site has no camera “x”.' },
    ])
    const answer = await (await call(HOOK, json({ camera: 'x' }))).json()
    expect(answer).toEqual({ run: 4, reason: null, note: 'This site has no camera “x”.' })
    submit.mockRestore()
  })

  it('answers 202 with a reason where no run starts', async () => {
    const response = await call('/api/v1/hooks/secret-3')
    expect(response.status).toBe(202)
    expect(await response.json()).toMatchObject({ run: null, reason: { code: 'off' } })
  })

  it('refuses what is wrong, and starts nothing', async () => {
    const before = box.engine.events.length
    const big = new File([JPEG, new Uint8Array(25 * 1024 * 1024)], 'big.jpg')
    const deep = `{"event":${'{"a":'.repeat(100)}1${'}'.repeat(100)}}`
    const cases: [RequestInit, number, string][] = [
      [form({ picture: new File(['<html>'], 'x.jpg', { type: 'image/jpeg' }) }), 422, 'not_a_picture'],
      [form({ picture: new File([], 'empty.jpg') }), 422, 'not_a_picture'],
      [form({ picture: 'not a file' }), 422, 'not_a_picture'],
      [form({ picture: Array.from({ length: 9 }, jpeg) }), 422, 'too_many_pictures'],
      [form({ picture: big }), 413, 'too_large'],
      [form({ event: '{"camera":' }), 400, 'bad_json'],
      [form({ event: '[1]' }), 422, 'bad_event'],
      [form({ event: ['{}', '{}'] }), 422, 'bad_event'],
      [json(deep), 400, 'bad_json'],
      [json('[]'), 422, 'bad_event'],
      [json('null'), 422, 'bad_event'],
      [json({ event: 'gate' }), 422, 'bad_event'],
      [json({ picture: '???' }), 422, 'not_a_picture'],
      [json({ picture: 5 }), 422, 'not_a_picture'],
      [json({ event: { text: 'x'.repeat(70_000) } }), 422, 'bad_event'],
      [{ body: 'hello', headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_type'],
      [
        { body: '--x\r\nbroken', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
        400,
        'bad_form',
      ],
      [{ body: 'x', headers: { 'content-type': 'multipart/form-data' } }, 400, 'bad_form'],
    ]
    for (const [init, status, code] of cases)
      expect(await codeOf(await call(HOOK, init))).toEqual([status, code])
    expect(await codeOf(await call('/api/v1/hooks/unknown', form({ picture: jpeg() })))).toEqual([
      404,
      'not_found',
    ])
    expect(box.engine.events.length).toBe(before)
  })

  it('does not let an event reach into objects', async () => {
    await call(
      HOOK,
      json('{"event":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}'),
    )
    expect(box.engine.events.at(-1)?.payload).toEqual({ constructor: { prototype: { polluted: 1 } } })
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('a form', () => {
  it('with a part that nothing reads is refused, and says which', async () => {
    for (const parts of [{ image: jpeg() }, { picture: jpeg(), camera: 'gate' }]) {
      const response = await call(HOOK, form(parts))
      const { code, detail } = (await response.json()) as { code: string; detail: string }
      expect([response.status, code]).toEqual([422, 'unknown_part'])
      expect(detail).toMatch(/part “(image|camera)”.*`picture`.*`event`/)
    }
  })
})

describe('a button', () => {
  it('is pressed by whoever sits at this machine, with a picture or without', async () => {
    expect((await call('/api/v1/workflows/2/press')).status).toBe(202)
    expect(box.engine.events.at(-1)).toMatchObject({
      kind: 'button',
      workflowId: 2,
      by: { by: 'loopback', name: 'this machine' },
    })
    await call('/api/v1/workflows/workflow-2/press', form({ picture: jpeg() }))
    expect(box.engine.events.at(-1)?.pictures.length).toBe(1)
  })

  it('is only where a workflow has one', async () => {
    expect(await codeOf(await call('/api/v1/workflows/1/press'))).toEqual([409, 'not_a_button'])
    expect(await codeOf(await call('/api/v1/workflows/99/press'))).toEqual([404, 'not_found'])
  })
})

describe('events of other systems', () => {
  it('are offered to every workflow, once', async () => {
    const event = {
      id: 'evt_1',
      schema: 'plate.recognized.v1',
      camera_id: 'c',
      payload: { plate_text: 'AB12' },
    }
    const first = await (await call('/api/v1/events', json(event))).json()
    expect(first).toMatchObject({
      event: 'evt_1',
      admissions: [{ workflow: 'workflow-1' }, {}, { run: null }],
    })
    const again = (await (await call('/api/v1/events', json(event))).json()) as { admissions: unknown[] }
    expect(again).toMatchObject({ message: 'This was taken before.' })
    expect(first).not.toHaveProperty('message')
    expect(again.admissions).toMatchObject(Array(3).fill({ run: null, reason: { code: 'seen' } }))
    const alert = {
      alert_id: 'alrt_1',
      title: 'Person',
      severity: 'info',
      source: { kind: 'app', name: 'x' },
    }
    expect((await call('/api/v1/events', json(alert))).status).toBe(202)
    expect(box.engine.events.at(-1)).toMatchObject({ kind: 'alert', severity: 'low', source: 'app.x' })
  })

  it('say so where nothing listens', async () => {
    const own = await startBox()
    const event = json({ schema: 'door.opened.v1', payload: {} })
    const response = await fetch(`http://127.0.0.1:${own.port}/api/v1/events`, { method: 'POST', ...event })
    expect(await response.json()).toMatchObject({
      admissions: [],
      message: 'No workflow listens to this.',
    })
    await own.stop()
  })

  it('are refused where they say nothing', async () => {
    expect(await codeOf(await call('/api/v1/events', json({})))).toEqual([422, 'bad_event'])
    expect(await codeOf(await call('/api/v1/events', json('7')))).toEqual([422, 'bad_event'])
    expect(await codeOf(await call('/api/v1/events'))).toEqual([415, 'unsupported_type'])
  })
})
