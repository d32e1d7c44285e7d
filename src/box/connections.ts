import { type Log, messageOf } from '../core/index.ts'
import type { World } from '../kinds/index.ts'

/** A line to the world outside: started once the engine runs, and told when the site has changed. */
export interface Connection {
  /** For people: `NATS`, `MQTT`. */
  readonly name: string
  /** Resolves as soon as it works at it: that somebody cannot be reached is no failure. */
  start(): Promise<void>
  /** The site file was read anew; who is as before goes on. */
  reload(): Promise<void>
  stop(): Promise<void>
  /** What is wrong with it now, in one line; null: nothing, or the site does not use it. */
  readonly problem: string | null
  /** What it left out since the start, by reason. */
  readonly shed?: Readonly<Record<string, number>>
}

export interface ConnectionsOptions {
  connections: readonly Connection[]
  /** Whom of them the kinds ask. */
  world: World
  log: Log
}

/** All connections of this box, as one. One that fails leaves the others as they are. */
export class Connections {
  readonly world: World
  readonly #options: ConnectionsOptions

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.world = options.world
  }

  start(): Promise<void> {
    return this.#each('start')
  }

  reload(): Promise<void> {
    return this.#each('reload')
  }

  /** In the other order. */
  stop(): Promise<void> {
    return this.#each('stop')
  }

  /** Those that are not well → why. */
  problems(): Record<string, string> {
    return Object.fromEntries(
      this.#options.connections.flatMap(({ name, problem }) => (problem === null ? [] : [[name, problem]])),
    )
  }

  /** What they left out since the start: `nats_malformed` → how many. */
  shed(): Record<string, number> {
    return Object.fromEntries(
      this.#options.connections.flatMap(({ name, shed = {} }) =>
        Object.entries(shed).map(([reason, count]) => [`${name.toLowerCase()}_${reason}`, count]),
      ),
    )
  }

  async #each(what: 'start' | 'reload' | 'stop'): Promise<void> {
    const { connections, log } = this.#options
    for (const each of what === 'stop' ? [...connections].reverse() : connections) {
      try {
        await each[what]()
      } catch (error) {
        log.error({ connection: each.name, error: messageOf(error) }, `a connection did not ${what}`)
      }
    }
  }
}
