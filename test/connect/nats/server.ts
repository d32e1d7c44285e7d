/** A real NATS server of its own, on loopback, and whoever publishes there. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../helpers.ts'

const program = Bun.which('nats-server', { PATH: `${process.env.PATH}:/usr/sbin` })
/** Elsewhere than on a machine of the project's checks it may be missing. */
export const hasNats = program !== null || process.env.CI !== undefined

/** A port that was free a moment ago. */
export function freePort(): number {
  const probe = Bun.listen({ port: 0, hostname: '127.0.0.1', socket: { data() {} } })
  probe.stop(true)
  return probe.port
}

export interface ServerOptions {
  /** More lines of its configuration. */
  config?: string
  /** Where it listens; default: loopback. */
  host?: string
  /** What publishers connect with. */
  publisher?: Parameters<typeof connect>[0]
}

/** Ended with the test that made it. */
export class NatsServer {
  readonly port = freePort()
  readonly #monitor = freePort()
  readonly #options: ServerOptions
  readonly dir = temporaryFolder()
  #process: Bun.Subprocess | null = null
  #publisher: NatsConnection | null = null

  constructor(options: ServerOptions = {}) {
    this.#options = options
    onTestFinished(() => this.kill())
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`
  }

  /** Resolves once it takes clients. */
  async start(config = this.#options.config ?? ''): Promise<this> {
    if (program === null) throw new Error('nats-server is not installed')
    const file = join(this.dir, 'server.conf')
    writeFileSync(
      file,
      `listen: "${this.#options.host ?? '127.0.0.1'}:${this.port}"\nhttp: "127.0.0.1:${this.#monitor}"\n${config}\n`,
    )
    const child = Bun.spawn([program, '-c', file], { stderr: 'pipe', stdout: 'ignore', stdin: 'ignore' })
    this.#process = child
    await ready(child.stderr)
    return this
  }

  /** As a pulled plug. */
  async kill(): Promise<void> {
    const [child, publisher] = [this.#process, this.#publisher]
    this.#process = null
    this.#publisher = null
    await publisher?.close().catch(() => undefined)
    child?.kill('SIGKILL')
    await child?.exited
  }

  /** As one that hangs: its connections stay, and nothing is said on them; or it goes on. */
  freeze(frozen: boolean): void {
    this.#process?.kill(frozen ? 'SIGSTOP' : 'SIGCONT')
  }

  /** Reads its configuration anew. */
  reconfigure(config: string): void {
    const file = join(this.dir, 'server.conf')
    writeFileSync(
      file,
      `listen: "${this.#options.host ?? '127.0.0.1'}:${this.port}"\nhttp: "127.0.0.1:${this.#monitor}"\n${config}\n`,
    )
    this.#process?.kill('SIGHUP')
  }

  async publisher(): Promise<NatsConnection> {
    const how = { servers: `127.0.0.1:${this.port}`, reconnect: false, ...this.#options.publisher }
    this.#publisher ??= await connect(how)
    return this.#publisher
  }

  /** Resolves once the server has it. */
  async publish(subject: string, ...messages: (object | string | Uint8Array)[]): Promise<void> {
    const publisher = await this.publisher()
    for (const each of messages)
      publisher.publish(
        subject,
        typeof each === 'string' || each instanceof Uint8Array ? each : JSON.stringify(each),
      )
    await publisher.flush()
  }

  /** What the clients that call themselves Gatehouse are subscribed to. */
  async subjects(): Promise<string[]> {
    const answer = await fetch(`http://127.0.0.1:${this.#monitor}/connz?subs=1`)
    const { connections } = (await answer.json()) as {
      connections: { name?: string; subscriptions_list?: string[] }[]
    }
    return connections
      .filter(({ name }) => name === 'Gatehouse')
      .flatMap(each => each.subscriptions_list ?? [])
      .toSorted()
  }
}

/** Resolves at its first word that it takes clients, and goes on reading: it dies where nobody hears it. */
function ready(stderr: ReadableStream<Uint8Array>): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const read = async () => {
      for await (const bytes of stderr) {
        said += new TextDecoder().decode(bytes)
        if (said.includes('Server is ready')) resolve()
      }
      reject(new Error(`nats-server did not start: ${said}`))
    }
    read().catch(reject)
  })
}
