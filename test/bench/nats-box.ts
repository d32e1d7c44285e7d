/** An engine on the disk that hears a real NATS server. */
import { join } from 'node:path'
import { Nats } from '../../src/connect/index.ts'
import { type IncomingEvent, noLog, systemClock } from '../../src/core/index.ts'
import type { Engine } from '../../src/engine/index.ts'
import { Site } from '../../src/site/index.ts'
import { bare } from '../fixtures/bare.ts'

export const PLATE = 'opennvr.events.plate.recognized.v1.gate'

export interface NatsBox {
  url: string
  engine: Engine
  nats: Nats
  /** Resolves once so many messages were settled. */
  until(settled: number): Promise<void>
  stop(): Promise<void>
}

const WORKFLOW = `
contract: workflow.v1
name: Plates
state: on
limits: { cooldown: 0s, one_at_a_time: plate, per_hour: 1000000 }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
if: [ not: { in_list: { list: residents, value: "{plate}" } } ]
then: [ log: "{plate} at the {camera}" ]
`

/** The nth plate that is read. */
export function plateMessage(n: number, payload: object = {}): string {
  return JSON.stringify({
    id: `evt_${n.toString(16).padStart(12, '0')}`,
    schema: 'plate.recognized.v1',
    camera_id: 'gate',
    ts: new Date().toISOString(),
    producer: 'lpr',
    payload: { plate_text: `BXY${n}`, confidence: 0.97, ...payload },
  })
}

/** `onSettled`: what follows from an event is on the disk. */
export async function natsBox(dir: string, onSettled: (event: IncomingEvent) => void): Promise<NatsBox> {
  const server = await serve(dir)
  const yaml = `cameras: { gate: {} }\nlists: { residents: [RESIDENT] }\nnats: { url: "${server.url}" }\n`
  const box = await bare(join(dir, 'box'), yaml)
  const site = Site.load(yaml, 'site.yaml')
  const saved = await box.engine.save(WORKFLOW)
  if (!saved.ok) throw new Error(saved.problems.map(({ message }) => message).join())
  let settled = 0
  const nats = new Nats({
    site: () => site,
    secrets: { get: () => null },
    clock: systemClock,
    log: noLog,
    bus: box.bus,
    engine: {
      listensFor: () => box.engine.listensFor(),
      submit: async event => {
        const admissions = await box.engine.submit(event)
        settled++
        onSettled(event)
        return admissions
      },
    },
  })
  await nats.start()
  while (nats.problem !== null) await Bun.sleep(10)
  return {
    url: server.url,
    engine: box.engine,
    nats,
    async until(count) {
      while (settled + (nats.shed.malformed ?? 0) < count) await Bun.sleep(1)
    },
    async stop() {
      await nats.stop()
      await box.stop()
      server.stop()
    },
  }
}

/** Debian's, or null. */
export function natsServer(): string | null {
  return Bun.which('nats-server', { PATH: `${process.env.PATH}:/usr/sbin` })
}

async function serve(dir: string): Promise<{ url: string; stop(): void }> {
  const probe = Bun.listen({ port: 0, hostname: '127.0.0.1', socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  const program = natsServer()
  if (!program) throw new Error('nats-server is not installed: on Debian, apt-get install nats-server')
  const log = join(dir, 'nats.log')
  const server = Bun.spawn([program, '-a', '127.0.0.1', '-p', String(port), '-l', log], { stdout: 'ignore' })
  while (!(await Bun.file(log).exists()) || !(await Bun.file(log).text()).includes('Server is ready'))
    await Bun.sleep(10)
  return { url: `nats://127.0.0.1:${port}`, stop: () => server.kill('SIGKILL') }
}
