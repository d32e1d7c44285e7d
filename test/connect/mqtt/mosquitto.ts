import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, connect as tcp } from 'node:net'
import { join } from 'node:path'
import mqtt from 'mqtt'
import { onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../../../src/core/index.ts'
import { eventually, temporaryFolder } from '../helpers.ts'

/** Where Debian has no mosquitto, its tests are skipped; never on machines that check every change. */
export const noBroker = !Bun.which('mosquitto', { PATH: `${process.env.PATH}:/usr/sbin` }) && !process.env.CI

/** The machine's clock, on which waits take a twentieth. */
export const hurried: Clock = {
  now: () => systemClock.now(),
  after: (ms, callback) => systemClock.after(ms / 20, callback),
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

/** A real broker on loopback, ended with the test; it keeps nothing over a restart. */
export class Mosquitto {
  readonly port: number
  readonly dir = temporaryFolder()
  #child: ChildProcess | null = null

  private constructor(port: number) {
    this.port = port
  }

  /** `users`: name → password; none: anybody. `more`: lines of its configuration. */
  static async start({
    users = {},
    more = '',
  }: {
    users?: Record<string, string>
    more?: string
  } = {}): Promise<Mosquitto> {
    const it = new Mosquitto(await freePort())
    const anybody = Object.keys(users).length === 0
    const passwords = join(it.dir, 'passwords')
    writeFileSync(passwords, '', { mode: 0o600 })
    for (const [name, password] of Object.entries(users))
      execFileSync('mosquitto_passwd', ['-b', passwords, name, password], { stdio: 'ignore' })
    const lines = [
      ...['user root', 'max_queued_messages 100000', `listener ${it.port} 127.0.0.1`],
      anybody ? 'allow_anonymous true' : `allow_anonymous false\npassword_file ${passwords}`,
      more.replaceAll('DIR', it.dir),
    ]
    writeFileSync(join(it.dir, 'mosquitto.conf'), `${lines.join('\n')}\n`)
    onTestFinished(() => it.kill())
    await it.run()
    return it
  }

  async run(): Promise<void> {
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
    this.#child = spawn('mosquitto', ['-c', join(this.dir, 'mosquitto.conf')], { stdio: 'ignore', env })
    let answers = false
    const knock = () => {
      const socket = tcp(this.port, '127.0.0.1')
      socket.on('connect', () => {
        answers = true
        socket.destroy()
      })
      socket.on('error', () => socket.destroy())
      return answers
    }
    await eventually(knock)
  }

  /** As a pulled plug: what it kept in memory is gone. */
  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  /** It holds its breath: connections stay, nothing is answered. */
  freeze(frozen: boolean): void {
    this.#child?.kill(frozen ? 'SIGSTOP' : 'SIGCONT')
  }

  url(scheme = 'mqtt'): string {
    return `${scheme}://127.0.0.1:${this.port}`
  }

  /** Another client, which remembers all that it hears of `topic`. */
  async listener(topic: string | string[], options: mqtt.IClientOptions = {}): Promise<Listener> {
    const client = await mqtt.connectAsync(this.url(), { protocolVersion: 5, ...options })
    onTestFinished(() => {
      client.end(true)
    })
    client.on('error', () => undefined)
    const heard: Heard[] = []
    client.on('message', (at, payload, { retain, properties }) => {
      heard.push({
        topic: at,
        payload,
        text: payload.toString(),
        retain,
        told: properties?.userProperties ?? {},
      })
    })
    await client.subscribeAsync(topic, { qos: 1 })
    return { client, heard }
  }
}

export interface Heard {
  topic: string
  payload: Buffer
  text: string
  retain: boolean
  told: object
}

export interface Listener {
  client: mqtt.MqttClient
  heard: Heard[]
}
