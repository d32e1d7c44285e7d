/** Kinds of faults that were reported of connections, each played with the whole box and real servers around it. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { Appliance, type ApplianceOptions } from '../src/app.ts'
import { resources } from '../src/box/resources.ts'
import { FileSecrets, HttpOutgoing } from '../src/connect/index.ts'
import type { IncomingEvent } from '../src/core/index.ts'
import { ManualClock, noLog, systemClock } from '../src/core/index.ts'
import type { RunView } from '../src/engine/index.ts'
import { Site } from '../src/site/index.ts'
import { eventually, temporaryFolder } from './connect/helpers.ts'
import { hasNats, NatsServer } from './connect/nats/server.ts'
import { DURABLE, STREAM, StreamServer } from './connect/nats/stream-server.ts'
import { PLATE, PLATES, plate } from './connect/nats/world.ts'
import { canStream, filming, rtspServer } from './connect/rtsp/rtsp.ts'

interface Whole {
  box: Appliance
  /** What it answers at an address. */
  ask<T>(path: string): Promise<T>
}

async function whole(yaml: string, options: Partial<ApplianceOptions> & { dataDir: string }): Promise<Whole> {
  const site = Site.load(yaml, 'site.yaml')
  const box = new Appliance({ resources: resources(), site, log: noLog, port: 0, ...options })
  onTestFinished(() => box.stop())
  const url = ((await box.start()).url ?? '').replace('localhost', '127.0.0.1')
  const ask = async <T>(path: string) => (await (await fetch(`${url}${path}`)).json()) as T
  return { box, ask }
}

async function saved({ box }: Whole, yaml: string): Promise<number> {
  const made = await box.engine.save(yaml)
  if (!made.ok) throw new Error(made.problems.map(({ message }) => message).join())
  await box.engine.setState(made.workflow.id, 'on')
  return made.workflow.id
}

/** Something asked of one workflow now. */
const asked = (kind: string, workflowId: number, payload: IncomingEvent['payload'] = {}): IncomingEvent => ({
  kind,
  id: crypto.randomUUID(),
  at: Date.now(),
  cameraId: null,
  schema: null,
  source: null,
  severity: null,
  payload,
  correlationId: null,
  chain: [],
  by: { by: 'session', name: 'Ann' },
  workflowId,
  pictures: [],
})

interface Health {
  shed: Record<string, number>
  cameras: { id: string; problem: string | null; offline_since: string | null }[]
}

describe.skipIf(!hasNats)('a storm of events over the broker', () => {
  test('of 300 a second for a minute: memory stays flat, and what was left out can be seen', async () => {
    const server = await new NatsServer().start()
    const clock = new ManualClock(Date.now())
    const site = `cameras: { gate: {} }\nnats: { url: "${server.url}" }\n`
    const it = await whole(site, { dataDir: temporaryFolder(), clock })
    await saved(it, PLATES.replace('per_hour: 1000000', 'per_hour: 30'))
    const health = () => it.ask<Health>('/api/v1/system/health')
    await expect
      .poll(() => server.subjects(), { timeout: 10_000 })
      .toContainEqual(expect.stringMatching(/plate/))
    const settled = () => {
      const shed = Object.values(it.box.engine.shed()).reduce((sum, n) => sum + n, 0)
      return shed + it.box.engine.runs({ limit: 100 }).length
    }
    const heap: number[] = []
    for (let second = 0; second < 60; second++) {
      const events = Array.from({ length: 300 }, (_, n) => plate(second * 300 + n, clock.now()))
      await server.publish(PLATE, ...events)
      await eventually(() => settled() === (second + 1) * 300)
      clock.advance(1_000)
      if (second === 20 || second === 59) {
        Bun.gc(true)
        heap.push(process.memoryUsage().heapUsed)
      }
    }
    expect((heap[1] ?? 0) - (heap[0] ?? 0)).toBeLessThan(5_000_000)
    expect(it.box.engine.runs({ limit: 100 })).toHaveLength(30)
    expect((await health()).shed).toMatchObject({ per_hour: 60 * 300 - 30 })
  })
})

describe.skipIf(!hasNats)('a broker that has kept everything', () => {
  test('brings it after a restart: what is old by then starts nothing, what is fresh starts once', async () => {
    const server = await (await new StreamServer().start()).stream()
    const site = `cameras: { gate: {} }
nats: { url: "${server.url}", jetstream: { stream: ${STREAM}, durable: ${DURABLE} } }
`
    const dataDir = temporaryFolder()
    const first = await whole(site, { dataDir })
    await saved(first, PLATES)
    const isThere = () =>
      server
        .waiting()
        .then(() => true)
        .catch(() => false)
    await expect.poll(isThere, { timeout: 10_000 }).toBe(true)
    await server.publish(PLATE, plate(1, Date.now()))
    await eventually(() => first.box.engine.runs({ limit: 10 }).length === 1)
    await first.box.stop()
    const ages = [86_400_000, 600_000, 310_000, 60_000, 1_000]
    const backlog = ages.map((age, n) => plate(n + 2, Date.now() - age))
    await server.publish(PLATE, ...backlog, ...backlog)
    const second = await whole(site, { dataDir })
    await server.settled()
    expect(second.box.engine.runs({ limit: 10 })).toHaveLength(3)
    expect(second.box.engine.shed()).toEqual({ stale: 3, seen: 5 })
  })
})

/** Takes requests apart by hand: it can break off wherever it likes. */
class Receiver {
  readonly requests: { path: string; id: string; body: string }[] = []
  /** What it does with each request in turn; null: it hangs up. */
  answers: (string | null)[] = []
  readonly #server = Bun.listen<{ text: string }>({
    port: 0,
    hostname: '127.0.0.1',
    socket: {
      open: socket => {
        socket.data = { text: '' }
      },
      data: (socket, bytes) => {
        socket.data.text += bytes.toString('latin1')
        const [head = '', body] = socket.data.text.split('\r\n\r\n')
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (body === undefined || body.length < length) return
        const path = head.split(' ')[1] ?? ''
        this.requests.push({ path, id: /webhook-id: (\S+)/i.exec(head)?.[1] ?? '', body })
        const answer = this.answers.length ? this.answers.shift() : '200 OK'
        if (answer === null) socket.terminate()
        else socket.end(`HTTP/1.1 ${answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
      },
    },
  })

  constructor() {
    onTestFinished(() => this.#server.stop(true))
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }
}

describe('a receiver that breaks off', () => {
  test('gets a message again, over a restart, under one id and with the same body; a move it gets once', async () => {
    const receiver = new Receiver()
    const dataDir = temporaryFolder()
    const yaml = `cameras: {}
trusted_webhooks: [moves]
destinations:
  chat: { url: "${receiver.url}/chat", class: tell }
  barrier: { url: "${receiver.url}/barrier", class: move }
`
    const site = Site.load(yaml, 'site.yaml')
    // What records stands on this machine, where a real box moves nothing.
    const outgoing = new HttpOutgoing({
      ...{ site: () => site, secrets: new FileSecrets(dataDir), ownPorts: () => [], clock: systemClock },
      isOwn: () => false,
    })
    const options = { dataDir, outgoing, engine: { tellRetriesMs: [50, 400, 50, 50] } }
    const first = await whole(yaml, options)
    const head = 'contract: workflow.v1\nlimits: { cooldown: 0s }\nwhen: { webhook: {} }\n'
    const tells = await saved(
      first,
      `${head}name: Tells\nthen: [ webhook: { to: chat, json: { said: "{text}" } } ]`,
    )
    const moves = await saved(first, `${head}name: Moves\nthen: [ webhook: { to: barrier, json: open } ]`)

    receiver.answers = [null]
    const [moved] = await first.box.engine.submit(asked('webhook', moves))
    expect((await first.box.engine.settled(moved?.run ?? 0, 10_000)).status).toBe('unknown')
    receiver.answers = ['503 Busy', null, null]
    const [told] = await first.box.engine.submit(asked('webhook', tells, { text: 'über {text}' }))
    await eventually(() => receiver.requests.length === 3)
    await first.box.stop()
    const second = await whole(yaml, options)
    const step = (run: RunView | null) => run?.steps[0]
    await eventually(() => step(second.box.engine.run(told?.run ?? 0))?.status === 'done')
    const { result } = step(second.box.engine.run(told?.run ?? 0)) ?? {}
    expect(result).toMatchObject({ tries: 4 })

    const [barrier, chat] = ['/barrier', '/chat'].map(path =>
      receiver.requests.filter(each => each.path === path),
    )
    expect(barrier).toHaveLength(1)
    expect(second.box.engine.run(moved?.run ?? 0)?.status).toBe('unknown')
    expect(chat).toHaveLength(4)
    expect(new Set(chat?.map(({ id, body }) => `${id} ${body}`)).size).toBe(1)
    expect(chat?.[0]?.id).toMatch(/^\S{8,}$/)
  })
})

describe.skipIf(!canStream)('a stream that drops and comes back', () => {
  test('reads as offline meanwhile, and nothing of before is judged', async () => {
    const camera = await filming()
    const server = await rtspServer({ rtp: camera.rtp })
    const site = `cameras: { gate: { source: { rtsp: { url: "rtsp://127.0.0.1:${server.port}/live" } } } }\n`
    const it = await whole(site, { dataDir: temporaryFolder() })
    const id = await saved(
      it,
      `contract: workflow.v1
name: Watch
limits: { cooldown: 0s, per_hour: 1000, ai_per_hour: 1000 }
when: { button: {} }
then:
  - ai:
      mode: look
      prompt: Is anybody there?
      input: picture
      look_at: gate
      fields: { persons: { measure: count, of: person } }
      decision: [somebody, nobody]
      rules: [ { when: { persons: { at_least: 1 } }, then: somebody }, { then: nobody } ]
      somebody: []
      nobody: []
      unsure: []
`,
    )
    const look = async () => {
      const [admission] = await it.box.engine.submit(asked('button', id))
      const run = await it.box.engine.settled(admission?.run ?? 0, 30_000)
      const [step] = run.steps
      const taken = run.pictures.map(({ taken_at: at }) => Date.now() - Date.parse(at ?? ''))
      return { outcome: step?.outcome, why: step?.unsure_reason, taken }
    }
    const gate = async () => (await it.ask<Health>('/api/v1/system/health')).cameras[0]
    expect(await look()).toMatchObject({ outcome: 'nobody' })
    expect(await gate()).toMatchObject({ problem: null, offline_since: null })
    await server.stop()
    expect(await look()).toEqual({ outcome: 'unsure', why: 'no_picture', taken: [] })
    expect(await gate()).toMatchObject({ problem: expect.any(String), offline_since: expect.any(String) })
    await rtspServer({ rtp: camera.rtp, port: server.port })
    await expect.poll(look, { timeout: 60_000, interval: 500 }).toMatchObject({ outcome: 'nobody' })
    const { taken } = await look()
    expect(Math.max(...taken)).toBeLessThan(10_000)
    expect(await gate()).toMatchObject({ problem: null, offline_since: null })
  })
})
