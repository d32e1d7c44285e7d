import type { Msg } from '@nats-io/transport-node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { NoticeFeeds } from '../../../src/connect/index.ts'
import { noLog } from '../../../src/core/index.ts'
import { eventually } from '../helpers.ts'
import { hasNats, NatsServer, type ServerOptions } from './server.ts'
import { type Listening, listening, PLATE, plate } from './world.ts'

const RAISES = `
contract: workflow.v1
name: Gate Watch
limits: { cooldown: 0s, per_hour: 1000000, one_at_a_time: plate }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then: [ alert: { severity: high, title: "Plate {plate}", description: "At {camera_name}" } ]
`
const follows = (name: string, source: string, more = '[ log: "{title}" ]') => `
contract: workflow.v1
name: ${name}
limits: { cooldown: 0s, per_hour: 1000000, one_at_a_time: camera }
when: { alert: { source: ${source} } }
then: ${more}
`

interface Heard {
  subject: string
  alert: {
    alert_id: string
    title: string
    evidence: { chain: string[]; workflow_id: number }
    correlation_id: string
    [key: string]: unknown
  }
}

/** A box that tells, its server, and what somebody else hears there. */
async function telling(options: ServerOptions = {}, section = '') {
  const server = await new NatsServer(options).start()
  const world = await listening(`{ url: "${server.url}"${section} }`, {
    secrets: { get: () => 'pw' },
    pingMs: 200,
  })
  const feeds = await feedsOf(world)
  const heard: Heard[] = []
  const listen = async () => {
    const other = await server.publisher()
    other.subscribe('opennvr.alerts.>', {
      callback: (_error: Error | null, message: Msg) => {
        heard.push({ subject: message.subject, alert: JSON.parse(message.string()) })
      },
    })
    await other.flush()
  }
  await listen()
  return { server, ...world, world, feeds, heard, listen }
}

async function feedsOf(world: Listening): Promise<NoticeFeeds> {
  const { box, nats } = world
  const { store, bus, clock } = box
  const channels = () => [nats.alerts].filter(each => each !== null)
  const feeds = new NoticeFeeds({ store, bus, clock, log: noLog, site: () => box.site, channels })
  world.onUp = () => feeds.retry('nats')
  await feeds.start()
  onTestFinished(() => feeds.stop())
  return feeds
}

describe.skipIf(!hasNats)('alerts that go out on NATS', () => {
  test('are alerts of the NVR, with the run that raised them; what the box says of itself stays here', async () => {
    const { server, box, up, heard } = await telling()
    const id = await box.save(RAISES, 'on')
    await up()
    const { store, clock } = box
    await store.write(() =>
      store.notices.add({
        ...{ runId: null, stepId: null, kind: 'alert', severity: 'high', title: 'Disk', body: '' },
        ...{ audience: null, cameraId: null, mediaId: null, createdAt: clock.now() },
      }),
    )
    await server.publish(PLATE, plate(1, clock.now()))
    await eventually(() => heard.length === 1)
    expect(heard[0]).toEqual({
      subject: 'opennvr.alerts.workflow.gate-watch.gate',
      alert: {
        alert_id: expect.stringMatching(/^alrt_[0-9a-f]{12}$/),
        fired_at: new Date(clock.now()).toISOString(),
        title: 'Plate BXY1',
        description: 'At Main gate',
        severity: 'high',
        source: { kind: 'workflow', name: 'gate-watch', version: '1' },
        camera_id: 'gate',
        correlation_id: `run_${store.meta.boxId}_1`,
        evidence: { workflow_id: id, workflow_version: 1, run_id: 1, chain: ['gate-watch'] },
        tags: [],
      },
    })
    await box.quiet()
    expect(heard).toHaveLength(1)
  })

  test('are not lost while the server is away, nor over a restart of the box, and come once', async () => {
    const { server, world, box, up, until, heard, listen, feeds, nats } = await telling()
    await box.save(RAISES, 'on')
    await up()
    const { clock } = box
    const raised = async (n: number) =>
      box.run(box.event({ payload: { plate_text: `B-${n}`, confidence: 1 } }))
    await raised(0)
    await eventually(() => heard.length === 1)
    await server.kill()
    await until(problem => problem !== null)
    for (let n = 1; n <= 20; n++) await raised(n)
    // The box itself is stopped meanwhile, and another process takes its folder.
    await feeds.stop()
    await nats.stop()
    await box.restart(60_000)
    await server.start()
    await listen()
    await nats.start()
    await feedsOf(world)
    await up()
    await eventually(() => {
      clock.advance(1_000)
      return heard.length === 21
    })
    await box.quiet()
    expect(heard.map(({ alert }) => alert.title)).toEqual(
      Array.from({ length: 21 }, (_, n) => `Plate B-${n}`),
    )
    expect(new Set(heard.map(({ alert }) => alert.alert_id)).size).toBe(21)
  })

  test('are not lost in a server that hangs: nobody knows what it has, so they go out again under the same id', async () => {
    const { server, box, up, until, heard, listen, nats } = await telling()
    await box.save(RAISES, 'on')
    await up()
    server.freeze(true)
    await box.run(box.event())
    await until(problem => problem !== null)
    await server.kill()
    await server.start()
    await listen()
    await until(problem => problem === null && heard.length > 0)
    expect(heard.map(({ alert }) => alert.title)).toEqual(['Plate B-AB 123'])
    expect(nats.problem).toBeNull()
  })

  test('are known when they come back: nobody here hears them twice, by whichever way', async () => {
    const { server, box, up, heard, nats, runs } = await telling()
    await box.save(RAISES, 'on')
    await box.save(follows('Second', 'workflow.gate-watch'), 'on')
    await up()
    await server.publish(PLATE, plate(1, box.clock.now()))
    await eventually(() => heard.length === 1 && nats.received === 2)
    // Also wrapped by somebody, under another subject.
    const { alert } = heard[0] as Heard
    const wrapped = { ...plate(2, box.clock.now()), schema: 'alert.fired.v1', payload: alert }
    await server.publish('opennvr.events.alert.fired.v1.gate', wrapped)
    await eventually(() => nats.received === 3)
    await box.quiet()
    expect(runs()).toBe(2)
    expect(box.engine.shed()).toEqual({ seen: 2 })
  })

  test('reach the workflows of another box; the chain goes along, guards nothing, and ends at three', async () => {
    const { server, box, up, heard } = await telling()
    const other = await listening(`{ url: "${server.url}", queue: other }`)
    await feedsOf(other)
    await box.save(RAISES, 'on')
    await box.save(follows('Third', 'workflow.second', '[ alert: { severity: low, title: again } ]'), 'on')
    await other.box.save(
      follows('Second', 'workflow.gate-watch', '[ alert: { severity: low, title: "{title}" } ]'),
      'on',
    )
    await other.box.save(follows('Fourth', 'workflow.third'), 'on')
    await up()
    await other.up()
    await server.publish(PLATE, plate(1, box.clock.now()))
    await eventually(() => heard.length === 3)
    expect(heard.map(({ alert }) => alert.evidence.chain)).toEqual([
      ['gate-watch'],
      ['gate-watch', 'second'],
      ['gate-watch', 'second', 'third'],
    ])
    await eventually(() => other.box.engine.shed().chain === 1)
    const row = other.box.store.runs.get(1)
    expect(row).toMatchObject({ chain: ['gate-watch'], taint: ['*'] })
  })

  test('a server that does not let us publish is named; once it does, all of it comes', async () => {
    const config = (publish: string) =>
      `authorization: { users: [{ user: box, password: pw, permissions: { publish: ["${publish}"], subscribe: ">" } }, { user: all, password: pw }] }`
    const { server, box, up, until, heard } = await telling(
      { config: config('opennvr.events.>'), publisher: { user: 'all', pass: 'pw' } },
      ', auth: { user: box, password: { secret: pw } }',
    )
    await box.save(RAISES, 'on')
    await up()
    await server.publish(PLATE, plate(1, box.clock.now()), plate(2, box.clock.now()))
    await until(
      problem =>
        problem ===
        "NATS does not let this user publish on opennvr.alerts.workflow.gate-watch.gate: allow it in the server's permissions.",
    )
    expect(heard).toEqual([])
    server.reconfigure(config('opennvr.>'))
    await until(problem => problem === null && heard.length === 2)
  })
})
