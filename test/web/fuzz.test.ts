/**
 * Every route of a real box, asked by everybody with what nobody means well: made from the route's own forms. `FUZZ_RUNS=20000`
 * asks for more than the ordinary run does.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Log } from '../../src/core/index.ts'
import { paramsAt, type Route } from '../../src/web/route.ts'
import { Judge, type OpenApi } from './document.ts'
import { hostile, type Request, SENTINEL } from './fuzz/hostile.ts'
import { type Answer, exchange, send } from './fuzz/raw.ts'
import { Watch } from './fuzz/watch.ts'
import { type browser, claimed, somebody } from './people.ts'
import { type Ids, type Seeded, startSeeded } from './seeded.ts'

type Line = Omit<Route, 'handle'>

const RUNS = Number(process.env.FUZZ_RUNS) || 500

/** What would take away who asks, or move the box: only asked by those who may not. */
const SPARED =
  /^(PUT|POST) \/api\/v1\/system\/http|session\/(logout|password|claim)$|^DELETE \/api\/v1\/sessions|\/api\/v1\/users\/:id/

let seeded: Seeded
let ids: Ids
let document: OpenApi
let judge: Judge
let watch: Watch
let routes: Line[]
/** What each shows to be let in. */
let everybody: Record<string, Record<string, string>>
let secrets: string[]
const logged: string[] = []

const log: Log = Object.fromEntries(
  ['debug', 'info', 'warn', 'error'].map(level => [
    level,
    (what: object, text?: string) => {
      if (level !== 'debug') logged.push(`${JSON.stringify(what)} ${text ?? ''}`)
    },
  ]),
) as unknown as Log

beforeAll(async () => {
  seeded = await startSeeded({ log })
  ids = await seeded.seed()
  const at = { port: seeded.port, access: seeded.box.access }
  const ada = await claimed(at)
  const origin = `http://localhost:${seeded.port}`
  const session = ({ cookie }: { cookie: string | null }) => ({ cookie: cookie ?? '', origin })
  const user = seeded.box.access.users.known('Ada')
  const { token } = await seeded.box.access.tokens.add(user, { name: 'x', scopes: ['read'] }, 'Ada')
  const people = [await somebody(at, 'Vera', 'viewer'), await somebody(at, 'Otto', 'operator')] as const
  const bound = await somebody(at, 'Bo', 'operator', ['yard'])
  everybody = {
    nobody: {},
    viewer: session(people[0] as ReturnType<typeof browser>),
    operator: session(people[1] as ReturnType<typeof browser>),
    bound: session(bound as ReturnType<typeof browser>),
    admin: session(ada),
    token: { authorization: `Bearer ${token}` },
  }
  secrets = [SENTINEL, token, 'tk_push', ids.link, ...Object.values(everybody).flatMap(secretOf)]
  const answer = await ada('GET', '/api/v1/openapi.json')
  document = (await answer.json()) as OpenApi
  judge = new Judge(document)
  routes = (seeded.box.web?.routes ?? []).filter(({ summary }) => summary)
  watch = new Watch(seeded.dataDir)
}, 90_000)
afterAll(async () => {
  watch?.close()
  await seeded?.stop()
})

const secretOf = ({ cookie }: Record<string, string>) =>
  cookie ? [cookie.slice(cookie.indexOf('=') + 1)] : []

const idsFor = (path: string): string[] => {
  if (path.startsWith('/api/v1/hooks')) return [ids.hook]
  if (path.includes('/runs/:id'))
    return [ids.run, ids.waiting, ids.unknown, ids.held, ids.message].map(String)
  if (path.includes('/approvals')) return [String(ids.question)]
  if (path.includes('/media')) return [String(ids.media)]
  if (path.includes('/site-rules')) return ['residents.csv', 'residents', 'tools', '1', '2']
  if (path.includes('/cameras')) return ['yard', 'gate']
  if (path.includes('/channels')) return ['push']
  if (path.includes('/destinations')) return ['chat']
  if (path.includes('/tokens') || path.includes('/users')) return ['999']
  return ['1', 'open-the-gate', 'porter', 'gate-bell']
}

/** What is wrong with an answer; `path`: of the route that gave it, where that is known. */
function wrongWith(answer: Answer, method: string, path: string | null): string[] {
  const { status, headers, text } = answer
  const wrong: string[] = []
  const type = headers.get('content-type') ?? ''
  // Of a head that is too large the runtime itself says so, before anybody reads it.
  if (status === 431) return text === '' ? [] : ['431 says something']
  if (status >= 400) {
    if (!type.startsWith('application/problem+json'))
      return [`${status} as ${type || 'nothing'}: ${text.slice(0, 200)}`]
    const { code, detail, status: said } = JSON.parse(text) as Record<string, unknown>
    if (!/^[a-z_]+$/.test(String(code)) || said !== status) wrong.push(`its problem is ${text.slice(0, 200)}`)
    if (typeof detail !== 'string' || !detail || detail.includes('\n')) wrong.push(`its detail is ${detail}`)
    if (detail && String(detail).length > 1_500) wrong.push('its detail is longer than a line')
    const general = status === 404 || status === 405
    if (path && !general) wrong.push(...judge.wrong(method, path, status, type, text))
  } else if (path && type.startsWith('application/json'))
    wrong.push(...judge.wrong(method, path, status, type, text))
  for (const secret of secrets) if (text.includes(secret)) wrong.push(`it says a secret: ${secret}`)
  for (const [name, value] of headers) if (value.includes(SENTINEL)) wrong.push(`${name} says a secret`)
  if (status >= 500 && status !== 503) wrong.push(`it is ${status}: ${text.slice(0, 300)}`)
  return wrong
}

const shown = ({ method, address, headers, body }: Request) =>
  `${method} ${address.slice(0, 200)} ${JSON.stringify(headers).slice(0, 300)} ${JSON.stringify(String(body).slice(0, 300))}`

describe('what is sent with no good in mind', () => {
  it('is answered with a problem that says what to do, and changes nothing where it is refused', async () => {
    const seen = new Map<number, number>()
    await watch.quiet()
    watch.take()
    const arbitrary = (route: Line) => {
      const key = `${route.method} ${route.path}`
      const may = SPARED.test(key) ? ['nobody', 'viewer', 'token'] : Object.keys(everybody)
      const who = /session\/(logout|password)|\/sessions/.test(key) ? ['nobody', 'token'] : may
      const operation = judge.operation(route.method, route.path)
      return fc.record({
        route: fc.constant(route),
        who: fc.constantFrom(...who),
        request: hostile(route.method, route.path, operation, idsFor),
      })
    }
    const all: string[] = []
    const ask = async ({ route, who, request }: { route: Line; who: string; request: Request }) => {
      const headers = { ...request.headers, ...everybody[who], ...only(request.headers) }
      const answer = await send(seeded.port, { ...request, headers })
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
      // An address may be another route's: `..` goes up.
      const own = !/\.\.|%2e|%2f|^[^?]*\/\/|%00|%$|%ff/i.test(request.address.split('?', 1)[0] ?? '')
      const wrong = wrongWith(answer, route.method, own ? route.path : null)
      if (answer.status >= 400) wrong.push(...watch.changed().map(what => `it changed ${what}`))
      else if (route.method !== 'GET') {
        await watch.quiet()
        watch.take()
      } else wrong.push(...watch.changed().map(what => `reading changed ${what}`))
      for (const what of wrong) all.push(`${who} ${shown(request)} → ${answer.status}: ${what}`)
    }
    const { seed = 0 } = fc.readConfigureGlobal()
    const numRuns = Math.ceil(RUNS / routes.length)
    for (const [at, route] of routes.entries())
      await fc.assert(fc.asyncProperty(arbitrary(route), ask), { numRuns, seed: seed + at })
    // One that is too large in any case; by chance there may be none.
    const checks = routes.find(({ path }) => path === '/api/v1/workflows/validate')
    if (!checks) throw new Error('there is no such route')
    const large = { method: 'POST', address: checks.path, body: 'x'.repeat(1_100_000) }
    const headers = { 'content-type': 'application/yaml' }
    await ask({ route: checks, who: 'admin', request: { ...large, headers } })
    expect(all.slice(0, 40)).toEqual([])
    expect(seeded.box.web?.ports).toEqual([seeded.port])
    // It went in deep enough to be taken seriously.
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 413, 415, 422]))
    const said = logged.filter(line => secrets.some(secret => line.includes(secret)))
    expect(said).toEqual([])
  })
  it('is told which methods there are, and hears nothing by HEAD', async () => {
    watch.take()
    const isRoute = (method: string, address: string) =>
      routes.some(each => each.method === method && paramsAt(each.path, address))
    const paths = [...new Set(routes.map(({ path }) => path))]
    for (const path of paths) {
      const own = routes.filter(each => each.path === path).map(({ method }) => method as string)
      const address = path.replaceAll(/:\w+/g, '1')
      for (const method of [
        'PATCH',
        'OPTIONS',
        'TRACE',
        'PROPFIND',
        'CONNECT',
        'GET',
        'POST',
        'PUT',
        'DELETE',
      ]) {
        // The address may be one of another line of the table, too: `/workflows/try` is a workflow.
        if (method === 'CONNECT' || isRoute(method, address)) continue
        const answer = await send(seeded.port, {
          method,
          address,
          headers: everybody.admin ?? {},
          body: null,
        })
        expect([method, path, answer.status, wrongWith(answer, method, null)]).toEqual([
          method,
          path,
          405,
          [],
        ])
        expect(answer.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(own))
      }
      if (!own.includes('GET')) continue
      const head = await send(seeded.port, {
        method: 'HEAD',
        address,
        headers: everybody.admin ?? {},
        body: null,
      })
      expect([path, head.text]).toEqual([path, ''])
    }
    expect(watch.changed()).toEqual([])
  })

  it('gets nowhere with what is no request at all', async () => {
    const host = `host: localhost:${seeded.port}`
    const { cookie } = everybody.admin ?? {}
    const known = `${host}\r\ncookie: ${cookie}\r\norigin: http://localhost:${seeded.port}`
    const post = `POST /api/v1/workflows HTTP/1.1\r\n${known}\r\ncontent-type: application/json`
    const lines: [string, number[]][] = [
      [`BREW /api/v1/runs HTTP/1.1\r\n${known}\r\n\r\n`, [0, 400, 405]],
      [`get /api/v1/runs HTTP/1.1\r\n${known}\r\n\r\n`, [0, 400, 405]],
      [`OPTIONS * HTTP/1.1\r\n${known}\r\n\r\n`, [400]],
      ['GET /api/v1/runs HTTP/1.1\r\n\r\n', [400]],
      ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
      [`GET /api/v1/runs HTTP/1.1\r\n${known}\r\nhost: evil.example\r\n\r\n`, [400, 401, 403, 421]],
      // A second request inside of a first one.
      [
        `${post}\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
        [400],
      ],
      [`${post}\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}abc`, [400]],
      [`${post}\r\ncontent-length: -1\r\n\r\n`, [400]],
      [`${post}\r\ncontent-length: 99999999999\r\n\r\n{}`, [413]],
      [`${post}\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n`, [400]],
      [`GET /api/v1/runs HTTP/1.1\r\n${known}\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, [431]],
      [`GET /api/v1/runs HTTP/1.1\r\n${known}\r\n${'x: 1\r\n'.repeat(300)}\r\n`, [431]],
      [`GET /api/v1/\0runs HTTP/1.1\r\n${known}\r\n\r\n`, [400, 505]],
      [`GET /api/v1/runs HTTP/1.1\r\n${known}\r\nx: a\0b\r\n\r\n`, [400]],
      [`GET /api/v1/runs HTTP/1.1\r\n${known}\r\nx: a\r\n b\r\n\r\n`, [400]],
      [`GET /api/v1/runs HTTP/1.1\n${host}\n\n`, [400, 505]],
      ['\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03', [0, 400]],
      [`GET //evil.example/api/v1/runs HTTP/1.1\r\n${known}\r\nconnection: close\r\n\r\n`, [404]],
    ]
    watch.take()
    for (const [line, statuses] of lines) {
      const { status, text } = await exchange(seeded.port, Buffer.from(line, 'latin1'))
      expect([line.slice(0, 400), statuses.includes(status) ? 'refused' : status]).toEqual([
        line.slice(0, 400),
        'refused',
      ])
      expect(text.includes(cookie?.slice(20) ?? '-')).toBe(false)
    }
    expect(watch.changed()).toEqual([])
    expect((await fetch(`http://127.0.0.1:${seeded.port}/health`)).status).toBe(200)
  })
})

/** A request that shows something of its own to be let in shows nothing else. */
function only(headers: Record<string, string>): Record<string, string> {
  const { authorization, cookie, origin } = headers
  return { ...(authorization && { authorization }), ...(cookie && { cookie }), ...(origin && { origin }) }
}
