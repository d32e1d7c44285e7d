/** Services of Home Assistant, called over its REST API: a small real server that answers as Home Assistant does. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Appliance } from '../../../src/app.ts'
import { resources } from '../../../src/box/resources.ts'
import { noLog } from '../../../src/core/index.ts'
import { Site, SiteError } from '../../../src/site/index.ts'
import { eventually, serve, temporaryFolder } from '../helpers.ts'
import { freePort, hurried } from '../mqtt/mosquitto.ts'

const TOKEN = 'long-lived-token'

interface Asked {
  method: string
  path: string
  body: unknown
  correlation: string | null
}

/** Locks and lights as Home Assistant has them. `answer` comes before everything else. */
function houseAt(answer: (path: string) => Response | Promise<Response> | null = () => null) {
  const asked: Asked[] = []
  const states: Record<string, string[]> = { 'lock.front': ['unlocking', 'unlocking', 'unlocked'] }
  const port = serve(async request => {
    const { pathname: path } = new URL(request.url)
    const text = await request.text()
    const correlation = request.headers.get('x-correlation-id')
    if (path !== '/api/')
      asked.push({ method: request.method, path, body: text ? JSON.parse(text) : null, correlation })
    const special = await answer(path)
    if (special) return special
    if (request.headers.get('authorization') !== `Bearer ${TOKEN}`)
      return new Response('401: Unauthorized', { status: 401 })
    if (path === '/api/') return Response.json({ message: 'API running.' })
    const [, , what, one = '', two = ''] = path.split('/')
    if (what === 'states') {
      const [state, ...later] = states[one] ?? []
      if (later.length) states[one] = later
      return state
        ? Response.json({ entity_id: one, state, attributes: {} })
        : Response.json({ message: 'Entity not found.' }, { status: 404 })
    }
    if (!['lock', 'light'].includes(one)) return new Response('400: Bad Request', { status: 400 })
    return Response.json([{ entity_id: `${one}.changed`, state: two, attributes: {} }])
  })
  return { port, asked }
}

async function boxAt(url: string, { token = TOKEN }: { token?: string | null } = {}) {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'secrets'))
  if (token !== null) writeFileSync(join(dataDir, 'secrets/home'), token)
  const box = new Appliance({
    ...{ dataDir, clock: hurried, resources: resources(), log: noLog, port: 0 },
    site: Site.load(
      url ? `home_assistant: { url: "${url}", token: { secret: home } }` : 'cameras: { gate: {} }',
      join(dataDir, 'site.yaml'),
    ),
  })
  onTestFinished(() => box.stop())
  const page = await box.start()
  const run = async (step: string) => {
    const saved = await box.engine.save(
      `contract: workflow.v1\nname: House\nstate: test\nwhen: { button: {} }\nthen: [ ${step} ]\n`,
      { unique: false },
    )
    if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
    const { id } = saved.workflow
    await box.engine.setState(id, 'on')
    const answer = await fetch(`${page.url}/api/v1/workflows/${id}/press`, { method: 'POST' })
    const { run: number, reason } = (await answer.json()) as { run: number | null; reason: unknown }
    if (number === null) throw new Error(JSON.stringify(reason))
    const view = await box.engine.settled(number, 20_000)
    return { view, step: view.steps[0] }
  }
  const problems = async () =>
    (await (await fetch(`${page.url}/api/v1/system/health`)).json()).connections as Record<string, string>
  return { box, run, problems, dataDir }
}

const UNLOCK = '{ home_assistant: { service: lock.unlock, target: lock.front, data: { code: "1234" } } }'
const LIGHT = '{ home_assistant: { service: light.turn_on, target: [light.porch], data: { brightness: 5 } } }'

describe('services of Home Assistant', () => {
  test('a service is called with its target and data; what changed is recorded', async () => {
    const { port, asked } = houseAt()
    const { run } = await boxAt(`http://127.0.0.1:${port}`)
    const { step } = await run(LIGHT)
    expect(step).toMatchObject({
      status: 'done',
      result: { service: 'light.turn_on', changed: [{ entity_id: 'light.changed', state: 'turn_on' }] },
    })
    expect(asked).toEqual([
      {
        ...{ method: 'POST', path: '/api/services/light/turn_on' },
        body: { brightness: 5, entity_id: ['light.porch'] },
        correlation: expect.stringMatching(/^run_/),
      },
    ])
  })

  test('what was moved is looked at until it has come to rest', async () => {
    const { port, asked } = houseAt()
    const { run } = await boxAt(`http://127.0.0.1:${port}`)
    const { step } = await run(UNLOCK)
    expect(step).toMatchObject({ status: 'done', result: { states: { 'lock.front': 'unlocked' } } })
    expect(asked.map(({ path }) => path)).toEqual([
      '/api/services/lock/unlock',
      ...Array(3).fill('/api/states/lock.front'),
    ])
  })

  test('that it cannot be looked at does not undo a move', async () => {
    const { port } = houseAt(path =>
      path.startsWith('/api/states') ? new Response('no', { status: 500 }) : null,
    )
    const { run } = await boxAt(`http://127.0.0.1:${port}`)
    const { step } = await run(UNLOCK)
    expect(step).toMatchObject({
      status: 'done',
      result: { states: { 'lock.front': { unread: expect.stringContaining('failed at lock.front') } } },
    })
  })

  test.each([
    ['a wrong token', (): Response | null => null, 'wr0ng', 'does not take the token'],
    ['no token', (): Response | null => null, null, 'needs the secret home'],
    [
      'a service that is not there',
      () => new Response('400: Bad Request', { status: 400 }),
      TOKEN,
      'does not take lock.unlock (400)',
    ],
  ] as const)('%s: the move was not made', async (_what, answer, token, message) => {
    const { port } = houseAt(path => (path === '/api/' ? null : answer()))
    const { run, problems } = await boxAt(`http://127.0.0.1:${port}`, { token })
    const { view } = await run(UNLOCK)
    expect(view).toMatchObject({ status: 'failed', error: expect.stringContaining(message) })
    expect(view.error).not.toContain('wr0ng')
    if (token !== TOKEN) expect((await problems())['Home Assistant']).toContain(message)
  })

  test.each([
    ['an error of its own', () => new Response('oops', { status: 500 })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:9/' } })],
    ['no answer', () => new Promise<Response>(() => {})],
    ['a page', () => new Response('<p>Log in', { headers: { 'content-type': 'text/html; charset=utf-8' } })],
  ])('%s leaves a move unknown', async (_what, answer) => {
    const { port, asked } = houseAt(path => (path === '/api/' ? null : answer()))
    const { run } = await boxAt(`http://127.0.0.1:${port}`)
    const { view } = await run(UNLOCK)
    expect(view.status).toBe('unknown')
    expect(asked).toHaveLength(1)
  })

  test('one that is away made no move; once it is back it does', async () => {
    const port = await freePort()
    const { run, problems } = await boxAt(`http://127.0.0.1:${port}`)
    const { view } = await run(UNLOCK)
    expect(view).toMatchObject({ status: 'failed', error: expect.stringContaining('nothing answers there') })
    expect((await problems())['Home Assistant']).toContain('cannot be reached')
    const server = Bun.serve({ port, hostname: '127.0.0.1', fetch: () => Response.json([]) })
    onTestFinished(() => server.stop(true))
    let well = false
    await eventually(() => {
      void problems().then(all => {
        well = all['Home Assistant'] === undefined
      })
      return well
    })
    expect((await run(UNLOCK)).view.status).toBe('done')
  })

  test('what it answers may be anything', async () => {
    for (const body of [
      '',
      'no json',
      '[1, null, {"entity_id": 5}]',
      `[${'['.repeat(10_000)}`,
      'x'.repeat(2_000_000),
    ]) {
      const { port } = houseAt(path => (path.startsWith('/api/services') ? new Response(body) : null))
      const { run } = await boxAt(`http://127.0.0.1:${port}`)
      expect((await run(LIGHT)).step).toMatchObject({ status: 'done', result: { changed: [] } })
    }
  })

  test('without one a workflow says what to do', async () => {
    const { box } = await boxAt('')
    const saved = await box.engine.save(
      `contract: workflow.v1\nname: House\nstate: test\nwhen: { button: {} }\nthen: [ ${UNLOCK} ]\n`,
    )
    expect(saved.problems).toMatchObject([
      { code: 'not_yet', message: expect.stringContaining('name it under home_assistant in the site file') },
    ])
  })

  test.each([
    ['{ url: "mqtt://x", token: { secret: h } }', 'begins with http'],
    ['{ url: "http://u:pw@x", token: { secret: h } }', 'holds credentials'],
    ['{ url: "http://x/api", token: { secret: h } }', 'take away what follows'],
    ['{ url: "http://x", token: open }', 'must be { secret: <name> }'],
    ['{ url: "http://x" }', 'needs token'],
  ])('home_assistant: %s: %s', (section, message) => {
    expect(() => Site.load(`home_assistant: ${section}`, 'site.yaml')).toThrow(SiteError)
    expect(() => Site.load(`home_assistant: ${section}`, 'site.yaml')).toThrow(message)
  })
})
