import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ManualClock } from '../../src/core/index.ts'
import { type Box, startBox, workflowView } from './box.ts'

let box: Box<ManualClock>
beforeEach(async () => {
  box = await startBox()
  box.engine.all.set(1, workflowView(1))
})
afterEach(() => box.stop())

async function ask(method: string, path: string, body?: unknown) {
  const response = await fetch(`${box.url}/api/v1${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('moves are paused and let go; who did it is said', async () => {
  expect((await ask('GET', '/system/pause')).body).toMatchObject({ paused: false, held: [], snoozes: [] })
  expect((await ask('PUT', '/system/pause', { paused: true })).body).toMatchObject({
    paused: true,
    by: 'this machine',
  })
  expect((await ask('GET', '/system/pause')).body).toMatchObject({ paused: true })
  expect((await ask('PUT', '/system/pause', { paused: 'yes' })).status).toBe(422)
  expect((await ask('PUT', '/system/pause', { paused: false })).body).toMatchObject({
    paused: false,
    by: null,
  })
})

test('a held move is done or left', async () => {
  const { id } = box.engine.add(workflowView(1))
  expect((await ask('POST', `/runs/${id}/release`, { do: true })).status).toBe(202)
  expect((await ask('POST', `/runs/${id}/release`, { do: false })).status).toBe(202)
  expect(box.engine.released).toEqual([
    [id, true],
    [id, false],
  ])
  expect((await ask('POST', `/runs/${id}/release`, {})).status).toBe(422)
  expect((await ask('POST', '/runs/99/release', { do: true })).status).toBe(404)
})

test('a workflow and a camera are snoozed for a duration', async () => {
  const { body } = await ask('POST', '/workflows/1/snooze', { for: '2h' })
  expect(body.snoozed_until).toEqual(expect.any(String))
  expect((await ask('POST', '/workflows/1/snooze', { for: null })).body.snoozed_until).toBeNull()
  expect((await ask('POST', '/cameras/gate/snooze', { for: '30m' })).body).toMatchObject({
    snoozes: [{ target: 'gate' }],
  })
  for (const wrong of [{}, { for: 5 }, { for: 'soon' }])
    expect((await ask('POST', '/workflows/1/snooze', wrong)).status).toBe(422)
  expect((await ask('POST', '/workflows/9/snooze', { for: '1h' })).status).toBe(404)
})

test('the stream says what is held from the start and when it changes', async () => {
  const response = await fetch(`${box.url}/api/v1/stream`)
  const reader = response.body?.getReader()
  const read = async () => new TextDecoder().decode((await reader?.read())?.value)
  expect(await read()).toContain('"holds":{"paused":false')
  await ask('PUT', '/system/pause', { paused: true })
  box.clock.advance(100)
  const text = await read()
  expect(text).toContain('event: holds\n')
  expect(text).toContain('"paused":true')
  box.clock.advance(15_000)
  expect(await read()).toContain('"shed":{"queue_full":2}')
  await reader?.cancel()
})
