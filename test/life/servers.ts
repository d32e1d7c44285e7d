/** The site's servers, real ones that can be killed and started anew, and one that takes what the box sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { type Places, STREAM } from './site.ts'

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
const programs = { nats: Bun.which('nats-server', { PATH }), mqtt: Bun.which('mosquitto', { PATH }) }

/** Whether the servers are installed here. */
export const hasServers = programs.nats !== null && programs.mqtt !== null

/** A program that stays up, on the same port after each start. */
class Server {
  readonly #command: string[]
  readonly #host: string
  readonly #port: number
  #process: Bun.Subprocess | null = null

  constructor(command: string[], host: string, port: number) {
    this.#command = command
    this.#host = host
    this.#port = port
  }

  get up(): boolean {
    return this.#process !== null
  }

  /** Resolves once it takes connections. */
  async start(): Promise<void> {
    this.#process = Bun.spawn(this.#command, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    for (;;) {
      const answers = await Bun.connect({
        hostname: this.#host,
        port: this.#port,
        socket: { data() {} },
      }).catch(() => null)
      if (answers) return void answers.end()
      if (this.#process.exitCode !== null) throw new Error(`${this.#command[0]} ended by itself`)
      await Bun.sleep(20)
    }
  }

  async kill(): Promise<void> {
    const child = this.#process
    this.#process = null
    child?.kill('SIGKILL')
    await child?.exited
  }
}

/** A request that came: to which path, for which run, under which delivery id. */
export interface Arrival {
  path: string
  run: string
  delivery: string
}

export class Servers {
  readonly places: Places
  readonly nats: Server
  readonly mqtt: Server
  /** Everything that was sent here, repeats and all. */
  readonly arrivals: Arrival[] = []
  /** Answers with 503, as one that is being mended. */
  refuses = false
  #web: Bun.Server<undefined> | null = null

  constructor(dir: string, host: string) {
    const [nats = 0, mqtt = 0, web = 0] = Array.from({ length: 3 }, () => freePort(host))
    this.places = { host, nats, mqtt, web }
    mkdirSync(join(dir, 'servers'), { recursive: true })
    const file = (name: string, text: string) => {
      writeFileSync(join(dir, 'servers', name), text)
      return join(dir, 'servers', name)
    }
    const stored = `jetstream: { store_dir: "${join(dir, 'servers')}", max_file: 500MB, max_mem: 10MB }`
    const natsConf = file('nats.conf', `listen: "${host}:${nats}"\n${stored}\n`)
    this.nats = new Server([programs.nats ?? 'nats-server', '-c', natsConf], host, nats)
    const mqttConf = file('mqtt.conf', `user root\nlistener ${mqtt} ${host}\nallow_anonymous true\n`)
    this.mqtt = new Server([programs.mqtt ?? 'mosquitto', '-c', mqttConf], host, mqtt)
  }

  async start(): Promise<void> {
    this.#web = Bun.serve({
      hostname: this.places.host,
      port: this.places.web,
      fetch: async request => {
        await request.arrayBuffer()
        if (this.refuses) return new Response('closed', { status: 503 })
        const header = (name: string) => request.headers.get(name) ?? ''
        const { pathname: path } = new URL(request.url)
        this.arrivals.push({ path, run: header('x-correlation-id'), delivery: header('webhook-id') })
        return Response.json({ id: 'taken', event: 'message' })
      },
    })
    await Promise.all([this.nats.start(), this.mqtt.start()])
    const line = await connect({ servers: `${this.places.host}:${this.places.nats}` })
    const manager = await jetstreamManager(line)
    const subjects = ['opennvr.events.>', 'opennvr.alerts.>']
    await manager.streams.add({ name: STREAM, subjects, storage: 'file' })
    await line.close()
  }

  async stop(): Promise<void> {
    await Promise.all([this.nats.kill(), this.mqtt.kill(), this.#web?.stop(true)])
  }
}

function freePort(hostname: string): number {
  const probe = Bun.listen({ port: 0, hostname, socket: { data() {} } })
  probe.stop(true)
  return probe.port
}
