import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../helpers.ts'
import { hasNats, NatsServer } from './server.ts'
import { ALERT, ALERT_FIRED, ALERTS, alertTwice, listening, PLATE, PLATES, plate } from './world.ts'

/** Between two tries, ms. */
const TRIES = [2_000, 4_000, 8_000, 16_000, 30_000]
const section = (server: NatsServer, more = '') => `{ url: "${server.url}"${more} }`

describe.skipIf(!hasNats)('the line to a NATS server', () => {
  test('brings just what On and Test workflows wait for, as they change', async () => {
    const server = await new NatsServer().start()
    const { box, nats, up, runs } = await listening(section(server))
    await up()
    expect(await server.subjects()).toEqual([])
    const plates = await box.save(PLATES, 'on')
    await eventually(() => nats.problem === null)
    await server.publish(PLATE, plate(1, box.clock.now()))
    await eventually(() => runs() === 1)
    expect(await server.subjects()).toEqual(['opennvr.events.plate.recognized.v1.*'])
    const alerts = await box.save(ALERTS, 'test')
    await server.publish('opennvr.events.visit.recorded.v1.gate', plate(2, box.clock.now()))
    await server.publish(ALERT, alertTwice(1, box.clock.now())[0])
    await eventually(() => runs() === 2)
    expect(await server.subjects()).toEqual([
      'opennvr.alerts.*.intrusion-detection.*',
      'opennvr.events.alert.fired.v1.*',
      'opennvr.events.plate.recognized.v1.*',
    ])
    await box.engine.setState(plates, 'off')
    await box.engine.remove(alerts)
    await server.publish('anything', '')
    const none = async () => (await server.subjects()).length === 0
    while (!(await none())) await Bun.sleep(10)
    expect(nats.received).toBe(2)
  })

  test('an alert and its envelope are one; a repeat of an event is none; what is late starts nothing', async () => {
    const server = await new NatsServer().start()
    const { box, nats, up, runs } = await listening(section(server))
    await box.save(ALERTS, 'on')
    await box.save(PLATES, 'on')
    await up()
    const now = box.clock.now()
    const [alert, envelope] = alertTwice(7, now)
    await server.publish(ALERT, alert)
    await server.publish(ALERT_FIRED, envelope)
    await server.publish(
      PLATE,
      plate(1, now),
      plate(1, now),
      plate(2, now - 301_000),
      plate(3, now - 299_000),
    )
    await eventually(() => nats.received === 6)
    await box.quiet()
    expect(runs()).toBe(3)
    expect(box.engine.shed()).toEqual({ seen: 2, stale: 1 })
  })

  test('shares with the boxes of its group, and with no other', async () => {
    const server = await new NatsServer().start()
    const [one, two] = [await listening(section(server)), await listening(section(server))]
    const other = await listening(section(server, ', queue: spare'))
    for (const each of [one, two, other]) {
      await each.box.save(PLATES, 'on')
      await each.up()
    }
    const now = one.box.clock.now()
    await server.publish(PLATE, ...Array.from({ length: 100 }, (_, n) => plate(n, now)))
    await eventually(() => one.runs() + two.runs() === 100 && other.runs() === 100)
    expect(one.runs()).toBeGreaterThan(0)
    expect(two.runs()).toBeGreaterThan(0)
  })

  test('is drained at a stop: what has come is taken', async () => {
    const server = await new NatsServer().start()
    const { box, nats, up, runs } = await listening(section(server))
    await box.save(PLATES, 'on')
    await up()
    const now = box.clock.now()
    await server.publish(PLATE, ...Array.from({ length: 500 }, (_, n) => plate(n, now)))
    await nats.stop()
    expect(runs()).toBe(nats.received)
    expect(runs()).toBe(500)
    expect(await server.subjects()).toEqual([])
    expect(nats.problem).toBeNull()
  })

  test('takes ten thousand messages in a burst, and leaves none out', async () => {
    const server = await new NatsServer().start()
    const { box, nats, up, runs } = await listening(section(server))
    await box.save(PLATES, 'on')
    await up()
    const now = box.clock.now()
    await server.publish(PLATE, ...Array.from({ length: 10_000 }, (_, n) => plate(n, now)))
    await eventually(() => nats.received === 10_000)
    await nats.stop()
    expect(runs()).toBe(10_000)
    expect(nats.shed).toEqual({ malformed: 0, mismatched: 0, busy: 0, failed: 0 })
    expect(box.engine.shed()).toEqual({})
  })

  test('leaves out and counts what there is no room for', async () => {
    const server = await new NatsServer().start()
    const { box, nats, up } = await listening(section(server))
    await box.save(PLATES, 'on')
    await up()
    const now = box.clock.now()
    const all = Array.from({ length: 20_000 }, (_, n) => JSON.stringify(plate(n, now)))
    const held = Promise.withResolvers<void>()
    const submit = box.engine.submit.bind(box.engine)
    box.engine.submit = event => held.promise.then(() => submit(event))
    await server.publish(PLATE, ...all)
    await eventually(() => nats.received === 20_000)
    expect(nats.shed.busy).toBe(20_000 - 64 - 16_384)
    held.resolve()
    await nats.stop()
  })
})

describe.skipIf(!hasNats)('a server that goes', () => {
  test('and comes back: subscriptions deliver again, each time, also those that changed meanwhile', async () => {
    const server = await new NatsServer().start()
    const { box, nats, up, until, runs } = await listening(section(server))
    await box.save(PLATES, 'on')
    await up()
    let sent = 0
    const arrives = async (subject: string, message: object) => {
      await server.publish(subject, message)
      sent++
      await eventually(() => runs() === sent)
    }
    for (let round = 1; round <= 3; round++) {
      await server.kill()
      await until(problem => problem?.includes(`127.0.0.1:${server.port}`) === true)
      if (round === 2) await box.save(ALERTS, 'on')
      await server.start()
      await up()
      await arrives(PLATE, plate(round, box.clock.now()))
      if (round > 1) await arrives(ALERT, alertTwice(round, box.clock.now())[0])
    }
    expect(nats.received).toBe(5)
  })

  test('for a minute: it is tried after 2, 4, 8, 16 and 30 s, and says why', async () => {
    const server = new NatsServer()
    const { box, nats, up } = await listening(section(server))
    await box.save(PLATES, 'on')
    const refused = `NATS at 127.0.0.1:${server.port}: nobody listens there: start the server, or correct the address.`
    await eventually(() => nats.problem === refused)
    const pauses: number[] = []
    const { after } = box.clock
    box.clock.after = (ms, callback) => {
      if (TRIES.includes(ms)) pauses.push(ms)
      return after.call(box.clock, ms, callback)
    }
    for (const ms of TRIES) {
      const tried = pauses.length
      box.clock.advance(ms)
      await eventually(() => pauses.length > tried)
    }
    expect(pauses).toEqual([...TRIES.slice(1), 30_000])
    await server.start()
    await up()
  })

  test('that hangs is noticed, though its connection stays; once it goes on, it delivers again', async () => {
    const server = await new NatsServer().start()
    const { box, up, until, runs } = await listening(section(server), { pingMs: 100 })
    await box.save(PLATES, 'on')
    await up()
    server.freeze(true)
    await until(problem => problem?.startsWith(`NATS at 127.0.0.1:${server.port}: `) === true)
    server.freeze(false)
    await up()
    await server.publish(PLATE, plate(1, box.clock.now()))
    await eventually(() => runs() === 1)
  })

  test('that accepts and says nothing, or is no NATS server, is said to be so', async () => {
    const silent = Bun.listen({ port: 0, hostname: '127.0.0.1', socket: { data() {} } })
    const web = Bun.listen({
      port: 0,
      hostname: '127.0.0.1',
      socket: { open: socket => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), data() {} },
    })
    onTestFinished(() => {
      silent.stop(true)
      web.stop(true)
    })
    const greeted = new WeakSet<object>()
    const flighty = Bun.listen({
      port: 0,
      hostname: '127.0.0.1',
      socket: {
        open: socket => void socket.write('INFO {"version":"2.9.10","proto":1,"max_payload":1048576}\r\n'),
        data: socket => {
          if (greeted.has(socket)) socket.end()
          greeted.add(socket)
          socket.write('PONG\r\n')
        },
      },
    })
    onTestFinished(() => flighty.stop(true))
    const { nats, turnTo } = await listening(`{ url: "nats://127.0.0.1:${silent.port}" }`)
    await eventually(() => nats.problem === `NATS at 127.0.0.1:${silent.port}: it does not answer.`)
    await turnTo(`{ url: "nats://127.0.0.1:${web.port}" }`)
    await eventually(
      () => nats.problem === `NATS at 127.0.0.1:${web.port}: what answers there is no NATS server.`,
    )
    await turnTo(`{ url: "nats://127.0.0.1:${flighty.port}" }`)
    await eventually(() => nats.problem === `NATS at 127.0.0.1:${flighty.port}: the line broke.`)
    await turnTo('')
    expect(nats.problem).toBeNull()
  })

  test('of several the one that is there is taken', async () => {
    const [gone, server] = [new NatsServer(), await new NatsServer().start()]
    const { up } = await listening(`{ url: ["${gone.url}", "${server.url}"] }`)
    await up()
  })
})

describe.skipIf(!hasNats)('who may', () => {
  test('a wrong token is said, never shown; the right one counts as soon as it is there', async () => {
    const server = await new NatsServer({ config: 'authorization: { token: "right-one" }' }).start()
    const known = new Map<string, string>()
    const secrets = { get: (name: string) => known.get(name) ?? null }
    const { nats, up, until } = await listening(section(server, ', auth: { token: { secret: nats } }'), {
      secrets,
    })
    await until(
      problem =>
        problem === 'nats needs the secret nats: write it into the file secrets/nats of the data folder.',
    )
    known.set('nats', 'wrong-one')
    await until(problem => problem?.includes('it refuses who we are: check auth under nats') === true)
    expect(nats.problem).not.toContain('wrong-one')
    known.set('nats', 'right-one')
    await up()
  })

  test('a subject that the server forbids is named, and asked for again', async () => {
    const config = (allowed: string) =>
      `authorization: { users: [{ user: box, password: pw, permissions: { subscribe: ["_INBOX.>", "${allowed}"] } }] }`
    const server = await new NatsServer({
      config: config('nothing'),
      publisher: { user: 'box', pass: 'pw' },
    }).start()
    const { box, nats, up, until, runs } = await listening(
      section(server, ', auth: { user: box, password: { secret: pw } }'),
      { secrets: { get: () => 'pw' } },
    )
    await box.save(PLATES, 'on')
    await until(
      problem =>
        problem ===
        "NATS does not let this user subscribe to opennvr.events.plate.recognized.v1.*: allow it in the server's permissions.",
    )
    server.reconfigure(config('opennvr.events.>'))
    await up()
    await eventually(() => nats.problem === null)
    await server.publish(PLATE, plate(1, box.clock.now()))
    await eventually(() => runs() === 1)
  })

  test.each([
    ['nats://169.254.169.254:4222', []],
    ['nats://nvr.lan:4222', ['127.0.0.1']],
    ['nats://nvr.lan:4222', ['192.0.2.1', '169.254.1.1']],
  ])('nothing is sent to %s that is %s', async (url, addresses) => {
    const { nats } = await listening(`{ url: "${url}" }`, { lookup: async () => addresses })
    if (addresses.length)
      await eventually(() => nats.problem?.startsWith('nats: nothing is sent there: ') === true)
    else expect(nats.problem).toContain('not reached yet')
  })
})
