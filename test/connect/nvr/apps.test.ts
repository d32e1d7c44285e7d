import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../../src/core/index.ts'
import { check } from '../../../src/engine/index.ts'
import { type ActionContext, actions, Uncertain, Undelivered } from '../../../src/kinds/index.ts'
import { Site } from '../../../src/site/index.ts'
import { eventually, temporaryFolder } from '../helpers.ts'
import { type NvrBox, nvrBox, section, signal } from './box.ts'
import { HOSTILE, KEY, NvrServer, TOKEN } from './server.ts'

const open = (more: object = {}) => ({
  name: 'open',
  label: 'Open the gate',
  params: [
    { name: 'door', type: 'str', required: true, default: null, choices: ['front', 'back'] },
    { name: 'seconds', type: 'int', required: false, default: 5 },
  ],
  confirm: true,
  ...more,
})
const say = {
  name: 'say',
  label: 'Say',
  params: [{ name: 'text', type: 'str', required: true }],
  confirm: false,
}
const registered = (id: string, actions: object[], emits: object[] = []) => ({
  id,
  name: id,
  enabled: true,
  manifest: { id, name: `The ${id}`, version: '1.0', category: 'access', summary: '', emits, actions },
})

/** A box that has looked at its NVR's apps. */
async function looked(server: NvrServer, yaml = '', options: Parameters<typeof nvrBox>[2] = {}) {
  let changes = 0
  const box = nvrBox(server, yaml, {
    ...options,
    onApps: async () => {
      changes++
      box.site = box.site.withApps(box.nvr.apps.of(box.site.nvr))
    },
  })
  await box.nvr.start()
  await eventually(() => changes > 0)
  return box
}

const act = ({ nvr }: Pick<NvrBox, 'nvr'>, params: object, effect: 'move' | 'tell' = 'move') =>
  Promise.resolve(
    actions.app.run(params, {
      world: { apps: nvr.apps },
      effect,
      deliveryId: 'box-7-1',
      correlationId: 'box/7',
      signal: signal(),
    } as unknown as ActionContext),
  )

const file = (steps: string, when = 'schedule: { every: 1h }') => `contract: workflow.v1
name: Gate
when: { ${when} }
then:
${steps}
`
const problems = ({ site, nvr }: NvrBox, yaml: string) =>
  check(yaml, { site, world: { apps: nvr.apps } }).problems.map(
    ({ severity, code, message, line }) => `${severity} ${line} ${code} ${message}`,
  )

describe('the apps of the NVR', () => {
  test('are known to the site with what they do and what that is', async () => {
    const server = new NvrServer()
    server.apps = [registered('gate', [open(), say, { name: 'close', label: 'Close' }], [{ name: 'opened' }])]
    const { site, nvr } = await looked(server)
    const view = site.view()
    expect([...(view.apps.get('gate') ?? [])].map(([name, { informing }]) => [name, informing])).toEqual([
      ['open', false],
      ['say', true],
      // What says nothing of it is a move.
      ['close', false],
    ])
    expect(view.alertSources).toEqual(new Set(['gate']))
    expect(nvr.view()).toMatchObject({
      apps: [
        {
          id: 'gate',
          name: 'The gate',
          raises_alerts: true,
          actions: [
            { name: 'open', label: 'Open the gate', class: 'move' },
            { name: 'say', class: 'tell' },
            { name: 'close', class: 'move' },
          ],
        },
      ],
    })
  })

  test('are counted as moves on anything but a plain `confirm: false`, the stricter of two', async () => {
    const server = new NvrServer()
    const named = (name: string, confirm?: unknown) => ({ name, ...(confirm !== undefined && { confirm }) })
    server.apps = [
      registered('a', [
        named('no', 'false'),
        named('zero', 0),
        named('nothing', null),
        named('map', {}),
        named('twice', false),
        named('twice', true),
        named('plain', false),
      ]),
    ]
    const { site } = await looked(server)
    const informing = [...(site.view().apps.get('a') ?? [])].filter(([, it]) => it.informing)
    expect(informing.map(([name]) => name)).toEqual(['plain'])
  })

  test('a later manifest tightens, and loosens nothing: that takes the site file', async () => {
    const server = new NvrServer()
    server.apps = [registered('gate', [open(), say])]
    const dir = temporaryFolder()
    const first = await looked(server, '', { dir })
    await first.nvr.stop()
    first.store.stop()
    server.apps = [registered('gate', [open({ confirm: false }), { ...say, confirm: true }])]
    const { site, nvr } = await looked(server, '', { dir })
    const classes = (it: Site) =>
      [...(it.view().apps.get('gate') ?? [])].map(([, { informing }]) => informing)
    expect(classes(site)).toEqual([false, false])
    expect(JSON.stringify(nvr.view())).toContain('list it under apps in the site file')
    const listed = Site.load(`${section(server)}\napps: { gate: { open: tell } }`, '/data/site.yaml')
    const apps = nvr.apps.of(listed.nvr)
    expect(classes(listed.withApps(apps))).toEqual([true, false])
    // Gone for a while and back again, it is still what it was.
    server.apps = []
    await nvr.stop()
    await nvr.start()
    await eventually(() => nvr.apps.of(listed.nvr)?.length === 0)
    server.apps = [registered('gate', [open({ confirm: false })])]
    await nvr.stop()
    await nvr.start()
    await eventually(() => nvr.apps.of(listed.nvr)?.length === 1)
    expect(classes(site.withApps(nvr.apps.of(listed.nvr)))).toEqual([false])
  })

  test('are remembered while the NVR is away, of this NVR only', async () => {
    const server = new NvrServer()
    server.apps = [registered('gate', [open()])]
    const dir = temporaryFolder()
    const first = await looked(server, '', { dir })
    await first.nvr.stop()
    first.store.stop()
    await server.stop()
    const { nvr, site } = nvrBox(server, '', { dir })
    expect(nvr.apps.of(site.nvr)?.map(({ id }) => id)).toEqual(['gate'])
    expect(nvr.apps.of(Site.load('', 'x').nvr)).toBeNull()
    const other = Site.load('nvr: { url: "http://127.0.0.1:9", key: { secret: key } }', 'x')
    expect(nvr.apps.of(other.nvr)).toBeNull()
  })

  test.each(HOSTILE)(
    '%s instead of their list forgets nothing and crashes nothing',
    async (_name, answer) => {
      const server = new NvrServer()
      server.apps = [registered('gate', [open()])]
      const clock = new ManualClock()
      const { nvr, site } = await looked(server, '', { clock })
      let asked = 0
      server.before = ({ path }) => {
        if (!path.endsWith('/apps')) return undefined
        asked++
        return answer()
      }
      await nvr.stop()
      await nvr.start()
      // The second question comes only after the first was dealt with.
      await eventually(() => {
        clock.advance(2_000)
        return asked > 1 || nvr.apps.of(site.nvr)?.length === 0
      })
      const known = nvr.apps.of(site.nvr)?.map(({ id }) => id)
      expect(known).toEqual(_name === 'a list of nonsense' ? [] : ['gate'])
    },
  )

  test('ten thousand apps, actions and parameters are cut to what a box can bear', async () => {
    const server = new NvrServer()
    const many = Array.from({ length: 10_000 }, (_, i) => i)
    server.apps = [
      ...many.map(i => ({ id: `app${i}`, actions: [{ name: 'x'.repeat(70) }, { name: 'do' }] })),
      null,
      'x',
    ]
    const { nvr, site } = await looked(server)
    expect(nvr.apps.of(site.nvr)).toHaveLength(64)
    server.apps = [
      registered(
        'a',
        many.slice(0, 500).map(i => ({ name: `a${i}`, params: [{ name: 'p' }] })),
      ),
      { id: '../etc', manifest: { id: '__proto__', actions: [] } },
    ]
    await nvr.stop()
    await nvr.start()
    await eventually(() => nvr.apps.of(site.nvr)?.length === 1)
    expect(nvr.apps.of(site.nvr)?.[0]?.actions.size).toBe(32)
  })
})

describe('a file that names them', () => {
  test('is held against what they are and what they take', async () => {
    const server = new NvrServer()
    server.apps = [registered('gate', [open(), say], [{ name: 'opened' }])]
    const box = await looked(server)
    const fine = '  - app: { id: gate, action: open, params: { door: front, seconds: 3 } }'
    expect(problems(box, file(fine))).toEqual([])
    const at = (step: string) => problems(box, file(`  - app: ${step}`))
    expect(at('{ id: gat, action: open }')).toEqual([
      'error 5 unknown_app No app is called gat at this site: add it to the site, or change the name. Did you mean gate?',
    ])
    expect(at('{ id: gate, action: shut }')).toEqual([
      'error 5 unknown_action The app gate has no action shut: use one of open, say.',
    ])
    expect(at('{ id: gate, action: open, params: { door: side, secs: 3 } }')).toEqual([
      'error 5 app_params gate: open takes one of front, back for door.',
      'error 5 app_params gate: open does not take secs: it takes door, seconds.',
    ])
    expect(at('{ id: gate, action: open, params: { door: front, seconds: soon } }')).toEqual([
      'error 5 app_params gate: open takes a whole number for seconds.',
    ])
    expect(at('{ id: gate, action: say }')).toEqual(['error 5 app_params gate: say needs text: add it.'])
  })

  test('needs a guard for what its manifest calls a move, and none for what only informs', async () => {
    const server = new NvrServer()
    server.apps = [registered('gate', [open(), say])]
    const box = await looked(server)
    const when = 'event: { schema: occupancy.changed.v1 }'
    const informs = '  - app: { id: gate, action: say, params: { text: "{count} inside" } }'
    expect(problems(box, file(informs, when))).toEqual([])
    const moves = '  - app: { id: gate, action: open, params: { door: front } }'
    expect(problems(box, file(moves, when)).join()).toContain('error')
  })

  test('is stored, and counts as a move, while it was not to be learnt which apps there are', async () => {
    const server = new NvrServer()
    await server.stop()
    const box = nvrBox(server)
    const step = '  - app: { id: gate, action: open }'
    expect(problems(box, file(step))).toEqual([
      'warning 5 app_unchecked Whether the NVR has the app gate could not be checked yet: what it does counts as a move until then.',
    ])
    expect(problems(box, file(step, 'event: { schema: occupancy.changed.v1 }')).join()).toContain('error')
    box.site = Site.load('', '/data/site.yaml')
    expect(problems(box, file(step)).join()).toContain('unknown_app No app is called gate')
  })

  test('is warned of an alert that no app raises', async () => {
    const server = new NvrServer()
    server.apps = [registered('loitering-detection', [], [{ name: 'loitering' }]), registered('mute', [])]
    const box = await looked(server)
    const from = (source: string) => problems(box, file('  - log: x', `alert: { source: ${source} }`))
    expect(from('loitering-detection')).toEqual([])
    expect(from('detector.loitering-detection')).toEqual([])
    expect(from('workflow.gate')).toEqual([])
    expect(from('[loitering-detectoin, mute]')).toEqual([
      'warning 3 unknown_source No app of the NVR says that it raises alerts as loitering-detectoin: did you mean loitering-detection?',
      'warning 3 unknown_source No app of the NVR says that it raises alerts as mute: is it one that the NVR has not heard of?',
    ])
  })
})

describe('an app that is asked to do something', () => {
  const ready = async () => {
    const server = new NvrServer()
    server.apps = [registered('gate', [open(), say])]
    return { server, box: await looked(server) }
  }
  const posts = (server: NvrServer) => server.seen.filter(({ method }) => method === 'POST')

  test('is asked once, by the internal route, with what its manifest asks for and the run’s id', async () => {
    const { server, box } = await ready()
    server.action = () => Response.json({ opened: true })
    const params = { id: 'gate', action: 'open', params: { door: 'front', seconds: '7' } }
    expect(await act(box, params)).toEqual({
      receipt: { id: 'gate', action: 'open', result: { opened: true } },
    })
    expect(posts(server)).toMatchObject([
      {
        path: '/api/v1/internal/apps/gate/actions/open',
        body: { door: 'front', seconds: 7 },
        headers: { 'x-internal-api-key': KEY, 'x-correlation-id': 'box/7', 'webhook-id': 'box-7-1' },
      },
    ])
  })

  test('is asked by people’s route where the NVR has no other, once that is certain', async () => {
    const { server, box } = await ready()
    server.internalActions = false
    let did = 0
    server.action = () => Response.json({ times: ++did })
    const given = { id: 'gate', action: 'open', params: { door: 'front' } }
    expect(await act(box, given)).toMatchObject({ receipt: { result: { times: 1 } } })
    expect(posts(server).map(({ path }) => path)).toEqual([
      '/api/v1/internal/apps/gate/actions/open',
      '/api/v1/apps/gate/actions/open',
    ])
    expect(posts(server)[1]?.headers.authorization).toBe(`Bearer ${TOKEN}`)
    box.site = Site.load(section(server, ''), '/data/site.yaml')
    await expect(act(box, given)).rejects.toMatchObject({
      code: 'destination_refused',
      message: expect.stringContaining('Then name a token under nvr'),
    })
  })

  test('is given nothing that it does not take: nothing leaves the box', async () => {
    const { server, box } = await ready()
    for (const params of [{ door: 'side' }, {}, { door: 'front', seconds: 'soon' }, { door: 'front', x: 1 }])
      await expect(act(box, { id: 'gate', action: 'open', params })).rejects.toMatchObject({
        code: 'bad_request',
      })
    expect(posts(server)).toEqual([])
  })

  test.each([
    ['disabled', 409, "App 'gate' is disabled"],
    ['given what it refuses', 400, 'Invalid action params: door'],
    ['not to be asked by us', 403, 'Not permitted'],
  ])('is %s: that is certain, and what the NVR says of it is told', async (_name, status, detail) => {
    const { server, box } = await ready()
    server.action = () => Response.json({ detail: `${detail}\u001b[31m\n${'x'.repeat(5_000)}` }, { status })
    const error = await act(box, { id: 'gate', action: 'open', params: { door: 'front' } }).catch(it => it)
    expect(error).toMatchObject({ code: 'destination_refused', message: expect.stringContaining(detail) })
    expect(error.message.length).toBeLessThan(300)
    expect(error.message).not.toMatch(/\p{Cc}/u)
  })

  test.each([
    ['fails', () => Response.json({ detail: 'App unreachable' }, { status: 502 })],
    ['says nothing', () => new Promise<Response>(() => undefined)],
    ['shows a page', () => new Response('\n<!DOCTYPE html><title>Log in</title>')],
  ])('one that %s: of a move nobody knows, a message is sent again', async (_name, answer) => {
    const { server, box } = await ready()
    server.before = ({ method }) => (method === 'POST' ? answer() : undefined)
    const within = { id: 'gate', action: 'say', params: { text: 'hello' } }
    const soon = (effect: 'move' | 'tell') =>
      Promise.resolve(
        actions.app.run(within, {
          world: { apps: box.nvr.apps },
          effect,
          deliveryId: 'd',
          correlationId: 'c',
          signal: AbortSignal.timeout(300),
        } as unknown as ActionContext),
      )
    await expect(soon('move')).rejects.toBeInstanceOf(Uncertain)
    await expect(soon('tell')).rejects.toBeInstanceOf(Undelivered)
    expect(posts(server)).toHaveLength(2)
  })

  test('that it did it is certain whatever it answers', async () => {
    const { server, box } = await ready()
    for (const [answer, result] of [
      [new Response('opened'), null],
      [new Response('x'.repeat(100_000)), null],
      [Response.json({ list: Array.from({ length: 2_000 }, (_, i) => i) }), 'it is too long to be kept'],
    ] as const) {
      server.action = () => answer
      const done = await act(box, { id: 'gate', action: 'open', params: { door: 'front' } })
      expect(done.receipt.result).toEqual(result)
    }
  })

  test('where there is no NVR, it says so', async () => {
    const { box } = await ready()
    box.site = Site.load('', '/data/site.yaml')
    expect(box.nvr.apps.lacks).toBe('there is no NVR: name one under nvr in the site file')
    await expect(act(box, { id: 'gate', action: 'open' })).rejects.toMatchObject({ code: 'not_possible' })
  })
})
