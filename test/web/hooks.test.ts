import { createHmac } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { SiteHooks } from '../../src/connect/http/hooks.ts'
import { signed, wrongSignature } from '../../src/connect/http/signature.ts'
import { FileSecrets } from '../../src/connect/secrets.ts'
import { ManualClock } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { serve, temporaryFolder } from '../connect/helpers.ts'
import { type Box, JPEG, NOW, noRules, startBox, workflowView } from './box.ts'

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`

let box: Box
let hooks: SiteHooks
let dir: string
let site: Site
beforeEach(async () => {
  dir = temporaryFolder()
  mkdirSync(join(dir, 'secrets'))
  writeFileSync(join(dir, 'secrets', 'bell'), `${SECRET}\n`)
  site = Site.load('', 'site.yaml')
  hooks = new SiteHooks({
    site: () => site,
    secrets: new FileSecrets(dir, undefined),
    ownPorts: () => [box.port],
    clock: new ManualClock(NOW),
  })
  box = await startBox(0, new ManualClock(NOW), noRules, { hooks })
  onTestFinished(() => box.stop())
  box.engine.all.set(1, workflowView(1, { state: 'on' }))
})

const call = (init: RequestInit) =>
  fetch(`http://127.0.0.1:${box.port}/api/v1/hooks/secret-1`, { method: 'POST', ...init })
const answer = async (init: RequestInit) => {
  const response = await call(init)
  return [response.status, ((await response.json()) as { code?: string }).code]
}
const load = (text: string) => {
  site = Site.load(text, join(dir, 'site.yaml'))
}
/** As a sender signs, in its own words. */
const sign = (body: string | Uint8Array, { id = 'msg_1', at = NOW / 1000, secret = SECRET } = {}) => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${mac}` }
}
const JSON_TYPE = { 'content-type': 'application/json' }

describe('a webhook that has to be signed', () => {
  const body = JSON.stringify({ camera: 'gate', n: 1 })
  beforeEach(() => load('hooks: { workflow-1: { secret: { secret: bell } } }'))

  it('starts its workflow for whoever has the secret, once for each id', async () => {
    const headers = { ...JSON_TYPE, ...sign(body) }
    expect(await answer({ body, headers })).toEqual([202, undefined])
    expect(box.engine.events).toHaveLength(1)
    expect(box.engine.events[0]?.payload).toEqual({ camera: 'gate', n: 1 })
    expect(await (await call({ body, headers })).json()).toMatchObject({
      run: null,
      reason: { code: 'seen' },
    })
  })

  it('takes one of several signatures, any body, and nothing at all', async () => {
    const good = sign(body, { id: 'a' })
    const many = `v1,bad v2,${good['webhook-signature'].slice(3)} ${good['webhook-signature']}`
    expect(await answer({ body, headers: { ...JSON_TYPE, ...good, 'webhook-signature': many } })).toEqual([
      202,
      undefined,
    ])
    const form = new FormData()
    form.append('picture', new File([JPEG], 'a.jpg'))
    const encoded = new Response(form)
    const type = { 'content-type': encoded.headers.get('content-type') ?? '' }
    const bytes = new Uint8Array(await encoded.arrayBuffer())
    expect(await answer({ body: bytes, headers: { ...type, ...sign(bytes, { id: 'b' }) } })).toEqual([
      202,
      undefined,
    ])
    expect(await answer({ headers: sign('', { id: 'c' }) })).toEqual([202, undefined])
  })

  it('starts for nobody else', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { ...sign(body), 'webhook-signature': '' },
      { ...sign(body), 'webhook-signature': 'v1,' },
      { ...sign(body), 'webhook-signature': `v1a,${sign(body)['webhook-signature'].slice(3)}` },
      { ...sign(body), 'webhook-id': 'msg_2' },
      { ...sign(body), 'webhook-timestamp': String(NOW / 1000 + 1) },
      { ...sign(body), 'webhook-timestamp': 'now' },
      sign('{"camera":"gate","n":2}'),
      sign(body, { secret: `whsec_${Buffer.from('other').toString('base64')}` }),
      sign(body, { at: NOW / 1000 - 301 }),
      sign(body, { at: NOW / 1000 + 301 }),
    ]
    for (const headers of wrong)
      expect([headers, ...(await answer({ body, headers: { ...JSON_TYPE, ...headers } }))]).toEqual([
        headers,
        401,
        'bad_signature',
      ])
    expect(box.engine.events).toEqual([])
    expect(hooks.refused).toBe(wrong.length)
  })

  it('is shut while the box lacks the secret', async () => {
    load('hooks: { workflow-1: { secret: { secret: other } } }')
    expect(await answer({ body, headers: { ...JSON_TYPE, ...sign(body) } })).toEqual([503, 'hook_unready'])
    writeFileSync(join(dir, 'secrets', 'other'), '\n')
    expect(await answer({ body, headers: { ...JSON_TYPE, ...sign(body) } })).toEqual([503, 'hook_unready'])
    expect(box.engine.events).toEqual([])
  })

  it('is open again for all where the site says no more of it, and for other workflows', async () => {
    load('hooks: { workflow-2: { secret: { secret: bell } } }')
    expect(await answer({ body, headers: JSON_TYPE })).toEqual([202, undefined])
  })
})

describe('signatures', () => {
  it('are those of Standard Webhooks', () => {
    // The example of its own libraries.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
    const body = '{"test": 2432232314}'
    const now = 1_614_265_330_000
    expect(signed({ id, body, now }, secret)).toEqual({
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
    const headers = new Headers({ 'webhook-id': id, ...signed({ id, body, now }, secret) })
    expect(wrongSignature({ headers, body: Buffer.from(body), now }, secret)).toBe(null)
  })

  it('may have any text as their key', () => {
    const of = (secret: string) => signed({ id: 'a', body: '', now: 0 }, secret)['webhook-signature']
    expect(of('plain')).toBe(`v1,${createHmac('sha256', 'plain').update('a.0.').digest('base64')}`)
    expect(of('whsec_not base64!')).not.toBe(of('whsec_not base64'))
  })
})

describe('a webhook that may be called from some addresses', () => {
  it.each([
    ['[192.168.1.0/24]', 403],
    ['[192.168.1.5, "127.0.0.0/8"]', 202],
    ['["127.0.0.1"]', 202],
    ['["::1", "fd00::/8"]', 403],
    ['["::ffff:127.0.0.1"]', 202],
  ])('from: %s answers %i', async (from, status) => {
    load(`hooks: { workflow-1: { from: ${from} } }`)
    expect((await answer({}))[0]).toBe(status)
    expect(box.engine.events).toHaveLength(status === 202 ? 1 : 0)
  })

  it('goes by the peer alone, whatever is said before it', async () => {
    load('hooks: { workflow-1: { from: [192.168.1.5] } }')
    expect(await answer({ headers: { 'x-forwarded-for': '192.168.1.5' } })).toEqual([403, 'not_from_there'])
  })

  it.each(['here', '192.168.1.0/33', '10.0.0', '1.2.3.4/'])('%s is refused in the site file', range => {
    expect(() => load(`hooks: { a: { from: ["${range}"] } }`)).toThrow('is no address or range')
  })
})

describe('a picture that is sent as its address', () => {
  const picture = (url: string) => ({ body: JSON.stringify({ picture: url }), headers: JSON_TYPE })
  const listed = (port: number, more = '') =>
    load(
      `destinations:\n  cam: { url: "http://127.0.0.1:${port}/", class: read, headers: { authorization: { secret: bell } } }\n${more}`,
    )

  it('is fetched where its host is listed as what only reads, with the headers that are listed', async () => {
    const seen: string[] = []
    const port = serve(request => {
      seen.push(`${new URL(request.url).pathname} ${request.headers.get('authorization')}`)
      return new Response(JPEG)
    })
    listed(port)
    expect(await answer(picture(`http://127.0.0.1:${port}/shot.jpg`))).toEqual([202, undefined])
    expect(box.engine.events[0]?.pictures).toEqual([
      { bytes: new Uint8Array(JPEG), takenAt: NOW, source: 'upload' },
    ])
    expect(seen).toEqual([`/shot.jpg ${SECRET}`])
    const form = new FormData()
    form.append('picture', `http://127.0.0.1:${port}/other.jpg`)
    expect(await answer({ body: form })).toEqual([202, undefined])
    expect(seen).toHaveLength(2)
  })

  it('is fetched from nowhere else', async () => {
    let asked = 0
    const port = serve(() => {
      asked++
      return new Response(JPEG)
    })
    for (const [text, url] of [
      ['', `http://127.0.0.1:${port}/a.jpg`],
      [
        `destinations: { cam: { url: "http://127.0.0.1:${port}/", class: tell } }`,
        `http://127.0.0.1:${port}/a.jpg`,
      ],
      [
        `destinations: { cam: { url: "http://127.0.0.1:${port}/", class: read } }`,
        `http://me:pw@127.0.0.1:${port}/a.jpg`,
      ],
      [
        `destinations: { cam: { url: "http://127.0.0.1:${port}/", class: read } }`,
        `http://localhost:${port}/a.jpg`,
      ],
      [
        `destinations: { cam: { url: "http://127.0.0.1:${port}/", class: read }, gate: { url: "http://127.0.0.1:${port}/open", class: move } }`,
        `http://127.0.0.1:${port}//open`,
      ],
      [
        `destinations: { cam: { url: "http://127.0.0.1:${box.port}/", class: read } }`,
        `http://127.0.0.1:${box.port}/api/v1/runs`,
      ],
      [
        'destinations: { cam: { url: "http://metadata.test/", class: read } }',
        'http://169.254.169.254/latest',
      ],
    ] as const) {
      load(text)
      expect([url, ...(await answer(picture(url)))]).toEqual([url, 422, 'picture_not_had'])
    }
    expect(asked).toBe(0)
    expect(box.engine.events).toEqual([])
  })

  it.each([
    ['is no picture', () => new Response('<html>'), 'not_a_picture'],
    ['is not there', () => new Response(null, { status: 404 }), 'picture_not_had'],
    ['is too large', () => new Response(new Uint8Array(11 * 1024 * 1024)), 'picture_not_had'],
    ['is sent elsewhere', () => Response.redirect('http://127.0.0.1:9/x', 302), 'picture_not_had'],
  ])('that %s starts nothing', async (_what, response, code) => {
    const port = serve(response)
    listed(port)
    expect(await answer(picture(`http://127.0.0.1:${port}/a.jpg`))).toEqual([422, code])
    expect(box.engine.events).toEqual([])
  })
})
