/**
 * What tracks cost: 200 cameras, each with five messages a second of six things that walk about, on their way from the
 * bytes of the broker to the engine, without and with a real broker before them. It is the share of one core that counts,
 * told by the CPU time that they take, so that other programs of the machine do not.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Nats, Tracks } from '../../src/connect/index.ts'
import { Bus, ManualClock, noLog, systemClock } from '../../src/core/index.ts'
import type { EngineTopics } from '../../src/engine/index.ts'
import { Site } from '../../src/site/index.ts'
import { CAMERAS, message, PER_SECOND } from './detector.ts'
import { type Measure, measured } from './measure.ts'

/** Of them nothing is measured: the program is compiled as it runs. */
const WARM_S = 20
const SECONDS = 120
/** The same in real time, with a broker. */
const BROKER_WARM_S = 5
const BROKER_S = 20
const ZONES = {
  lawn: '[[0.5, 0], [1, 0], [1, 1], [0.5, 1]]',
  fence: '[[0, 0], [0.3, 0.1], [0.2, 0.6], [0, 0.9]]',
}

export async function bench(): Promise<Measure[]> {
  const { share, events, heap } = await run(WARM_S + SECONDS)
  const broker = await atBroker()
  return [
    measured('tracks.cpu of one core', share * 100, '%', { atMost: 30 }),
    measured('tracks.cpu of one core with the broker', broker.share * 100, '%', { atMost: 30 }),
    measured('tracks.messages of the broker', broker.messages, 'messages', {
      atLeast: BROKER_S * PER_SECOND * CAMERAS * 0.9,
    }),
    measured('tracks.events', events, 'events', { atLeast: 1_000 }),
    measured('tracks.memory', heap, 'MB more', { atMost: 5 }),
  ]
}

async function run(seconds: number): Promise<{ share: number; events: number; heap: number }> {
  const clock = new ManualClock()
  const site = Site.load(siteFile(), 'site.yaml')
  let events = 0
  const submit = async () => {
    events++
    return []
  }
  const tracks = new Tracks({ site: () => site, submit, ownPorts: () => [], clock, log: noLog })
  const heard = tracks.wanted(workflows()).filter(({ subject }) => subject.endsWith('.completed'))
  if (heard.length !== CAMERAS) throw new Error(`${heard.length} cameras are heard`)
  let micros = 0
  let early = 0
  for (let n = 0; n < seconds * PER_SECOND; n++) {
    clock.advance(1000 / PER_SECOND)
    // Making the messages is the detector's work.
    const messages = heard.map((_, camera) => message(camera, n, clock.now()))
    const before = process.cpuUsage()
    for (const [camera, { subject, take }] of heard.entries())
      take(subject, messages[camera] ?? new Uint8Array())
    await Promise.resolve()
    const { user, system } = process.cpuUsage(before)
    if (n >= WARM_S * PER_SECOND) micros += user + system
    if (n === WARM_S * PER_SECOND) early = held()
  }
  const { malformed, late, crowd } = tracks.shed
  if (malformed || late || crowd) throw new Error(`messages were left out: ${JSON.stringify(tracks.shed)}`)
  return { share: micros / ((seconds - WARM_S) * 1e6), events, heap: (held() - early) / 1024 / 1024 }
}

/** The whole process, in which nothing else is at work, while a detector publishes at a server beside it. */
async function atBroker(): Promise<{ share: number; messages: number }> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-tracks-'))
  const probe = Bun.listen({ port: 0, hostname: '127.0.0.1', socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  writeFileSync(join(dir, 'server.conf'), `listen: "127.0.0.1:${port}"\n`)
  const program = Bun.which('nats-server', { PATH: `${process.env.PATH}:/usr/sbin` })
  if (program === null) throw new Error('nats-server is not installed')
  const server = Bun.spawn([program, '-c', join(dir, 'server.conf')], { stdout: 'ignore', stderr: 'ignore' })
  const site = Site.load(`nats: { url: "nats://127.0.0.1:${port}" }\n${siteFile()}`, 'site.yaml')
  const plain = { site: () => site, clock: systemClock, log: noLog }
  const tracks = new Tracks({ ...plain, submit: async () => [], ownPorts: () => [] })
  let messages = 0
  const counted = {
    wanted: (listens: Parameters<Tracks['wanted']>[0]) =>
      tracks.wanted(listens).map(({ take, ...each }) => ({
        ...each,
        take(subject: string, bytes: Uint8Array) {
          messages++
          take(subject, bytes)
        },
      })),
  }
  const nats = new Nats({
    ...plain,
    secrets: { get: () => null },
    bus: new Bus<EngineTopics>(noLog),
    engine: { submit: async () => [], listensFor: workflows },
    listeners: [counted],
  })
  let detector: Bun.Subprocess | null = null
  try {
    await nats.start()
    while (nats.problem !== null) await Bun.sleep(50)
    const seconds = String(BROKER_WARM_S + BROKER_S + 2)
    detector = Bun.spawn([process.execPath, join(import.meta.dirname, 'detector.ts'), String(port), seconds])
    while (messages < BROKER_WARM_S * PER_SECOND * CAMERAS) await Bun.sleep(50)
    const [before, began, first] = [process.cpuUsage(), performance.now(), messages]
    await Bun.sleep(BROKER_S * 1000)
    const { user, system } = process.cpuUsage(before)
    const { malformed, mismatched } = tracks.shed
    if (malformed || mismatched) throw new Error(`messages were left out: ${JSON.stringify(tracks.shed)}`)
    return { share: (user + system) / 1000 / (performance.now() - began), messages: messages - first }
  } finally {
    detector?.kill()
    await nats.stop()
    server.kill()
    rmSync(dir, { recursive: true, force: true })
  }
}

const workflows = () => [
  listens({ zone: 'lawn' }),
  listens({ zone: 'fence', min_seconds: 30 }),
  listens({ labels: ['vehicle'] }),
]

function held(): number {
  Bun.gc(true)
  return process.memoryUsage().heapUsed
}

function siteFile(): string {
  const zones = Object.entries(ZONES).map(([name, polygon]) => `${name}: ${polygon}`)
  const cameras = Array.from(
    { length: CAMERAS },
    (_, n) => `  cam-${n}: { roles: [all], zones: { ${zones.join(', ')} } }`,
  )
  return `cameras:\n${cameras.join('\n')}\n`
}

const listens = (params: object) => ({
  workflow: { id: 1, slug: 'w', name: 'W' },
  kind: 'detect.person_in_zone' as const,
  params: { cameras: ['all'], min_seconds: 5, ...params },
  looks_back: [],
})
