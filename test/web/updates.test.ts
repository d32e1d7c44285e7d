import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Status } from '../../src/box/update/status.ts'
import type { ManualClock } from '../../src/core/index.ts'
import { type Box, startBox } from './box.ts'

let box: Box<ManualClock>
beforeEach(async () => {
  box = await startBox()
})
afterEach(() => box.stop())

const request = () => join(box.deps.dataDir, 'update-request')
/** The updater says how it is. */
const says = (status: Partial<Status>) =>
  writeFileSync(join(box.deps.dataDir, 'status.json'), JSON.stringify(status))

async function ask(method: string, body?: unknown) {
  const response = await fetch(`${box.url}/api/v1/system/update`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('an update is asked for by a file, written down with who asked', async () => {
  expect((await ask('GET')).body).toMatchObject({
    ...{ available: null, underway: null, last: null, source: '/media/stick', not_here: null },
  })
  expect((await ask('POST', { do: 'check' })).status).toBe(202)
  expect(JSON.parse(readFileSync(request(), 'utf8'))).toEqual({ do: 'check' })
  says({ available: { version: '9.9.9', notes: 'Sees in the dark.' } })
  expect((await ask('GET')).body).toMatchObject({ available: { version: '9.9.9' } })
  expect((await ask('POST', { do: 'install' })).status).toBe(202)
  expect(JSON.parse(readFileSync(request(), 'utf8'))).toEqual({ do: 'install' })
  expect(box.store.audit.list({ limit: 2 })).toMatchObject([
    { action: 'update.install', target: 'update 9.9.9', author: 'this machine' },
    { action: 'update.check' },
  ])
})

test.each<[string, Partial<Status>, unknown, number]>([
  ['nothing newer is known', {}, { do: 'install' }, 409],
  [
    'one is under way',
    {
      available: { version: '9.9.9', notes: null },
      underway: { to: '9.9.9-linux-x64', step: 'watching', percent: 100 },
    },
    { do: 'install' },
    409,
  ],
  ['it is something else', {}, { do: 'reboot' }, 422],
])('it is refused where %s', async (_, status, body, code) => {
  says(status)
  const answer = await ask('POST', body)
  expect(answer.status).toBe(code)
  expect(existsSync(request())).toBe(false)
})

test('half a file of the updater is none', async () => {
  writeFileSync(join(box.deps.dataDir, 'status.json'), '{"available": {"ver')
  expect((await ask('GET')).body).toMatchObject({ available: null })
})
