import { describe, expect, test } from 'vitest'
import { eventually } from '../helpers.ts'
import { hasNats, NatsServer } from './server.ts'
import { DURABLE, STREAM, StreamServer } from './stream-server.ts'
import { listening, PLATE, PLATES, plate } from './world.ts'

const section = (server: NatsServer) =>
  `{ url: "${server.url}", jetstream: { stream: ${STREAM}, durable: ${DURABLE} } }`
const many = (count: number, at: number, from = 0) =>
  Array.from({ length: count }, (_, n) => plate(from + n, at))

describe.skipIf(!hasNats)('a durable consumer', () => {
  test('takes events from the stream and settles each, also those that nobody waits for or that are none', async () => {
    const server = await (await new StreamServer().start()).stream()
    const { box, nats, up, runs } = await listening(section(server))
    await box.save(PLATES, 'on')
    await up()
    const now = box.clock.now()
    await server.publish(PLATE, ...many(100, now), 'no event', plate(200, now - 600_000))
    await server.publish('opennvr.events.visit.recorded.v1.gate', plate(300, now))
    await eventually(() => runs() === 100)
    await server.settled()
    expect(nats.received).toBe(102)
    expect(nats.shed.malformed).toBe(1)
    expect(box.engine.shed()).toEqual({ stale: 1 })
    expect((await server.subjects()).filter(each => each.startsWith('opennvr'))).toEqual([])
  })

  test('brings what was sent while the box was away, once', async () => {
    const server = await (await new StreamServer().start()).stream()
    const { box, nats, up, runs } = await listening(section(server))
    await box.save(PLATES, 'on')
    await up()
    const now = box.clock.now()
    await server.publish(PLATE, ...many(10, now))
    await eventually(() => runs() === 10)
    await nats.stop()
    await box.restart()
    await server.publish(PLATE, ...many(50, now, 5))
    await nats.start()
    await up()
    await eventually(() => runs() === 55)
    await server.settled()
    expect(box.engine.shed()).toEqual({ seen: 5 })
  })

  test('what was on its way to the disk when the box died comes again, and is known', async () => {
    const server = await (await new StreamServer().start()).stream()
    await server.consumer({ ack_wait: 1_000_000_000 })
    const { box, nats, up, runs } = await listening(section(server))
    await box.save(PLATES, 'on')
    const submit = box.engine.submit.bind(box.engine)
    box.engine.submit = event => submit(event).then(() => new Promise(() => {}))
    await up()
    const { id: _, ts: __, ...bare } = plate(99, 0) as Record<string, unknown>
    await server.publish(PLATE, ...many(20, box.clock.now()), bare)
    await eventually(() => runs() === 21)
    const stopped = nats.stop()
    box.clock.advance(5_000)
    await stopped
    box.engine.submit = submit
    expect((await server.waiting()).unsettled).toBe(21)
    const again = await listening(section(server), { box })
    await again.up()
    await server.settled()
    expect(again.nats.received).toBeGreaterThanOrEqual(21)
    expect(runs()).toBe(21)
  })

  test('what there was no room for comes again later', async () => {
    const server = await (await new StreamServer().start()).stream()
    const { box, up, runs } = await listening(section(server), { mostRuns: 2 })
    await box.save(PLATES.replace('then: [', 'then: [ wait: 10s,'), 'on')
    await up()
    await server.publish(PLATE, ...many(3, box.clock.now()))
    await eventually(() => box.engine.shed().queue_full === 1)
    expect(runs()).toBe(2)
    expect((await server.waiting()).unsettled).toBe(1)
    box.clock.advance(10_000)
    await eventually(() => runs() === 3)
    await server.settled()
  })

  test('a stream that is not there is said; what is sent is heard meanwhile, and the stream taken once it is there', async () => {
    const server = await new StreamServer().start()
    const { box, nats, up, until, runs } = await listening(section(server))
    await box.save(PLATES, 'on')
    await until(problem => problem?.startsWith(`There is no stream ${STREAM}`) === true)
    const now = box.clock.now()
    await server.publish(PLATE, plate(1, now))
    await eventually(() => runs() === 1)
    await server.stream()
    await up()
    await server.publish(PLATE, plate(2, box.clock.now()))
    await eventually(() => runs() === 2)
    await (await server.manager()).consumers.delete(STREAM, DURABLE)
    await until(problem => problem !== null)
    await up()
    await server.publish(PLATE, plate(3, box.clock.now()))
    await eventually(() => runs() === 3)
    expect(nats.received).toBe(3)
  })

  test('subjects that the stream does not keep are heard as they are sent', async () => {
    const server = await (await new StreamServer().start()).stream(['opennvr.alerts.>'])
    const { box, up, runs } = await listening(section(server))
    await box.save(PLATES, 'on')
    await up()
    await server.publish(PLATE, plate(1, box.clock.now()))
    await eventually(() => runs() === 1)
  })

  test('a server without JetStream, and a consumer of another sort, are said to be so', async () => {
    const plain = await new NatsServer().start()
    const { until } = await listening(section(plain))
    await until(
      problem =>
        problem ===
        'The server has no JetStream: switch it on there, or take jetstream out of the site file.',
    )
    const server = await (await new StreamServer().start()).stream()
    await server.consumer({ ack_policy: 'none' })
    const other = await listening(section(server))
    await other.until(problem => problem?.includes(`The consumer ${DURABLE} is not a pull consumer`) === true)
  })
})
