/**
 * The places at which a box can be struck: before and after every commit, before and after every call of every
 * port. Nobody lists them: a store and ports that count pass by themselves whatever the engine does, so that a
 * new step kind, port or commit brings its own.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineDeps } from '../../src/engine/index.ts'
import { Store, type StoreOptions } from '../../src/store/index.ts'
import { committing } from './commit-sites.ts'

/** The nth time (from 0) that a box comes to a place. */
export interface Strike {
  point: string
  nth: number
}

/** `freeze`: nothing leaves the box any more, so that a later kill finds the disk as one here would. */
export type Blow = 'freeze' | 'kill'

/** The parts of `EngineDeps` that are no door to the world. */
const INNER = new Set<string>(['store', 'clock', 'log', 'bus', 'site', 'options'])

const never = new Promise<never>(() => {})

/** Counts the places that one box comes to, and strikes at one of them. */
export class Points {
  /** Every place that was come to, in order. */
  readonly passed: Strike[] = []
  /** Places in the code that committed. */
  readonly committed = new Set<string>()
  readonly struck = Promise.withResolvers<void>()
  readonly #counts = new Map<string, number>()
  readonly #dir: string
  readonly #strike: Strike | null
  readonly #blow: Blow
  /** Calls of ports that have not been answered. */
  calling = 0
  #armed = false
  #frozen = false

  /** `dir`: the box's folder; its calls of ports are noted there before they are made. */
  constructor(dir: string, strike: Strike | null, blow: Blow) {
    this.#dir = dir
    this.#strike = strike
    this.#blow = blow
  }

  /** Places count from here on. */
  arm(): void {
    this.#armed = true
  }

  get blow(): Blow {
    return this.#blow
  }

  get frozen(): boolean {
    return this.#frozen
  }

  /** Somebody commits. */
  commits(): void {
    const place = this.#armed ? committing() : null
    if (place !== null) this.committed.add(place)
  }

  /** True if the box was struck here, or is frozen already. */
  at(point: string): boolean {
    if (this.#frozen) return true
    if (!this.#armed) return false
    const nth = this.#counts.get(point) ?? 0
    this.#counts.set(point, nth + 1)
    this.passed.push({ point, nth })
    if (point !== this.#strike?.point || nth !== this.#strike.nth) return false
    if (this.#blow === 'kill') process.kill(process.pid, 'SIGKILL')
    this.#frozen = true
    this.struck.resolve()
    return true
  }

  /** The ports, each of whose asynchronous functions is a place before and after it. */
  around(deps: EngineDeps): EngineDeps {
    const wrapped = Object.entries(deps).map(([name, port]) => [
      name,
      INNER.has(name) ? port : this.#port(name, port),
    ])
    return Object.fromEntries(wrapped) as unknown as EngineDeps
  }

  #port(name: string, port: unknown): unknown {
    if (typeof port === 'function') return this.#call(name, port, undefined)
    if (typeof port !== 'object' || port === null) return port
    return new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target)
        if (typeof value === 'function') return this.#call(`${name}.${String(key)}`, value, target)
        // A port of a port, such as the language model that the box has just now.
        return isPlain(value) ? this.#port(`${name}.${String(key)}`, value) : value
      },
    })
  }

  #call(name: string, call: object, owner: unknown): unknown {
    const invoke = call as (...args: unknown[]) => unknown
    if (call.constructor.name !== 'AsyncFunction') {
      return (...args: unknown[]) => {
        const result = invoke.apply(owner, args)
        if (result instanceof Promise) throw new Error(`${name} must be an async function to be struck at`)
        return result
      }
    }
    return async (...args: unknown[]) => {
      if (this.at(`${name} before`)) return never
      appendFileSync(join(this.#dir, 'calls.log'), `${name}\n`)
      this.calling++
      try {
        return await invoke.apply(owner, args)
      } finally {
        this.calling--
        // What it answered is lost with the box.
        if (this.at(`${name} after`)) await never
      }
    }
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** A store whose commits are places. */
export class StruckStore extends Store {
  readonly #points: Points

  constructor(options: StoreOptions, points: Points) {
    super(options)
    this.#points = points
  }

  override write<T>(job: () => T, options: { canFail?: boolean } = {}): Promise<T> {
    const points = this.#points
    points.commits()
    // A kill strikes inside of the open transaction; a freeze before it, which leaves the same on the disk.
    if (points.blow === 'freeze' && points.at('commit before')) return never
    const whole = () => {
      const value = job()
      if (points.blow === 'kill') points.at('commit before')
      return value
    }
    return super.write(whole, options).then(value => (points.at('commit after') ? never : value))
  }
}
