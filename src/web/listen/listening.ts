import { hostname } from 'node:os'
import type { Elysia } from 'elysia'
import { type Clock, GatehouseError, type Log, messageOf } from '../../core/index.ts'
import { isLoopback, type Listen, type Settings } from './settings.ts'
import { addresses, type Tls, type TlsFiles } from './tls-files.ts'

/** The answer to who asked for a change goes out first. */
const SWITCH_MS = 250
const LOOK_MS = 60_000

export interface ListeningDeps {
  settings: Settings
  tls: TlsFiles | null
  clock: Clock
  log: Log
  /** A server that listens nowhere yet. */
  build(): Elysia
  /** For people: it listens elsewhere than was set, and why. */
  tell(title: string, why: string): void
}

/** Has the box listen where it is set to, and changes that while it runs. */
export class Listening {
  readonly #deps: ListeningDeps
  #app: Elysia | null = null
  #at: Listen
  #tls: Tls | null = null
  #stamp = ''
  #cancelTrial: (() => void) | null = null
  #cancelLook: (() => void) | null = null
  #cancelSwitch: (() => void) | null = null

  constructor(deps: ListeningDeps) {
    this.#deps = deps
    this.#at = { host: '127.0.0.1', port: 0, https: 'off' }
  }

  get server() {
    return this.#app?.server ?? null
  }

  /** With the port that it really is. */
  get at(): Listen {
    return { ...this.#at, port: this.server?.port ?? this.#at.port }
  }

  get fingerprint(): string | null {
    return this.#tls?.fingerprint ?? null
  }

  /** Where people find the box once it listens there. */
  urlOf({ host, port, https }: Listen): string {
    return urlOf({ host, port: port || this.at.port, https })
  }

  /** Throws `port_busy`, `bad_certificate`, `cannot_listen`. A change that was tried before a restart goes on, or is over. */
  async start(): Promise<void> {
    const { settings, clock } = this.#deps
    const { trial } = settings
    if (trial && trial.until <= clock.now()) await this.#over('Nobody confirmed it in time.')
    await this.#openSet()
    this.#waitForWord()
    this.#look()
  }

  async stop(): Promise<void> {
    this.#cancelSwitch?.()
    this.#cancelTrial?.()
    this.#cancelLook?.()
    await this.#close()
  }

  /** Tries another setting; the switch is made a moment later. Throws `bad_certificate`. */
  async change(setting: Listen, by: string): Promise<void> {
    const { host, port, https } = this.#deps.settings.now
    if (setting.host === host && setting.port === port && setting.https === https) return
    this.#tlsFor(setting)
    await this.#deps.settings.begin(setting, by)
    this.#cancelSwitch?.()
    this.#cancelSwitch = this.#deps.clock.after(SWITCH_MS, () => {
      this.#cancelSwitch = null
      this.#switched()
    })
    this.#waitForWord()
  }

  /** What is tried is kept. Throws `no_trial` (409), also as long as the box listens where it did. */
  async confirm(by: string): Promise<void> {
    if (this.#cancelSwitch)
      throw new GatehouseError('no_trial', 'The box is not there yet: confirm it at its new address.', {
        status: 409,
      })
    await this.#deps.settings.confirm(by)
    this.#cancelTrial?.()
  }

  #switched(): void {
    this.#switch().catch(error => {
      this.#deps.log.error({ error: messageOf(error) }, 'the box listens nowhere: restart it')
    })
  }

  async #switch(): Promise<void> {
    await this.#close()
    await this.#openSet()
  }

  /** As it is set. Where that cannot be any more, as near to it as can be: what runs must not stand still for that. */
  async #openSet(): Promise<void> {
    const { settings, tell } = this.#deps
    try {
      this.#open(settings.now)
    } catch (error) {
      if (await this.#over(messageOf(error))) return this.#openSet()
      const instead = insteadOf(settings, error)
      if (!instead) throw error
      this.#open(instead)
      tell('The box does not listen where it is set to', messageOf(error))
    }
  }

  #waitForWord(): void {
    const { settings, clock } = this.#deps
    this.#cancelTrial?.()
    const { trial } = settings
    if (!trial) return
    this.#cancelTrial = clock.after(trial.until - clock.now(), () => {
      this.#over('Nobody confirmed it in time.').then(
        was => (was ? this.#switched() : undefined),
        () => undefined,
      )
    })
  }

  async #over(why: string): Promise<boolean> {
    const { settings, tell } = this.#deps
    const was = await settings.revert()
    if (was) tell('The box listens where it did before', why)
    return was
  }

  #open(setting: Listen): void {
    const { host: hostname, port, https } = setting
    const { tls } = this.#deps
    this.#tls = this.#tlsFor(setting)
    this.#stamp = https === 'files' && tls ? tls.stamp : ''
    const app = this.#deps.build()
    const secret = this.#tls && { tls: { cert: this.#tls.cert, key: this.#tls.key } }
    try {
      app.listen({ hostname, port, reusePort: false, ...secret })
    } catch (cause) {
      throw cannot(setting, cause)
    }
    this.#app = app
    this.#at = setting
  }

  async #close(): Promise<void> {
    await this.#app?.stop(true)
    this.#app = null
  }

  #tlsFor({ https }: Listen): Tls | null {
    const { tls, clock } = this.#deps
    if (https === 'off' || !tls) return null
    return https === 'own' ? tls.own(clock.now()) : tls.owners()
  }

  /** A certificate that was made anew, here or by its owner, is shown soon; so is the place that was set, once it is there. */
  #look(): void {
    this.#cancelLook = this.#deps.clock.after(LOOK_MS, () => {
      try {
        if (this.#isBack() || this.#isStale()) this.#switched()
      } catch (error) {
        this.#deps.log.warn({ error: messageOf(error) }, 'the certificate was not looked at anew')
      }
      this.#look()
    })
  }

  /** Whether what could not be is possible again. */
  #isBack(): boolean {
    const { now } = this.#deps.settings
    if (now.host === this.#at.host && now.https === this.#at.https) return false
    this.#tlsFor(now)
    return now.host === this.#at.host || addresses().includes(now.host)
  }

  #isStale(): boolean {
    const { https } = this.#at
    const { tls } = this.#deps
    if (https === 'off' || !tls) return false
    if (https === 'files' && tls.stamp === this.#stamp) return false
    return this.#tlsFor(this.#at)?.fingerprint !== this.#tls?.fingerprint
  }
}

/** Where it can listen rather than nowhere; null: that is for whoever started it to say. */
function insteadOf({ now, pinned }: Settings, error: unknown): Listen | null {
  const code = error instanceof GatehouseError ? error.code : null
  if (code === 'bad_certificate' && pinned.https === undefined) return { ...now, https: 'own' }
  const gone = code === 'cannot_listen' && pinned.host === undefined && !isLoopback(now.host)
  return gone ? { ...now, host: '127.0.0.1' } : null
}

/** Where people find a box that listens there. */
function urlOf({ host, port, https }: Listen): string {
  const scheme = https === 'off' ? 'http' : 'https'
  const all = host === '0.0.0.0' || host === '::'
  const name = isLoopback(host) ? 'localhost' : all ? (addresses()[0] ?? hostname()) : host
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function cannot({ host, port }: Listen, cause: unknown): GatehouseError {
  const code = (cause as { code?: unknown }).code
  const options = { status: 500, cause }
  if (code === 'EADDRINUSE')
    return new GatehouseError(
      'port_busy',
      `Port ${port} is in use: stop the program that holds it, or choose another with --port.`,
      options,
    )
  const why = code === 'EACCES' ? 'this program may not use it' : 'that is no address of this machine'
  return new GatehouseError(
    'cannot_listen',
    `The box cannot listen at ${host} port ${port}: ${why}.`,
    options,
  )
}
