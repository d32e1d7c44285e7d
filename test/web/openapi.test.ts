/** The OpenAPI document, held against a real box: every example that it gives is asked, and every answer is as it says. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENT, type Example } from '../../src/web/documented/index.ts'
import { Judge, type OpenApi } from './document.ts'
import { browser, type claimed } from './people.ts'
import { type Ids, type Seeded, startSeeded } from './seeded.ts'

let seeded: Seeded
let ids: Ids
let document: OpenApi
let judge: Judge
let ada: Awaited<ReturnType<typeof claimed>>

beforeAll(async () => {
  seeded = await startSeeded()
  ids = await seeded.seed()
  ada = browser({ port: seeded.port })
  document = (await (await ada('GET', '/api/v1/openapi.json')).json()) as OpenApi
  judge = new Judge(document)
}, 90_000)
afterAll(() => seeded?.stop())

const named = () => seeded.box.web?.routes.filter(({ summary }) => summary) ?? []

describe('openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it('names every route of the table but those of the page, each once and with an example', () => {
    const routes = named().map(({ method, path }) => `${method} ${path}`)
    const operations = Object.values(document.paths).flatMap(each => Object.values(each))
    expect(operations.length).toBe(routes.length)
    expect(
      new Set(operations.map(each => (each as unknown as { operationId: string }).operationId)).size,
    ).toBe(routes.length)
    // A new route takes its line in src/web/documented/, with an example that works on a box.
    expect(Object.keys(DOCUMENT).toSorted()).toEqual(routes.toSorted())
    for (const [route, { examples }] of Object.entries(DOCUMENT))
      expect([route, Object.keys(examples).length > 0]).toEqual([route, true])
  })

  it('says of each what it takes and answers', () => {
    for (const { method, path, permission, status = 200, answer } of named()) {
      const { 'x-permission': told, responses, parameters } = judge.operation(method, path)
      expect(told).toBe(permission)
      expect([path, parameters.filter(each => each.in === 'path').length]).toEqual([
        path,
        path.split(':').length - 1,
      ])
      expect([method, path, responses[status] !== undefined]).toEqual([method, path, true])
      // What is answered is said; only what answers nothing has no form.
      expect([method, path, answer !== undefined]).toEqual([method, path, status !== 204])
    }
  })
})

/** Each example with what is there on this box in place of what the example names. */
function real(route: string, example: Example, round: Ids & { session: number }): Example {
  const { path = {}, body } = example
  const rows: Record<string, string | number> = {
    'GET /api/v1/runs/:id': round.run,
    'POST /api/v1/runs/:id/stop': round.waiting,
    'POST /api/v1/runs/:id/case': round.judged,
    'POST /api/v1/runs/:id/settle': round.unknown,
    'POST /api/v1/runs/:id/release': round.held,
    'GET /api/v1/runs/:id/reply': round.message,
    'POST /api/v1/workflows/runs/:id/mark': round.run,
    'POST /api/v1/approvals/:id': round.question,
    'GET /api/v1/media/:id': round.media,
    'POST /api/v1/hooks/:id': round.hook,
    'DELETE /api/v1/sessions/:id': round.session,
  }
  const row = rows[route]
  const link = route.includes('/answer') && { link: round.link }
  const claim = route.endsWith('/claim') && { code: seeded.box.access.code ?? '' }
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body)
  return {
    ...example,
    path: row === undefined ? path : { ...path, id: row },
    ...(body !== undefined && { body: isObject ? { ...body, ...link, ...claim } : body }),
  }
}

/** What would take away what the others are about. */
const LATER = [
  'POST /api/v1/runs/:id/stop',
  'DELETE /api/v1/sessions/:id',
  'PUT /api/v1/session/password',
  'POST /api/v1/session/logout',
]
/** What a box without a language model, or on this machine only, answers to an example. */
const REFUSED: Record<string, [number, string]> = {
  'POST /api/v1/system/restore': [422, 'bad_backup'],
  'POST /api/v1/workflows/draft': [503, 'llm_down'],
  'GET /api/v1/site/cameras/offered': [409, 'not_possible'],
  // It was not installed by install.sh.
  'POST /api/v1/system/update': [409, 'not_possible'],
  // Nothing was tried at this address; the commands of docs/api.md move the box.
  'POST /api/v1/system/http/confirm': [409, 'no_trial'],
}

describe('the examples', () => {
  it('are answered as the document says, each and all', async () => {
    const ask = async (route: string, name: string, example: Example) => {
      const [method = '', path = ''] = route.split(' ')
      const { path: params = {}, query, body } = real(route, example, { ...ids, session })
      const filled = path.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])))
      const address = `${filled}${query ? `?${new URLSearchParams(query)}` : ''}`
      const type = path.includes('/lists/') ? 'text/csv' : 'application/yaml'
      const response =
        typeof body === 'string'
          ? await fetch(`http://127.0.0.1:${seeded.port}${address}`, {
              method,
              headers: {
                cookie: ada.cookie ?? '',
                origin: `http://127.0.0.1:${seeded.port}`,
                'content-type': type,
              },
              body,
            })
          : await ada(method, address, body)
      const media = response.headers.get('content-type') ?? ''
      const text = media.startsWith('text/event-stream')
        ? new TextDecoder().decode((await response.body?.getReader().read())?.value)
        : await response.text()
      const wrong = judge.wrong(method, path, response.status, media, text)
      const [status, code] = REFUSED[route] ?? [
        named().find(each => `${each.method} ${each.path}` === route)?.status ?? 200,
      ]
      const said = response.status < 400 ? undefined : (JSON.parse(text) as { code: string }).code
      if (response.status !== status || said !== code) wrong.push(`${response.status} ${text.slice(0, 300)}`)
      return wrong.map(what => `${route}, ${name}: ${what}`)
    }
    const wrong: string[] = []
    let session = 0
    const elsewhere = async () => {
      const login = { name: 'Anna', password: 'four words in a row' }
      await browser(seeded)('POST', '/api/v1/session/login', login)
      const { sessions } = (await (await ada('GET', '/api/v1/sessions')).json()) as {
        sessions: { id: number; this: boolean }[]
      }
      session = sessions.find(each => !each.this)?.id ?? 0
    }
    const first = ['POST /api/v1/session/claim', 'POST /api/v1/session/login']
    const rest = Object.keys(DOCUMENT).filter(route => !first.includes(route) && !LATER.includes(route))
    for (const route of [...first, ...rest, ...LATER]) {
      if (route === LATER[0]) await elsewhere()
      // It would take the box away from here.
      if (route === 'PUT /api/v1/system/http') continue
      for (const [name, example] of Object.entries(DOCUMENT[route]?.examples ?? {}))
        wrong.push(...(await ask(route, name, example)))
    }
    expect(wrong).toEqual([])
  })
})
