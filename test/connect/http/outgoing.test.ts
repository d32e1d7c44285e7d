import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FileSecrets, HttpOutgoing } from '../../../src/connect/index.ts'
import { type Clock, ManualClock, systemClock } from '../../../src/core/index.ts'
import { refusalOf, Site } from '../../../src/site/index.ts'
import { eventually, serve, temporaryFolder } from '../helpers.ts'

/** An `Outgoing` for a site whose destinations are given as YAML, and a short way to send. */
function outgoing(
  destinations: string,
  {
    dir = '/nonexistent',
    ownPorts = [],
    clock = systemClock,
    ...more
  }: {
    timeoutMs?: number
    ownPorts?: number[]
    dir?: string
    clock?: Clock
    isOwn?: () => boolean
    lookup?: (host: string) => Promise<string[]>
  } = {},
) {
  const site = Site.load(`destinations: ${destinations}`, 'site.yaml')
  const it = new HttpOutgoing({
    site: () => site,
    secrets: new FileSecrets(dir, ''),
    ownPorts: () => ownPorts,
    clock,
    ...more,
  })
  return (to: string, request: Partial<Parameters<typeof it.send>[0]> = {}) =>
    it.send({
      to,
      method: 'POST',
      json: { hello: 'wörld' },
      deliveryId: 'run_1_2',
      effect: 'tell',
      correlationId: 'run_box_1',
      signal: new AbortController().signal,
      ...request,
    })
}

const listed = (kind: 'tell' | 'move', port: number, path = '/', host = '127.0.0.1') =>
  `{ url: "http://${host}:${port}${path}", class: ${kind} }`
const tell = (port: number, path = '/', host = '127.0.0.1') => listed('tell', port, path, host)

/** The addresses of this box as hosts of URLs. */
const interfaces = Object.values(networkInterfaces())
  .flatMap(list => list ?? [])
  .map(({ address }) => (address.includes(':') ? `[${address.split('%')[0]}]` : address))
/** One of them that a listed name may lead to, as far as its kind goes. */
const ordinary = interfaces.find(host => refusalOf(host.replace(/^\[|\]$/g, ''), 'name.example') === null)

/** A server that takes what comes and does `answer` on the bare socket. */
async function rawServer(answer: (write: (text: string) => void, end: () => void) => void) {
  const seen = { connections: 0, text: '' }
  const server = createServer(socket => {
    seen.connections++
    socket.on('error', () => undefined)
    socket.on('data', data => {
      seen.text += data
      answer(
        text => socket.write(text),
        () => socket.destroy(),
      )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, seen }
}

describe('sending to a listed destination', () => {
  test('the receiver gets the json, the delivery id and the listed headers', async () => {
    const dir = temporaryFolder()
    mkdirSync(join(dir, 'secrets'))
    writeFileSync(join(dir, 'secrets', 'chat'), 'Bearer s3cret\n')
    const got: { method: string; path: string; headers: Headers; body: unknown }[] = []
    const port = serve(async request => {
      const { pathname, search } = new URL(request.url)
      got.push({
        method: request.method,
        path: pathname + search,
        headers: request.headers,
        body: await request.json(),
      })
      return new Response('thanks', { status: 202 })
    })
    const send = outgoing(
      `{ chat: { url: "http://127.0.0.1:${port}/a?b=c", class: tell, method: PUT,
         headers: { Authorization: { secret: chat }, X-Site: Home } } }`,
      { dir },
    )
    expect(await send('chat')).toEqual({ status: 202, body: 'thanks' })
    expect(got).toMatchObject([{ method: 'PUT', path: '/a?b=c', body: { hello: 'wörld' } }])
    const { headers } = got[0] ?? { headers: new Headers() }
    expect(headers.get('webhook-id')).toBe('run_1_2')
    expect(headers.get('x-correlation-id')).toBe('run_box_1')
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('authorization')).toBe('Bearer s3cret')
    expect(headers.get('x-site')).toBe('Home')
    expect(headers.get('host')).toBe(`127.0.0.1:${port}`)
  })

  test('nothing to send means no body, and any status is an answer', async () => {
    const port = serve(async request => new Response(await request.text(), { status: 503 }))
    const send = outgoing(`{ a: ${tell(port)} }`)
    expect(await send('a', { json: null })).toEqual({ status: 503, body: '' })
    expect(await send('a', { json: null, method: 'get' })).toEqual({ status: 503, body: '' })
  })

  test.each([
    ['destination_unknown', 'b', {}],
    ['destination_unknown', 'http://127.0.0.1/', {}],
    ['destination_unknown', '__proto__', {}],
    ['bad_request', 'a', { method: 'TRACE' }],
    ['bad_request', 'a', { method: 'GET' }],
    ['bad_request', 'a', { json: 'x'.repeat(300_000) }],
    ['bad_request', 'a', { deliveryId: 'a\r\nx-evil: 1' }],
    ['bad_request', 'secret', {}],
  ])('%s, and nothing is sent', async (code, to, request) => {
    let hits = 0
    const port = serve(() => new Response(String(++hits)))
    const send = outgoing(
      `{ a: ${tell(port)}, secret: { url: "http://127.0.0.1:${port}", class: tell, headers: { X: { secret: gone } } } }`,
    )
    await expect(send(to, request)).rejects.toMatchObject({
      code,
      message: expect.not.stringContaining('\n'),
    })
    expect(hits).toBe(0)
  })
})

describe('where it may go', () => {
  test('a name that leads to this box is refused, the address itself is not', async () => {
    let hits = 0
    const port = serve(() => new Response(String(++hits)))
    const send = outgoing(`{ name: ${tell(port, '/', 'localhost')}, address: ${tell(port)} }`)
    await expect(send('name')).rejects.toMatchObject({
      code: 'egress_denied',
      message: expect.stringMatching(
        /^name was not contacted: localhost leads to this box itself: .* listed as (127\.0\.0\.1|::1)\.$/,
      ),
    })
    expect(hits).toBe(0)
    expect(await send('address')).toMatchObject({ status: 200 })
  })

  test('this Gatehouse itself is refused by every address that it has', async () => {
    let hits = 0
    const port = serve(() => new Response(String(++hits)))
    for (const host of new Set([...interfaces, '127.0.0.1', '127.5.5.5', '[::1]', '[::ffff:127.0.0.1]'])) {
      const send = outgoing(`{ me: ${tell(port, '/', host)} }`, { ownPorts: [1, port] })
      await expect(send('me')).rejects.toMatchObject({
        code: 'egress_denied',
        message: 'me was not contacted: it is this Gatehouse itself.',
      })
    }
    expect(hits).toBe(0)
    const send = outgoing(`{ other: ${tell(port)} }`, { ownPorts: [1] })
    expect(await send('other')).toMatchObject({ status: 200 })
  })

  test('what moves something is refused on this box, on every port and whatever the effect is called', async () => {
    let hits = 0
    const port = serve(() => new Response(String(++hits)))
    for (const host of new Set([...interfaces, '127.0.0.1', '127.5.5.5', '[::1]'])) {
      await expect(outgoing(`{ me: ${listed('move', port, '/', host)} }`)('me')).rejects.toMatchObject({
        code: 'egress_denied',
        message: 'me was not contacted: what moves something must not be on this box itself.',
      })
    }
    const send = outgoing(`{ me: ${tell(port)} }`)
    await expect(send('me', { effect: 'move' })).rejects.toMatchObject({ code: 'egress_denied' })
    expect(hits).toBe(0)
    expect(await outgoing(`{ me: ${listed('move', port)} }`, { isOwn: () => false })('me')).toMatchObject({
      status: 200,
    })
  })

  test.runIf(ordinary)('a name that leads to another address of this box is refused', async () => {
    const send = outgoing(`{ a: ${tell(9, '/', 'flows.example')} }`, {
      lookup: async () => [String(ordinary).replace(/^\[|\]$/g, '')],
    })
    await expect(send('a')).rejects.toMatchObject({
      code: 'egress_denied',
      message: expect.stringContaining('is this box itself: list its address'),
    })
  })

  test.runIf(ordinary)('the address that was checked is the one that is connected to', async () => {
    const bare = String(ordinary).replace(/^\[|\]$/g, '')
    const server = Bun.serve({ port: 0, hostname: bare, fetch: () => new Response('the checked one') })
    onTestFinished(() => server.stop(true))
    let asked = 0
    // Whoever answers for the name leads the second question elsewhere.
    const lookup = async () => [++asked === 1 ? bare : '127.0.0.1']
    const send = outgoing(`{ a: ${tell(server.port ?? 0, '/', 'localhost')} }`, {
      lookup,
      isOwn: () => false,
    })
    expect(await send('a')).toEqual({ status: 200, body: 'the checked one' })
    expect(asked).toBe(1)
    await expect(send('a')).rejects.toMatchObject({ code: 'egress_denied' })
  })

  test('a port where nobody listens and a name that nobody knows are unreachable', async () => {
    const send = outgoing(
      '{ a: { url: "http://127.0.0.1:1/", class: tell }, b: { url: "http://x.invalid/", class: tell } }',
    )
    await expect(send('a')).rejects.toMatchObject({ code: 'destination_unreachable' })
    await expect(send('b')).rejects.toMatchObject({
      code: 'destination_unreachable',
      message: 'b cannot be reached: its name is not known.',
    })
  })

  test('a receiver that speaks no TLS is unreachable over https', async () => {
    const port = serve(() => new Response('plain'))
    const send = outgoing(`{ a: { url: "https://127.0.0.1:${port}/", class: tell } }`)
    await expect(send('a')).rejects.toMatchObject({
      code: 'destination_unreachable',
      message: expect.stringContaining('no secure connection'),
    })
  })
})

describe('redirects', () => {
  const to = (location: string, status = 307) => new Response(null, { status, headers: { location } })

  test('the same request goes on to the same host', async () => {
    const port = serve(async request =>
      new URL(request.url).pathname === '/end'
        ? new Response(`${request.method} ${await request.text()} ${request.headers.get('webhook-id')}`)
        : to('/end'),
    )
    expect(await outgoing(`{ a: ${tell(port)} }`)('a')).toMatchObject({
      body: 'POST {"hello":"wörld"} run_1_2',
    })
  })

  test('a place that is not listed is refused, also under another name of the same server', async () => {
    let hits = 0
    const target = serve(() => new Response(String(++hits)))
    for (const location of [
      `http://127.0.0.1:${target}/`,
      `http://localhost:${target}/`,
      `//127.0.0.1:${target}/`,
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      'javascript:alert(1)',
    ]) {
      const port = serve(() => to(location))
      await expect(outgoing(`{ a: ${tell(port)} }`)('a')).rejects.toMatchObject({
        code: 'destination_redirected',
        message: 'a redirects to a place that is not listed: list the address that really takes it.',
      })
    }
    expect(hits).toBe(0)
  })

  test('another listed place is followed if it is of the same class, with its own headers and no others', async () => {
    const seen: Headers[] = []
    const target = serve(request => {
      seen.push(request.headers)
      return new Response('there')
    })
    const port = serve(() => to(`http://127.0.0.1:${target}/x`))
    const from = `{ url: "http://127.0.0.1:${port}", class: tell, headers: { X-Key: first } }`
    const other = (kind: string) =>
      `{ url: "http://127.0.0.1:${target}", class: ${kind}, headers: { X-Other: second } }`
    expect(await outgoing(`{ a: ${from}, b: ${other('tell')} }`)('a')).toEqual({ status: 200, body: 'there' })
    expect([seen[0]?.get('x-key'), seen[0]?.get('x-other')]).toEqual([null, 'second'])
    await expect(outgoing(`{ a: ${from}, b: ${other('move')} }`)('a')).rejects.toMatchObject({
      code: 'destination_redirected',
    })
    expect(seen).toHaveLength(1)
  })

  test('what another class is listed for at the same host is not gone to, however it is spelled', async () => {
    const opened: string[] = []
    let location = ''
    const port = serve(request => {
      const { pathname } = new URL(request.url)
      if (pathname === '/chat') return to(location)
      opened.push(pathname)
      return new Response('there')
    })
    const send = outgoing(
      `{ chat: ${tell(port, '/chat')}, news: ${tell(port, '/news')}, barrier: ${listed('move', port, '/open')} }`,
    )
    for (location of [
      '/open',
      '/open?now',
      '/open/',
      '//127.0.0.1/open',
      '/OPEN',
      '/%6fpen',
      '//open',
      '/other',
    ])
      await expect(send('chat')).rejects.toMatchObject({ code: 'destination_redirected' })
    expect(opened).toEqual([])
    location = '/news'
    expect(await send('chat')).toMatchObject({ body: 'there' })
    expect(opened).toEqual(['/news'])
  })

  test.each([307, 308, 302])('what moves something is sent once: a %i is not followed', async status => {
    const paths: string[] = []
    const port = serve(request => {
      paths.push(new URL(request.url).pathname)
      return to('/again', status)
    })
    const send = outgoing(`{ barrier: ${listed('move', port)}, chat: ${tell(port)} }`, { isOwn: () => false })
    await expect(send('barrier', { effect: 'move' })).rejects.toMatchObject({
      code: 'destination_redirected',
    })
    // Listed as informing by now, a move when the run began: it is one.
    await expect(send('chat', { effect: 'move' })).rejects.toMatchObject({ code: 'destination_redirected' })
    expect(paths).toEqual(['/', '/'])
  })

  test('behind a redirect nothing is called never sent', async () => {
    const port = serve(() => to('http://127.0.0.1:1/'))
    await expect(outgoing(`{ a: ${tell(port)}, b: ${tell(1)} }`)('a')).rejects.toMatchObject({
      code: 'destination_unanswered',
    })
  })

  test('the address of a listed target is checked too', async () => {
    let hits = 0
    const target = serve(() => new Response(String(++hits)))
    const port = serve(() => to(`http://localhost:${target}/`))
    const send = outgoing(`{ a: ${tell(port)}, b: ${tell(target, '/', 'localhost')} }`)
    await expect(send('a')).rejects.toMatchObject({
      code: 'destination_redirected',
      message: expect.stringContaining('this box itself'),
    })
    expect(hits).toBe(0)
  })

  test('a circle ends', async () => {
    let hits = 0
    const port = serve(() => to(`/${++hits}`))
    await expect(outgoing(`{ a: ${tell(port)} }`)('a')).rejects.toMatchObject({
      code: 'destination_redirected',
    })
    expect(hits).toBe(4)
  })

  test('a redirect that does not carry the message on is no delivery', async () => {
    let hits = 0
    const port = serve(() => to(`/login${++hits}`, 302))
    await expect(outgoing(`{ a: ${tell(port)} }`)('a')).rejects.toMatchObject({
      code: 'destination_redirected',
    })
    expect(hits).toBe(1)
  })
})

describe('receivers that misbehave', () => {
  test('silence ends in time, as does the wait of a caller who gives up', async () => {
    const { port, seen } = await rawServer(() => undefined)
    const started = performance.now()
    await expect(outgoing(`{ a: ${tell(port)} }`, { timeoutMs: 150 })('a')).rejects.toMatchObject({
      code: 'destination_unanswered',
      message: 'a did not answer in time.',
    })
    await expect(
      outgoing(`{ a: ${tell(port)} }`)('a', { signal: AbortSignal.timeout(150) }),
    ).rejects.toMatchObject({
      code: 'destination_unanswered',
    })
    expect(performance.now() - started).toBeLessThan(2000)
    expect(seen.connections).toBe(2)
    await expect(
      outgoing(`{ a: ${tell(port)} }`)('a', { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({
      code: 'destination_unreachable',
    })
    expect(seen.connections).toBe(2)
  })

  test('patience is measured by the clock of the box', async () => {
    const { port, seen } = await rawServer(() => undefined)
    const clock = new ManualClock()
    const sent = outgoing(`{ a: ${tell(port)} }`, { clock, timeoutMs: 60_000 })('a').catch(error => error)
    await eventually(() => seen.text.includes('webhook-id'))
    clock.advance(60_000)
    expect(await sent).toMatchObject({ code: 'destination_unanswered', message: 'a did not answer in time.' })
  })

  test('a body that trickles ends in time too', async () => {
    const port = serve(
      () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              await Bun.sleep(20)
              controller.enqueue(new Uint8Array(1))
            },
          }),
        ),
    )
    await expect(outgoing(`{ a: ${tell(port)} }`, { timeoutMs: 200 })('a')).rejects.toMatchObject({
      code: 'destination_unanswered',
    })
  })

  test('an endless answer is cut, and is an answer', async () => {
    const port = serve(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              controller.enqueue(new Uint8Array(65_536).fill(97))
            },
          }),
        ),
    )
    const { status, body } = await outgoing(`{ a: ${tell(port)} }`)('a')
    expect([status, body.length]).toEqual([200, 65_536])
  })

  test('a compressed bomb is not unpacked', async () => {
    const bomb = Bun.gzipSync(new Uint8Array(20_000_000))
    const port = serve(() => new Response(bomb, { headers: { 'content-encoding': 'gzip' } }))
    expect((await outgoing(`{ a: ${tell(port)} }`)('a')).body.length).toBeLessThanOrEqual(65_536)
  })

  test('a connection that breaks is asked once, and nobody knows whether it arrived', async () => {
    const { port, seen } = await rawServer((_write, end) => end())
    await expect(outgoing(`{ a: ${tell(port)} }`)('a')).rejects.toMatchObject({
      code: 'destination_unanswered',
    })
    expect(seen.connections).toBe(1)
    expect(seen.text.split('webhook-id').length - 1).toBe(1)
  })

  test('an answer that is no HTTP is no answer', async () => {
    const { port } = await rawServer((write, end) => {
      write('SSH-2.0-OpenSSH_9\r\n')
      end()
    })
    await expect(outgoing(`{ a: ${tell(port)} }`)('a')).rejects.toMatchObject({
      code: 'destination_unanswered',
    })
  })
})

describe('secrets', () => {
  test('come from systemd first, then from the data folder, and from nowhere else', () => {
    const dir = temporaryFolder()
    const credentials = temporaryFolder()
    mkdirSync(join(dir, 'secrets'))
    writeFileSync(join(dir, 'secrets', 'a'), 'folder\n')
    writeFileSync(join(dir, 'secrets', 'b'), 'folder')
    writeFileSync(join(dir, 'outside'), 'x')
    writeFileSync(join(credentials, 'a'), 'systemd')
    // A folder that is handed over as `secrets`.
    writeFileSync(join(credentials, 'secrets_d'), 'of the folder\n')
    const secrets = new FileSecrets(dir, credentials)
    expect([secrets.get('a'), secrets.get('b'), secrets.get('c')]).toEqual(['systemd', 'folder', null])
    expect(secrets.get('d')).toBe('of the folder')
    for (const name of ['../outside', '', '.', 'a/b', 'A']) expect(secrets.get(name)).toBeNull()
  })
})
