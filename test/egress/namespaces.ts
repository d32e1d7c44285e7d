/** Two network namespaces with one cable between them: the box's, and one that answers and records. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
const ip = Bun.which('ip', { PATH })
const tcpdump = Bun.which('tcpdump', { PATH })

export const BOX = '10.213.7.2'
export const GATEWAY = '10.213.7.1'

/** Something that left the box. `port` null: it has none. `asks`: the name that a question to a name server is about. */
export interface Packet {
  to: string
  port: number | null
  asks: string | null
  line: string
}

/** Whether namespaces can be made here: as root, with the programs that it takes. */
export function canSeparate(): boolean {
  if (process.getuid?.() !== 0 || ip === null || tcpdump === null) return false
  const name = `gatehouse-try-${process.pid}`
  const made = Bun.spawnSync([ip, 'netns', 'add', name])
  if (made.exitCode === 0) Bun.spawnSync([ip, 'netns', 'del', name])
  return made.exitCode === 0
}

export class Namespaces {
  readonly box = `gatehouse-box-${process.pid}`
  readonly gateway = `gatehouse-gate-${process.pid}`
  readonly #processes: Bun.Subprocess[] = []
  #record = ''

  /** `services`: further addresses of the gateway's side. */
  async start(services: readonly string[]): Promise<void> {
    for (const name of [this.box, this.gateway]) sh('netns', 'add', name)
    // What looks a name up in there asks the gateway.
    mkdirSync(this.#etc, { recursive: true })
    writeFileSync(join(this.#etc, 'resolv.conf'), `nameserver ${GATEWAY}\n`)
    const there = ['peer', 'name', 'gate0', 'netns', this.gateway]
    sh('link', 'add', 'box0', 'netns', this.box, 'type', 'veth', ...there)
    for (const [name, device, v4, v6] of [
      [this.box, 'box0', `${BOX}/24`, 'fd00:213::2/64'],
      [this.gateway, 'gate0', `${GATEWAY}/24`, 'fd00:213::1/64'],
    ] as const) {
      sh('-n', name, 'addr', 'add', v4, 'dev', device)
      sh('-n', name, 'addr', 'add', v6, 'dev', device, 'nodad')
      for (const each of ['lo', device]) sh('-n', name, 'link', 'set', each, 'up')
    }
    for (const address of services) sh('-n', this.gateway, 'addr', 'add', `${address}/32`, 'dev', 'lo')
    // Whatever it wants to reach goes over the cable.
    sh('-n', this.box, 'route', 'add', 'default', 'via', GATEWAY)
    sh('-n', this.box, '-6', 'route', 'add', 'default', 'via', 'fd00:213::1')
    await this.#listen()
  }

  /** Starts a program in one of the two; it is ended with them. */
  spawn(where: 'box' | 'gateway', command: string[]) {
    const child = Bun.spawn([ip ?? 'ip', 'netns', 'exec', this[where], ...command], {
      env: { PATH, HOME: '/nonexistent' },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    this.#processes.push(child)
    return child
  }

  /** What the box has sent so far, the kernel's own talk about neighbours aside. */
  get packets(): Packet[] {
    return this.#record.split('\n').flatMap(line => packetOf(line) ?? [])
  }

  async stop(): Promise<void> {
    for (const child of this.#processes) child.kill('SIGKILL')
    await Promise.all(this.#processes.map(child => child.exited))
    for (const name of [this.box, this.gateway]) Bun.spawnSync([ip ?? 'ip', 'netns', 'del', name])
    rmSync(this.#etc, { recursive: true, force: true })
  }

  get #etc(): string {
    return join('/etc/netns', this.box)
  }

  /** Records what comes out of the box's end of the cable; resolves once it does. */
  async #listen(): Promise<void> {
    const options = ['-i', 'gate0', '-Q', 'in', '-n', '-l', '--immediate-mode', 'not arp']
    const child = this.spawn('gateway', [tcpdump ?? 'tcpdump', ...options])
    const reads = async (stream: ReadableStream<Uint8Array>, each: (text: string) => void) => {
      for await (const bytes of stream) each(new TextDecoder().decode(bytes))
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    reads(child.stdout, text => {
      this.#record += text
    }).catch(() => undefined)
    let said = ''
    // It is read to its end: who writes to nobody dies of it.
    reads(child.stderr, text => {
      said += text
      if (said.includes('listening on')) resolve()
    }).then(() => reject(new Error(`tcpdump ended: ${said}`)), reject)
    await promise
  }
}

function sh(...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([ip ?? 'ip', ...args])
  if (exitCode !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr.toString()}`)
}

/** `12:00:00.1 IP 10.213.7.2.4242 > 10.213.7.1.53: 7+ A? name.example. (30)`; null: no packet of a program. */
function packetOf(line: string): Packet | null {
  const found = /^\S+ (IP6?) \S+ > (\S+?): (.*)$/.exec(line)
  if (!found) return null
  const [, , target = '', rest = ''] = found
  if (/^ICMP6, (router|neighbor) |^HBH ICMP6, multicast listener report/.test(rest)) return null
  const withPort = /^(\d+\.\d+\.\d+\.\d+|[0-9a-f:]+)(?:\.(\d+))?$/.exec(target)
  const port = withPort?.[2] === undefined ? null : Number(withPort[2])
  const asks = port === 53 ? (/ \w+\? (\S+?)\.? /.exec(rest)?.[1] ?? '?') : null
  return { to: withPort?.[1] ?? target, port, asks, line }
}
