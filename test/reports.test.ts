/**
 * Kinds of faults that users of such systems have reported, each held here or where it belongs:
 * a restart during a question `engine/ask.test.ts`; windows over both daylight-saving nights `kinds/conditions.test.ts`
 * and `engine/schedules.test.ts`; unanswered and doubly answered questions `engine/ask.test.ts`; retries of a message
 * `engine/tells.test.ts`; what guards keep out `engine/admit.test.ts`; answers of no asked shape `engine/look.test.ts`;
 * dull runs that push out the others `engine/keep.test.ts`; those of connections, with the whole box and real servers,
 * `reports-whole.test.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { Appliance } from '../src/app.ts'
import { resources } from '../src/box/resources.ts'
import { SiteCameras } from '../src/connect/index.ts'
import { type JsonValue, noLog } from '../src/core/index.ts'
import { Site } from '../src/site/index.ts'
import { eventually, jpeg } from './connect/helpers.ts'
import { hasNats, NatsServer } from './connect/nats/server.ts'
import { PLATE, plate } from './connect/nats/world.ts'
import { Box, decision } from './engine/box.ts'

let box: Box
afterEach(() => box?.stop())

const PLATES = `
contract: workflow.v1
name: Plates
limits: { cooldown: 0s, per_hour: 1000, one_at_a_time: plate }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then: [ log: "{plate}" ]
`

describe('a storm of triggers', () => {
  test('of 300 a second for a minute: memory stays flat, and all that does not run is counted', async () => {
    box = await new Box().start()
    await box.save(PLATES.replace('per_hour: 1000', 'per_hour: 30').replace('plate }', 'camera }'), 'on')
    let runs = 0
    const heap: number[] = []
    for (let second = 0; second < 60; second++) {
      const events = Array.from({ length: 300 }, () => box.event())
      for (const admissions of await Promise.all(events.map(event => box.engine.submit(event)))) {
        runs += admissions.filter(({ run }) => run !== null).length
      }
      box.clock.advance(1_000)
      if (second === 20 || second === 59) {
        Bun.gc(true)
        heap.push(process.memoryUsage().heapUsed)
      }
    }
    const shed = Object.values(box.engine.shed()).reduce((sum, n) => sum + n, 0)
    expect(runs).toBe(30)
    expect(shed).toBe(60 * 300 - runs)
    expect((heap[1] ?? 0) - (heap[0] ?? 0)).toBeLessThan(5_000_000)
  })
})

describe('a broker that comes back', () => {
  test('and delivers its backlog: what is old starts nothing, what is fresh starts once', async () => {
    box = await new Box().start()
    await box.save(PLATES, 'on')
    const now = box.clock.now()
    const ages = [3_600_000, 600_000, 301_000, 299_000, 10_000, 0]
    const backlog = ages.map((age, n) =>
      box.event({ at: now - age, payload: { plate_text: `P ${n}`, confidence: 0.99 } }),
    )
    const answers = await Promise.all([...backlog, ...backlog].map(event => box.engine.submit(event)))
    const codes = answers.map(([admission]) => admission?.reason?.code ?? 'run')
    expect(codes.slice(0, 6)).toEqual(['stale', 'stale', 'stale', 'run', 'run', 'run'])
    expect(codes.slice(6)).toEqual(Array.from({ length: 6 }, () => 'seen'))
  })
})

describe.skipIf(!hasNats)('a broker that is killed and started anew', () => {
  test('delivers again to the whole box: its subscriptions are there, not only its connection', async () => {
    const server = await new NatsServer().start()
    const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-reports-'))
    const site = Site.load(`cameras: { gate: {} }\nnats: { url: "${server.url}" }\n`, 'site.yaml')
    const whole = new Appliance({ dataDir, resources: resources(), site, log: noLog, port: 0 })
    onTestFinished(async () => {
      await whole.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    const { url } = await whole.start()
    const problem = async () => {
      const answer = await fetch(`${url?.replace('localhost', '127.0.0.1')}/api/v1/system/health`)
      const { connections } = (await answer.json()) as { connections: Record<string, string> }
      return connections.NATS ?? null
    }
    const settles = async (holds: (problem: string | null) => boolean) => {
      while (!holds(await problem())) await Bun.sleep(20)
    }
    const saved = await whole.engine.save(PLATES)
    if (!saved.ok) throw new Error(saved.problems.map(({ message }) => message).join())
    for (let round = 1; round <= 3; round++) {
      if (round > 1) {
        await server.kill()
        await settles(now => now !== null)
        await server.start()
      }
      await settles(now => now === null)
      await server.publish(PLATE, plate(round, Date.now()))
      await eventually(() => whole.engine.runs({ limit: 10 }).length === round)
    }
    await server.kill()
    await settles(now => now?.startsWith(`NATS at 127.0.0.1:${server.port}: `) === true)
  })
})

/** A camera that serves its picture over HTTP, and can be switched off, or break off in the middle of one. */
class Camera {
  breaks = false
  #server: Bun.TCPSocketListener<undefined>

  constructor() {
    this.#server = this.#listen(0)
    onTestFinished(() => this.off())
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/snapshot`
  }

  on(): void {
    this.#server = this.#listen(this.#server.port)
  }

  off(): void {
    this.#server.stop(true)
  }

  #listen(port: number): Bun.TCPSocketListener<undefined> {
    return Bun.listen({
      port,
      hostname: '127.0.0.1',
      socket: {
        data: socket => {
          const picture = jpeg()
          socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${picture.length}\r\nconnection: close\r\n\r\n`)
          socket.write(this.breaks ? picture.subarray(0, 40) : picture)
          socket.end()
        },
      },
    })
  }
}

describe('a camera that is gone for a while', () => {
  test('is said to be offline meanwhile, and is looked at again without anybody’s help', async () => {
    box = await new Box().start()
    const camera = new Camera()
    const site = Site.load(
      `cameras: { gate: { source: { snapshot: { url: "${camera.url}" } } } }`,
      'site.yaml',
    )
    const driver = new SiteCameras({
      site: () => site,
      clock: box.clock,
      log: noLog,
      secrets: { get: () => null },
      dataDir: box.dir,
      onPicture: () => {},
    })
    await driver.start()
    onTestFinished(() => driver.stop())
    const failures: unknown[] = []
    box.snapshot = async (id, options) => {
      try {
        return await driver.snapshot(id, options)
      } catch (error) {
        failures.push((error as { code?: unknown }).code)
        throw error
      }
    }
    box.look = async (_spec, { pictures }) =>
      pictures.length
        ? decision({ decision: 'someone', confidence: 0.9 })
        : decision({ unsureReason: 'no_picture' })
    await box.save(
      `
contract: workflow.v1
name: Watch
limits: { cooldown: 0s, per_hour: 1000 }
when: { webhook: {} }
then:
  - ai:
      mode: look
      prompt: Who is there?
      input: picture
      look_at: gate
      decision: [someone]
      someone: [ log: someone ]
      unsure: [ alert: { severity: medium, title: "{reason}" } ]
`,
      'on',
    )
    const outcomes: unknown[] = []
    const look = async () => {
      const run = await box.run(box.hook(1))
      outcomes.push([run.status, run.steps[0]?.outcome, run.steps[0]?.unsure_reason])
      box.clock.advance(120_000)
    }
    await look()
    camera.breaks = true
    await look()
    camera.off()
    await look()
    camera.breaks = false
    camera.on()
    await look()
    expect(failures).toEqual(['camera_offline', 'camera_offline'])
    expect(outcomes).toEqual([
      ['done', 'someone', null],
      ['done', 'unsure', 'no_picture'],
      ['done', 'unsure', 'no_picture'],
      ['done', 'someone', null],
    ])
  })
})

const OPEN = PLATES.replace(
  /then:.*\n/,
  `then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then: [ webhook: { to: barrier, json: open } ]
`,
)

describe('a plate that was misread', () => {
  const tried = async (payload: { [key: string]: JsonValue }) => {
    const { status } = await box.run(box.event({ payload: { plate_text: 'B-AB 123', ...payload } }))
    return [status, box.sent.splice(0).length]
  }

  test.each([0, 0.45, 0.89, 1.2, -1, Number.NaN, null, '0.99', undefined])(
    'at confidence %s: opens nothing, though it is in the list',
    async confidence => {
      box = await new Box().start()
      await box.save(OPEN, 'on')
      expect(await tried(confidence === undefined ? {} : { confidence })).toEqual(['failed', 0])
      expect(await tried({ confidence: 0.97 })).toEqual(['done', 1])
    },
  )

  test.each([0, 0.2, 0.49, 1.01, -1, Number.NaN, '0.9', [0.9], true])(
    'out of a place that is no plate by %j: opens nothing, however sure the reading is',
    async place => {
      box = await new Box().start()
      await box.save(OPEN, 'on')
      const sure = { confidence: 0.99 }
      expect(await tried({ ...sure, plate_box_confidence: place })).toEqual(['failed', 0])
      expect(await tried({ ...sure, plate_box_confidence: 0.5 })).toEqual(['done', 1])
      expect(await tried({ confidence: 0.45, plate_box_confidence: 0.99 })).toEqual(['failed', 0])
    },
  )
})
