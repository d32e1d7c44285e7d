import { createHmac } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FileSecrets, HttpOutgoing } from '../../../src/connect/index.ts'
import { ManualClock } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { serve, temporaryFolder } from '../helpers.ts'

/** What a receiver sees of a request, and whether its signature is good by the key that it has. */
function receiver(key: string, status = 200) {
  const seen: { id: string | null; at: string | null; good: boolean; body: string }[] = []
  const port = serve(async request => {
    const body = await request.text()
    const [id, at, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name =>
      request.headers.get(name),
    )
    const mac = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
    seen.push({ id: id ?? null, at: at ?? null, good: signature === `v1,${mac}`, body })
    return new Response(null, { status })
  })
  return { port, seen }
}

function sender(destinations: string) {
  const dir = temporaryFolder()
  mkdirSync(join(dir, 'secrets'))
  writeFileSync(join(dir, 'secrets', 'sig'), `whsec_${Buffer.from('the key').toString('base64')}\n`)
  writeFileSync(join(dir, 'secrets', 'other'), 'another key\n')
  const clock = new ManualClock()
  const site = Site.load(`destinations:\n${destinations}`, 'site.yaml')
  const outgoing = new HttpOutgoing({
    ...{ site: () => site, secrets: new FileSecrets(dir, ''), ownPorts: () => [], clock },
  })
  const send = (to: string, json: null | { n: number } = { n: 1 }, method = 'POST') =>
    outgoing.send({
      ...{ to, method, json, deliveryId: 'run_1_2', effect: 'tell', correlationId: 'run_box_1' },
      signal: new AbortController().signal,
    })
  return { clock, send }
}

test('a destination that is signed: id and body stay over all tries, each bears its own time', async () => {
  const { port, seen } = receiver('the key', 503)
  const { clock, send } = sender(
    `  a: { url: "http://127.0.0.1:${port}/", class: tell, sign: { secret: sig } }`,
  )
  await send('a')
  clock.advance(61_000)
  await send('a')
  await send('a', null, 'GET')
  expect(seen.map(({ good }) => good)).toEqual([true, true, true])
  expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(['run_1_2']))
  expect(seen[0]?.body).toBe(seen[1]?.body)
  expect(Number(seen[1]?.at) - Number(seen[0]?.at)).toBe(61)
})

test('one that is not signed bears no signature; one whose secret is missing is not sent', async () => {
  const { port, seen } = receiver('the key')
  const { send } = sender(
    [
      `  a: { url: "http://127.0.0.1:${port}/", class: tell }`,
      `  b: { url: "http://127.0.0.1:${port}/", class: tell, sign: { secret: gone } }`,
    ].join('\n'),
  )
  await send('a')
  expect(seen).toMatchObject([{ at: null, good: false }])
  await expect(send('b')).rejects.toThrow('b needs the secret gone')
  expect(seen).toHaveLength(1)
})

test('behind a redirect the secret of whoever is listed there counts', async () => {
  const { port, seen } = receiver('another key')
  const from = serve(
    () => new Response(null, { status: 307, headers: { location: `http://127.0.0.1:${port}/` } }),
  )
  const { send } = sender(
    [
      `  a: { url: "http://127.0.0.1:${from}/", class: tell, sign: { secret: sig } }`,
      `  b: { url: "http://127.0.0.1:${port}/", class: tell, sign: { secret: other } }`,
    ].join('\n'),
  )
  await send('a')
  expect(seen).toMatchObject([{ good: true, id: 'run_1_2' }])
})

test.each([
  ['{ topic: a/b, class: tell, sign: { secret: sig } }', 'leave url, method, headers and sign out'],
  ['{ url: "http://x/", class: tell, headers: { Webhook-Signature: x } }', 'is set by Gatehouse'],
])('%s is refused', (destination, why) => {
  expect(() => Site.load(`destinations: { a: ${destination} }`, 'site.yaml')).toThrow(why)
})
