import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Clock, GatehouseError, iso } from '../../core/index.ts'
import type { Store } from '../../store/index.ts'

/** `own`: the box's own certificate; `files`: the owner's, in the data folder. */
export const HTTPS = ['off', 'own', 'files'] as const

/** Where the box listens. */
export interface Listen {
  /** An address of this machine; `0.0.0.0` and `::` are all of them. */
  host: string
  port: number
  https: (typeof HTTPS)[number]
}

export interface SettingsDeps {
  store: Store
  clock: Clock
  /** Where nothing was set. */
  port: number
  /** What the command line says: it cannot be changed here. */
  pinned: Partial<Listen>
}

interface Trial {
  setting: Listen
  /** Epoch ms. */
  until: number
  by: string
}

const KEPT = 'http'
const TRIED = 'http_trial'
/** Nobody who cannot reach the box any more has to wait for longer. */
export const TRIAL_MS = 5 * 60_000
const HOME = '127.0.0.1'

/** Where the box listens, as it was set: a change holds for five minutes, and on from there only if it is confirmed. */
export class Settings {
  readonly #deps: SettingsDeps

  constructor(deps: SettingsDeps) {
    this.#deps = deps
  }

  /** What is in force. */
  get now(): Listen {
    return { ...(this.trial?.setting ?? this.kept), ...this.pinned }
  }

  /** What holds where nobody confirms anything. */
  get kept(): Listen {
    const { store, port } = this.#deps
    const stored = store.meta.get(KEPT)
    const kept = stored ? (JSON.parse(stored) as Listen) : { host: HOME, port, https: 'off' as const }
    return { ...kept, ...this.pinned }
  }

  /** A change that was not confirmed yet. */
  get trial(): Trial | null {
    const stored = this.#deps.store.meta.get(TRIED)
    return stored ? (JSON.parse(stored) as Trial) : null
  }

  /** For people. */
  view() {
    const { trial } = this
    const until = trial && iso(trial.until)
    return {
      ...this.now,
      pinned: Object.keys(this.#deps.pinned),
      trial: trial && { until, by: trial.by, before: this.kept },
    }
  }

  /** Throws `bad_http` (422), or `pinned` (409) for what the command line says. */
  check(given: { host?: unknown; port?: unknown; https?: unknown }): Listen {
    const before = this.now
    const host = given.host === undefined ? before.host : hostIn(given.host)
    const port = given.port === undefined ? before.port : portIn(given.port)
    const asked = given.https === undefined ? null : HTTPS.find(each => each === given.https)
    if (asked === undefined) throw bad('`https` must be off, own or files.')
    const next = { host, port, https: asked ?? (isLoopback(host) ? before.https : defaultHttps(before)) }
    for (const [name, value] of Object.entries(this.#deps.pinned))
      if (next[name as keyof Listen] !== value)
        throw new GatehouseError('pinned', `The command line says --${name}: start the box without it.`, {
          status: 409,
        })
    return next
  }

  /** Tries it from now on. */
  async begin(setting: Listen, by: string): Promise<void> {
    const { store, clock } = this.#deps
    const at = clock.now()
    const trial: Trial = { setting, until: at + TRIAL_MS, by }
    await store.write(() => {
      store.meta.set(TRIED, JSON.stringify(trial))
      this.#note('http.try', wordsOf(setting), by)
    })
  }

  /** Throws `no_trial` (409). */
  async confirm(by: string): Promise<void> {
    const { store } = this.#deps
    const { trial } = this
    if (!trial) throw new GatehouseError('no_trial', 'Nothing waits to be confirmed.', { status: 409 })
    await store.write(() => {
      store.meta.set(KEPT, JSON.stringify(trial.setting))
      store.meta.set(TRIED, '')
      this.#note('http.confirm', wordsOf(trial.setting), by)
    })
  }

  /** Back to what was kept; false: nothing was tried. */
  async revert(): Promise<boolean> {
    const { store } = this.#deps
    if (!this.trial) return false
    await store.write(() => {
      store.meta.set(TRIED, '')
      this.#note('http.revert', wordsOf(this.kept), 'this box')
    })
    return true
  }

  /** What the command line says; what stands open to the network is encrypted unless it says otherwise. */
  get pinned(): Partial<Listen> {
    const { pinned } = this.#deps
    const { host, https } = pinned
    if (host === undefined || https !== undefined || isLoopback(host)) return pinned
    return { ...pinned, https: 'own' }
  }

  #note(action: string, target: string, author: string): void {
    const at = this.#deps.clock.now()
    this.#deps.store.audit.add({ at, author, action, target, before: null, after: null })
  }
}

/** Whether nobody but this machine reaches that address. */
export function isLoopback(host: string): boolean {
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback'
}

/** Throws `bad_http` (422). */
export function hostIn(value: unknown): string {
  if (value === 'localhost') return HOME
  if (typeof value === 'string' && isIP(value)) return value
  throw bad('`host` must be an address of this machine, 0.0.0.0 for all of them or 127.0.0.1 for itself.')
}

function portIn(value: unknown): number {
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535) return Number(value)
  throw bad('`port` must be a number from 1 to 65535.')
}

const defaultHttps = ({ host, https }: Listen) => (isLoopback(host) && https === 'off' ? 'own' : https)

const wordsOf = ({ host, port, https }: Listen) => `${host} port ${port}, https ${https}`

const bad = (what: string) => new GatehouseError('bad_http', what, { status: 422 })
