import { dlopen, ptr } from 'bun:ffi'
import { type Clock, type Log, messageOf } from '../core/index.ts'

const AF_UNIX = 1
const SOCK_DGRAM_CLOEXEC = 0x80002
const MSG_DONTWAIT_NOSIGNAL = 0x4040

/** How often within systemd's patience it is told that all is well. */
const PINGS = 3

type Environment = Readonly<Record<string, string | undefined>>

export interface SystemdOptions {
  /** Resolves once something was committed: what the watchdog hears of. */
  commit: () => Promise<unknown>
  clock: Clock
  log: Log
  env?: Environment
}

/**
 * What systemd is told of a service of type `notify`; where it does not ask, nothing happens. Each word to its watchdog
 * goes by way of `commit`, so that a process which no longer gets anything done is ended and started again.
 */
export class Systemd {
  readonly #options: SystemdOptions
  readonly #env: Environment
  #cancel: () => void = () => {}
  #stopped = false

  constructor(options: SystemdOptions) {
    this.#options = options
    this.#env = options.env ?? process.env
  }

  /** The service is up. Its watchdog, if there is one, is fed from now on. */
  start(status: string): void {
    this.#tell(`READY=1\nSTATUS=${status.replaceAll(/\s+/g, ' ')}`)
    const { WATCHDOG_USEC, WATCHDOG_PID } = this.#env
    const everyMs = Number(WATCHDOG_USEC) / 1000 / PINGS
    if (everyMs > 0 && (WATCHDOG_PID === undefined || Number(WATCHDOG_PID) === process.pid))
      this.#feed(everyMs)
  }

  /** The service ends of its own will. */
  stop(): void {
    this.#stopped = true
    this.#cancel()
    this.#tell('STOPPING=1')
  }

  #feed(everyMs: number): void {
    this.#options
      .commit()
      .then(() => this.#tell('WATCHDOG=1'))
      .catch(error => {
        this.#options.log.error({ error: messageOf(error) }, 'nothing can be stored: the watchdog is not fed')
      })
      .finally(() => {
        if (!this.#stopped) this.#cancel = this.#options.clock.after(everyMs, () => this.#feed(everyMs))
      })
  }

  #tell(state: string): void {
    const { NOTIFY_SOCKET: socket } = this.#env
    if (!socket) return
    try {
      send(socket, state)
    } catch (error) {
      this.#options.log.warn({ error: messageOf(error) }, 'systemd could not be told how the service is')
    }
  }
}

/** One datagram to a Unix socket (`@name`: an abstract one), which Bun has no call for. Throws where it cannot be sent. */
function send(path: string, text: string): void {
  const name = Buffer.from(path.startsWith('@') ? `\0${path.slice(1)}` : `${path}\0`)
  const address = Buffer.concat([new Uint8Array(new Uint16Array([AF_UNIX]).buffer), name])
  // An abstract name ends where the address ends; the other's zero does not count.
  if (name.length > 108) throw new Error(`the path of its socket is too long: ${path}`)
  const bytes = Buffer.from(text)
  const libc = dlopen('libc.so.6', {
    socket: { args: ['int', 'int', 'int'], returns: 'int' },
    sendto: { args: ['int', 'ptr', 'u64', 'int', 'ptr', 'u32'], returns: 'i64' },
    close: { args: ['int'], returns: 'int' },
  })
  const { symbols } = libc
  try {
    const fd = symbols.socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0)
    if (fd < 0) throw new Error('no socket can be made')
    const [from, to] = [ptr(bytes), ptr(address)]
    const sent = symbols.sendto(fd, from, bytes.length, MSG_DONTWAIT_NOSIGNAL, to, address.length)
    symbols.close(fd)
    if (Number(sent) !== bytes.length) throw new Error(`${path} takes no message`)
  } finally {
    libc.close()
  }
}
