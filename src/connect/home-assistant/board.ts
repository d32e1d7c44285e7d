import { parseJson } from '../../kinds/index.ts'
import type { Line } from '../mqtt/connection.ts'
import { devicePayload, type Topics } from './device.ts'
import type { Entity, Platform } from './entity.ts'

/** Entities that were taken away and are still said to be gone. */
const MOST_GONE = 200
/** Home Assistant's word for a state that is not known. */
const UNKNOWN = 'None'
const KEY = /^[a-z0-9_]{1,80}$/
const PLATFORM = /^[a-z_]{1,30}$/

export interface BoardOptions {
  line: Line
  topics: Topics
  boxId: string
  version: string
}

/** What the broker keeps of this box: only what differs is published. */
export class Board {
  readonly #options: BoardOptions
  /** Topic → what stands there. */
  #standing = new Map<string, string>()
  /** Topics that the broker may hold something at, published or taken over. */
  readonly #used = new Set<string>()
  readonly #gone = new Map<string, Platform>()
  #shown = new Map<string, Platform>()

  constructor(options: BoardOptions) {
    this.#options = options
  }

  /** Home Assistant has begun anew: everything is said again. */
  again(): void {
    this.#standing.clear()
  }

  /** What an earlier connection left at the broker: what is not shown any more is taken away. False: nothing new. */
  learn(payload: Uint8Array): boolean {
    let found = false
    for (const [key, platform] of componentsIn(payload)) {
      if (this.#shown.has(key) || this.#gone.has(key) || this.#gone.size >= MOST_GONE) continue
      this.#gone.set(key, platform)
      const { state, attributes, image } = this.#options.topics.of(key)
      for (const topic of [state, attributes, image]) this.#used.add(topic)
      found = true
    }
    return found
  }

  /** Shows just these. Resolves with false where something of it is still to be said. */
  async show(entities: readonly Entity[]): Promise<boolean> {
    const { topics, line, boxId, version } = this.#options
    this.#follow(entities)
    const { name, page } = line.setting
    const wanted = new Map([
      [topics.config, devicePayload({ boxId, name, page, version }, entities, this.#gone, topics)],
      ...entities.flatMap(entity => saidOf(entity, topics)),
    ])
    const changes = [...wanted].filter(([topic, payload]) => this.#standing.get(topic) !== payload)
    for (const topic of this.#used) if (!wanted.has(topic)) changes.push([topic, ''])
    const first = !this.#standing.has(topics.status)
    const told = await Promise.all(changes.map(([topic, payload]) => this.#put(topic, payload)))
    if (told.includes(false)) return false
    return first ? this.#put(topics.status, 'online') : true
  }

  /** A picture, kept by the broker until the next; an empty one takes it away. */
  async picture(key: string, bytes: Uint8Array): Promise<boolean> {
    const topic = this.#options.topics.of(key).image
    return this.#options.line.publish({ topic, payload: bytes, qos: 1, retain: true })
  }

  /** The box is not to be found there any more. */
  async clear(): Promise<void> {
    const { topics } = this.#options
    const all = [topics.config, ...this.#standing.keys(), ...this.#used, topics.status]
    for (const [key, platform] of this.#shown) if (platform === 'image') all.push(topics.of(key).image)
    await Promise.all([...new Set(all)].map(topic => this.#put(topic, '')))
  }

  #follow(entities: readonly Entity[]): void {
    const now = new Map(entities.map(({ key, platform }) => [key, platform]))
    for (const [key, platform] of this.#shown) if (!now.has(key)) this.#gone.set(key, platform)
    for (const key of now.keys()) this.#gone.delete(key)
    while (this.#gone.size > MOST_GONE) this.#gone.delete([...this.#gone.keys()][0] ?? '')
    this.#shown = now
  }

  async #put(topic: string, payload: string): Promise<boolean> {
    const told = await this.#options.line.publish({ topic, payload, qos: 1, retain: true })
    if (!told) return false
    if (payload === '') {
      this.#standing.delete(topic)
      this.#used.delete(topic)
    } else {
      this.#standing.set(topic, payload)
      if (topic !== this.#options.topics.config && topic !== this.#options.topics.status)
        this.#used.add(topic)
    }
    return true
  }
}

function saidOf({ key, state, attributes }: Entity, topics: Topics): [string, string][] {
  const at = topics.of(key)
  return [
    ...(state === undefined ? [] : [[at.state, state ?? UNKNOWN] satisfies [string, string]]),
    ...(attributes === undefined
      ? []
      : [[at.attributes, JSON.stringify(attributes)] satisfies [string, string]]),
  ]
}

/** The entities of a message as we write it; whoever else may publish there is not believed a word more. */
function componentsIn(payload: Uint8Array): [string, Platform][] {
  try {
    const { cmps } = parseJson(new TextDecoder().decode(payload)) as { cmps?: unknown }
    return Object.entries(cmps ?? {}).flatMap(([key, config]) => {
      const { p, ...rest } = (config ?? {}) as { p?: unknown }
      const whole = typeof p === 'string' && PLATFORM.test(p) && Object.keys(rest).length > 0
      return whole && KEY.test(key) ? [[key, p as Platform] as [string, Platform]] : []
    })
  } catch {
    return []
  }
}
