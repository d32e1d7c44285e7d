import { describe, expect, test } from 'vitest'
import { eventually, serve } from '../helpers.ts'
import { NtfyServer } from './ntfy-server.ts'
import { World } from './world.ts'

const site = (url: string, more = '') => `
time_zone: Europe/Berlin
cameras:
  gate: { name: Main gate, roles: [gate] }
people:
  ann:
    roles: [guard]
    channels: [{ via: push, at: ann }, { via: push, at: ann-loud, from: high }]
    quiet_hours: { from: "22:00", to: "06:00" }
  ben: { roles: [guard, owner], channels: [{ via: push, at: ben, from: high }] }
  cleo: { roles: [guest], channels: [{ via: push, at: cleo }] }
channels:
  push: { kind: ntfy, url: "${url}", per_minute: 100 }
${more}`

async function start(more?: string, from?: (text: string) => string) {
  const server = new NtfyServer()
  const text = site(server.url, more)
  const world = await World.start(from ? from(text) : text)
  const topics = () => server.received.map(({ topic }) => topic).toSorted()
  /** Who has heard what was told, once the last of all hears the end. */
  const told = async (...rows: Parameters<World['tell']>) => {
    await world.tell(...rows)
    const known = server.received.length
    await world.tell({
      kind: 'notify',
      audience: 'person:ann, person:ben, person:cleo',
      title: 'end',
      severity: 'critical',
    })
    await eventually(() => server.received.filter(({ message }) => message === 'end').length === 4)
    const heard = server.received.splice(known).filter(({ message }) => message !== 'end')
    server.received.length = 0
    return heard
  }
  return { server, world, topics, told }
}

const topicsOf = (all: { topic: string }[]) => all.map(({ topic }) => topic).toSorted()

describe('who is told', () => {
  test('a notification: whom it names, by role or name, where it is grave enough for them', async () => {
    const { told } = await start()
    const notify = (audience: string, severity: string) => told({ kind: 'notify', audience, severity })
    expect(topicsOf(await notify('role:guard', 'low'))).toEqual(['ann'])
    expect(topicsOf(await notify('role:guard', 'high'))).toEqual(['ann', 'ann-loud', 'ben'])
    expect(topicsOf(await notify('person:cleo', 'low'))).toEqual(['cleo'])
    expect(topicsOf(await notify('role:guest, person:ben', 'critical'))).toEqual(['ben', 'cleo'])
    expect(topicsOf(await notify('role:nobody', 'critical'))).toEqual([])
  })

  test('what the box says of itself: its owner, however mild', async () => {
    const { told } = await start()
    expect(topicsOf(await told({ severity: 'low' }))).toEqual(['ben'])
  })

  test('where nobody is the owner, whoever is told alerts', async () => {
    const { told } = await start('alerts: { to: ["role:guest"] }', text =>
      text.replace('[guard, owner]', '[guard]'),
    )
    expect(topicsOf(await told({ severity: 'low' }))).toEqual(['cleo'])
  })

  test('an alert of a workflow: whom the site names, from the severity that it names', async () => {
    const { server, world } = await start('alerts: { to: ["role:guest"], from: medium }')
    const id = await world.box.save(ALERT, 'on')
    await world.box.run(world.box.hook(id))
    await eventually(() => server.received.length === 1)
    expect(server.received[0]).toMatchObject({ topic: 'cleo', title: 'medium one', message: 'Alert' })
  })

  test('in quiet hours without a sound, but what is grave goes through', async () => {
    const { told, world, server } = await start()
    // 12:00 UTC is 13:00 in Berlin; at 21:00 UTC it is night there.
    const [day] = await told({ kind: 'notify', audience: 'person:ann', severity: 'low' })
    expect(day?.priority).toBe(3)
    world.box.clock.advance(9 * 3_600_000)
    const [night] = await told({ kind: 'notify', audience: 'person:ann', severity: 'medium' })
    expect(night).toMatchObject({ topic: 'ann', priority: 2 })
    const grave = await told({ kind: 'notify', audience: 'person:ann', severity: 'high' })
    expect(grave.map(({ priority }) => priority)).toEqual([4, 4])
    expect(server.requests).toBeGreaterThan(0)
  })

  test('a site that changes: who is new is told what comes, who is gone nothing more', async () => {
    const { server, world, topics } = await start()
    await world.site(site(server.url).replace('at: cleo', 'at: cleo-new'))
    await world.tell({ kind: 'notify', audience: 'person:cleo' })
    await eventually(() => server.received.length === 1)
    expect(topics()).toEqual(['cleo-new'])
    expect(world.box.store.feeds.names().some(name => name.endsWith(':cleo'))).toBe(false)
  })

  test('a question: whom it asks, with its replies and what they do, until it is answered', async () => {
    const { server, world } = await start('page_url: "http://gate.lan:8088"')
    world.box.clock.advance(10 * 3_600_000)
    const id = await world.box.save(ASK, 'on')
    const run = await world.box.begin(world.box.hook(id, { name: 'Eve' }))
    await eventually(() => server.received.length === 3)
    const [asked] = server.received
    expect(topicsOf(server.received)).toEqual(['ann', 'ann-loud', 'ben'])
    expect(asked).toMatchObject({
      title: 'Gate',
      priority: 4,
      click: `http://gate.lan:8088/runs/${run}`,
      tags: 'question',
    })
    expect(asked?.message).toContain('Open for Eve?')
    expect(asked?.message).toContain('written by AI or by somebody outside')
    expect(asked?.message).toContain(
      '\n• Yes: moves site mode armed_home; tells alert low (Eve is in)\n• No\n',
    )
    expect(asked?.message).toContain('Until 23:05:00, at the link.')
    const question = world.box.engine.approvals({ open: true })[0]
    await world.box.engine.answer(question?.id ?? 0, 'No', { by: 'session', name: 'ann' })
    await world.box.ended(run)
    expect(server.received).toHaveLength(3)
  })

  test('a question that is over when the channel works again is told to nobody', async () => {
    const { server, world } = await start()
    await server.down()
    const id = await world.box.save(ASK, 'on')
    await world.box.begin(world.box.hook(id, { name: 'Eve' }))
    await eventually(() => world.channels.problem !== null)
    await world.after(301_000)
    server.up()
    await world.tell({
      kind: 'notify',
      audience: 'person:ann, person:ben, person:cleo',
      severity: 'critical',
    })
    for (let n = 0; n < 40 && server.received.length < 4; n++) {
      await world.after(2_000)
      await Bun.sleep(20)
    }
    expect(server.received.map(({ tags }) => tags)).toEqual(Array(4).fill('information_source'))
  })
})

describe('programs', () => {
  const MORE = `
mqtt: { url: "mqtt://127.0.0.1:1" }
home_assistant: { url: "http://127.0.0.1:1", token: { secret: ha } }
destinations:
  tickets: { url: "http://127.0.0.1:PORT/in", class: tell }
  told: { topic: site/told, class: tell }
alerts: { to: ["channel:desk", "channel:bus", "channel:phone"] }
`
  const CHANNELS = `  desk: { kind: webhook, destination: tickets }
  bus: { kind: mqtt, destination: told }
  phone: { kind: home_assistant, service: notify.mobile_app_ann }
`

  test('are told as JSON under a stable id: a listed address, a topic, Home Assistant', async () => {
    const heard: { body: unknown; id: string | null }[] = []
    let status = 503
    const port = serve(async request => {
      heard.push({ body: await request.json(), id: request.headers.get('webhook-id') })
      return new Response(null, { status })
    })
    const { world } = await start(CHANNELS + MORE.replace('PORT', String(port)))
    const id = await world.box.save(ALERT, 'on')
    const run = await world.box.run(world.box.hook(id))
    await eventually(() => heard.length === 1 && world.called.length === 1 && world.published.length === 1)
    expect(world.channels.problem).toBe('channels.desk: tickets answers 503.')
    status = 200
    await world.after(10_000, () => heard.length === 2)
    await eventually(() => heard.length === 2)
    expect(heard[1]).toEqual(heard[0])
    const body = {
      ...{ kind: 'alert', severity: 'medium', title: 'medium one', body: 'Alert', silent: false, link: null },
      ...{ run: run.id, workflow: { slug: 'alert', name: 'Alert' }, camera: null, camera_name: null },
      ...{ who: [], chain: ['alert'], id: heard[0]?.id },
    }
    expect(heard[0]?.body).toMatchObject(body)
    expect(world.published[0]).toMatchObject({
      to: 'told',
      json: body,
      deliveryId: heard[0]?.id,
      effect: 'tell',
    })
    const [call] = world.called
    expect(call).toMatchObject({ service: 'notify.mobile_app_ann', deliveryId: heard[0]?.id })
    expect(call?.data).toMatchObject({
      title: 'medium one',
      message: 'Alert',
      data: { tag: expect.stringMatching(/^run-/), group: 'gatehouse' },
    })
  })

  test('one that does not take a message is not asked again', async () => {
    let asked = 0
    const port = serve(() => {
      asked++
      return new Response(null, { status: asked === 1 ? 422 : 200 })
    })
    const { world } = await start(CHANNELS + MORE.replace('PORT', String(port)))
    const id = await world.box.save(ALERT, 'on')
    await world.box.run(world.box.hook(id))
    await eventually(() => world.feeds.shed.desk_refused === 1)
    world.box.clock.advance(60_000)
    await world.box.run(world.box.hook(id))
    await eventually(() => asked === 2)
  })

  test('a question that Home Assistant shows with buttons is not told there a second time', async () => {
    const ask =
      '{ url: "http://127.0.0.1:1", token: { secret: ha }, ask: { "role:guard": [notify.mobile_app_ann] } }'
    const more = (CHANNELS + MORE)
      .replace('PORT', '9')
      .replace(/home_assistant: \{ url.*/, `home_assistant: ${ask}`)
    const { server, world } = await start(more, text =>
      text.replace(
        '{ via: push, at: ann },',
        '{ via: push, at: ann }, { via: phone }, { via: phone, at: notify.other },',
      ),
    )
    const id = await world.box.save(ASK, 'on')
    await world.box.begin(world.box.hook(id, { name: 'Eve' }))
    await eventually(() => server.received.length === 3 && world.called.length === 1)
    expect(world.called.map(({ service }) => service)).toEqual(['notify.other'])
  })
})

describe('a test', () => {
  test('reaches everybody of a channel, says what is wrong where, and does not wait', async () => {
    const { server, world } = await start()
    const { signal } = new AbortController()
    const [first, ...rest] = await world.channels.test('push', signal)
    expect(first).toMatchObject({ at: 'ann', problem: null })
    expect(rest.map(({ at }) => at)).toEqual(['ann-loud', 'ben', 'cleo'])
    expect(server.received.map(({ tags }) => tags)).toEqual(Array(4).fill('white_check_mark'))
    await server.down()
    const failed = await world.channels.test('push', signal)
    expect(failed.map(({ problem }) => problem)).toEqual(
      Array(4).fill('channels.push cannot be reached: nothing answers there.'),
    )
    server.up()
    expect((await world.channels.test('push', signal)).every(({ problem }) => problem === null)).toBe(true)
    await expect(world.channels.test('pigeon', signal)).rejects.toMatchObject({ code: 'channel_unknown' })
  })
})

const ALERT = `
contract: workflow.v1
name: Alert
when: { webhook: { label: Alert } }
limits: { cooldown: 1s }
then:
  - alert: { severity: medium, title: "medium one" }
  - alert: { severity: low, title: "low one" }
`

const ASK = `
contract: workflow.v1
name: Gate
when: { webhook: { label: Gate } }
then:
  - ask_person: { who: role:guard, message: "Open for {trigger.name}?", replies: ["Yes", "No"], timeout: 5m, default: "No" }
    "Yes": 
      - site_mode: { to: armed_home }
      - alert: { severity: low, title: "{trigger.name} is in" }
    "No": [ log: "no" ]
`
