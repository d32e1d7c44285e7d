import { describe, expect, test } from 'vitest'
import { eventually, jpeg } from '../helpers.ts'
import { NtfyServer } from './ntfy-server.ts'
import { World } from './world.ts'

const site = (url: string, more = '') => `
time_zone: Europe/Berlin
page_url: "https://gate.lan:8088"
cameras:
  gate: { name: Main gate, roles: [gate] }
people:
  ann: { roles: [guard], channels: [{ via: push }] }
  ben: { roles: [owner], channels: [{ via: push, at: gate-ben }] }
alerts: { to: ["role:guard"] }
channels:
  push: { kind: ntfy, url: "${url}", topic: gate-all, token: { secret: ntfy }, per_minute: 3${more} }
`

async function start(more = ''): Promise<{ server: NtfyServer; world: World }> {
  const server = new NtfyServer()
  const world = await World.start(site(server.url, more))
  world.secret('ntfy', 'tk_secret')
  server.token = 'tk_secret'
  return { server, world }
}

describe('ntfy', () => {
  test('tells an alert with its picture, whatever its letters, with a link and a place of its own', async () => {
    const { server, world } = await start()
    const id = await world.box.save(RING, 'on')
    const event = {
      ...world.box.hook(id, { camera: 'gate' }, 'gate'),
      pictures: [{ bytes: jpeg(3), takenAt: world.box.clock.now(), source: 'upload' }],
    }
    const run = await world.box.run(event)
    await eventually(() => server.received.length === 1)
    const [told] = server.received
    expect(told).toMatchObject({
      topic: 'gate-all',
      title: 'Jemand am Tor: ÄÖ 門',
      message: 'Zeile eins\nZeile zwei €',
      priority: 4,
      click: `https://gate.lan:8088/runs/${run.id}`,
      file: { name: 'picture.jpg', type: 'image/jpeg' },
    })
    expect(told?.file?.bytes).toEqual(jpeg(7))
    expect(told?.id).toMatch(/^alrt_[0-9a-f]{12}$/)
    expect(told?.sequence).toMatch(/^run-[0-9a-f]{20}$/)
  })

  test('a later message of a run takes the place of the earlier one, of the same kind and camera only', async () => {
    const { server, world } = await start()
    const id = await world.box.save(
      RING.replace(
        '  - alert:',
        '  - notify: { who: role:guard, message: "A moment" }\n  - notify: { who: role:guard, message: "All is well" }\n  - alert:',
      ),
      'on',
    )
    const run = async (camera: string) => {
      world.box.clock.advance(61_000)
      await world.box.run(world.box.hook(id, {}, camera))
      await eventually(() => server.received.length === 3)
      return server.received.splice(0).map(({ sequence }) => sequence)
    }
    const [tell, again, alert] = await run('gate')
    expect(tell).toBe(again)
    expect(alert).not.toBe(tell)
    const other = await run('yard')
    expect(other).not.toContain(tell)
    expect(other).not.toContain(alert)
  })

  test('is asked without the picture where the server takes none, or there is none', async () => {
    const { server, world } = await start()
    server.takesFiles = false
    const id = await world.box.save(RING, 'on')
    const pictures = [{ bytes: jpeg(3), takenAt: world.box.clock.now(), source: 'upload' }]
    await world.box.run({ ...world.box.hook(id, {}, 'gate'), pictures })
    await eventually(() => server.received.length === 1)
    expect(server.received[0]).toMatchObject({ message: 'Zeile eins\nZeile zwei €', file: null })
    world.picture = null
    server.takesFiles = true
    world.box.clock.advance(60_000)
    await world.box.run({ ...world.box.hook(id, {}, 'gate'), pictures })
    await eventually(() => server.received.length === 2)
    expect(server.received[1]?.file).toBe(null)
  })

  test('sends no pictures where the site says so', async () => {
    const { server, world } = await start(', pictures: false')
    const id = await world.box.save(RING, 'on')
    const pictures = [{ bytes: jpeg(3), takenAt: world.box.clock.now(), source: 'upload' }]
    await world.box.run({ ...world.box.hook(id, {}, 'gate'), pictures })
    await eventually(() => server.received.length === 1)
    expect(server.received[0]?.file).toBe(null)
  })

  test('a wrong token is said, nothing is lost, and one knocks for all', async () => {
    const { server, world } = await start()
    server.token = 'tk_other'
    await world.tell({ title: 'for ben' }, { kind: 'notify', title: 'for ann', audience: 'role:guard' })
    await eventually(() => world.channels.problem !== null)
    expect(world.channels.problem).toBe('channels.push: ntfy refuses the token, or the topic for it (401).')
    expect(world.channels.problem).not.toContain('tk_')
    await Bun.sleep(30)
    expect(server.requests).toBe(1)
    world.secret('ntfy', 'tk_other')
    await world.after(10_000, () => server.received.length === 2)
    expect(server.received.map(({ topic }) => topic).toSorted()).toEqual(['gate-all', 'gate-ben'])
    expect(world.channels.problem).toBe(null)
    expect(world.feeds.shed).toEqual({ push_expired: 0, push_refused: 0, push_summed: 0 })
  })

  test('a secret that is not there is said by its name', async () => {
    const { world } = await start()
    await world.site(site('http://127.0.0.1:9').replace('secret: ntfy', 'secret: missing'))
    await world.tell({ title: 'x' })
    await eventually(() => world.channels.problem !== null)
    expect(world.channels.problem).toContain('needs the secret missing')
  })

  test('a server that is gone for a minute gets all of it when it is back, in order, each once', async () => {
    const { server, world } = await start()
    await world.tell({ title: 'one' })
    await eventually(() => server.received.length === 1)
    await server.down()
    await world.tell({ title: 'two' }, { title: 'three' })
    await world.after(60_000)
    expect(world.channels.problem).toContain('cannot be reached')
    await world.restart(1_000)
    server.up()
    await world.after(60_000, () => server.received.length === 3)
    await eventually(() => server.received.length === 3)
    expect(server.received.map(({ message }) => message)).toEqual(['one', 'two', 'three'])
    expect(new Set(server.received.map(({ id }) => id)).size).toBe(3)
  })

  test('an answer that is no ntfy’s, a hanging one, and one that says wait: it is tried again', async () => {
    const { server, world } = await start()
    server.answer = () => new Response('<html>nothing here</html>', { status: 404 })
    await world.tell({ title: 'one' })
    await eventually(() => world.channels.problem !== null)
    expect(world.channels.problem).toBe(
      'channels.push: the server answers 404: look whether url is that of an ntfy.',
    )
    server.answer = () => new Promise<Response>(() => undefined)
    const before = server.requests
    await world.after(40_000, () => server.requests > before)
    await world.after(40_000, () => world.channels.problem?.includes('in time') ?? false)
    expect(world.channels.problem).toContain('did not answer in time')
    server.answer = () => Response.json({ error: 'limit reached' }, { status: 429 })
    await world.after(40_000, () => world.channels.problem?.includes('429') ?? false)
    server.answer = () => new Response('<html>Please log in</html>')
    await world.after(40_000, () => world.channels.problem?.includes('is no ntfy') ?? false)
    server.answer = null
    await world.after(40_000, () => server.received.length === 1)
    expect(server.received[0]?.message).toBe('one')
  })

  test('what the server will never take is left out and counted; what follows is told', async () => {
    const { server, world } = await start()
    let first = true
    server.answer = () => {
      server.answer = first ? null : server.answer
      first = false
      return Response.json({ error: 'bad\u0000thing' }, { status: 400 })
    }
    await world.tell({ title: 'never' }, { title: 'next' })
    await eventually(() => server.received.length === 1)
    expect(server.received[0]?.message).toBe('next')
    expect(world.feeds.shed).toMatchObject({ push_refused: 1 })
    expect(world.channels.problem).toBe(null)
  })

  test('a redirect is followed nowhere, and this box itself is not told', async () => {
    const { server, world } = await start()
    const other = new NtfyServer()
    server.answer = () => Response.redirect(`${other.url}/gate-ben`, 307)
    await world.tell({ title: 'one' })
    await eventually(() => world.channels.problem !== null)
    expect(other.requests).toBe(0)
    server.answer = null
    world.ownPorts = [server.port]
    const before = server.requests
    await world.after(10_000, () => world.channels.problem?.includes('Gatehouse itself') ?? false)
    expect(world.channels.problem).toContain('it is this Gatehouse itself')
    expect(server.requests).toBe(before)
  })

  test('ten thousand at once: a few by themselves, the rest as one with the worst of it', async () => {
    const { server, world } = await start()
    const many = Array.from({ length: 9_999 }, (_, n) => ({ title: `n${n}`, severity: 'medium' }))
    await world.tell(
      ...many.slice(0, 5_000),
      { title: 'the worst', severity: 'critical' },
      ...many.slice(5_000),
    )
    await eventually(() => server.received.length === 3)
    expect(server.received.map(({ message }) => message)).toEqual(['n0', 'n1', 'n2'])
    await world.after(60_000)
    await eventually(() => server.received.length === 4, 20_000)
    const [sum] = server.received.slice(3)
    expect(sum?.title).toBe('And 9997 more')
    expect(sum?.message.split('\n')).toEqual([
      '• critical: the worst',
      '• medium: n9998',
      '• medium: n9997',
      '• medium: n9996',
      '• medium: n9995',
      'and 9992 more on the page',
    ])
    expect(sum?.priority).toBe(5)
    await world.tell({ title: 'later' })
    await eventually(() => server.received.length === 5)
    expect(server.received[4]?.message).toBe('later')
    expect(world.feeds.shed).toMatchObject({ push_summed: 9_997, push_expired: 0 })
  }, 30_000)
})

/** Tells an alert with the picture that came. */
const RING = `
contract: workflow.v1
name: Ring
when: { webhook: { label: Ring } }
limits: { cooldown: 1s }
then:
  - alert: { severity: high, title: "Jemand am Tor: ÄÖ 門", description: "Zeile eins\\nZeile zwei €", attach: [picture] }
`
