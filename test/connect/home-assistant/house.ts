import type mqtt from 'mqtt'
import { eventually } from '../helpers.ts'
import type { Heard, Listener, Mosquitto } from '../mqtt/mosquitto.ts'
import { type Component, type Device, readDevice, readState } from './schemas.ts'

/** An entity as somebody in the house sees it. */
export interface Seen extends Component {
  key: string
  /** What the broker keeps, or what was last heard; undefined: nothing. */
  state: string | undefined
  attributes: Record<string, unknown> | undefined
  available: boolean
}

/**
 * A client that does what Home Assistant does: finds devices, reads what they tell, and remembers each rule that is
 * broken. It subscribes anew as Home Assistant does after its own start.
 */
export class House {
  readonly heard: Heard[]
  readonly client: mqtt.MqttClient
  readonly wrong: string[] = []
  /** Discovery messages, by topic. */
  readonly #devices = new Map<string, ReturnType<typeof readDevice>>()
  readonly #kept = new Map<string, string>()
  readonly #events: Record<string, unknown>[] = []
  readonly #pictures = new Map<string, Buffer>()
  #read = 0

  private constructor({ heard, client }: Listener) {
    this.heard = heard
    this.client = client
  }

  static async at(broker: Mosquitto, options: mqtt.IClientOptions = {}): Promise<House> {
    return new House(await broker.listener(['homeassistant/#', 'gatehouse/#'], options))
  }

  /** Says that Home Assistant has begun. */
  async birth(): Promise<void> {
    await this.client.publishAsync('homeassistant/status', 'online', { qos: 0 })
  }

  get events(): Record<string, unknown>[] {
    this.#look()
    return this.#events
  }

  /** By unique id of their entity. */
  get pictures(): ReadonlyMap<string, Buffer> {
    this.#look()
    return this.#pictures
  }

  get devices(): Device[] {
    this.#look()
    return [...this.#devices.values()].map(({ device }) => device)
  }

  /** The entities of the only device, or of the one with that name. */
  entities(name?: string): Map<string, Seen> {
    this.#look()
    const found = [...this.#devices.values()].find(
      each => name === undefined || each.device.dev.name === name,
    )
    return new Map(
      [...(found?.components ?? [])].map(([key, component]) => {
        const text = this.#kept.get(component.json_attributes_topic ?? '')
        const [shared] = (component.availability ?? found?.device.availability ?? []) as { topic: string }[]
        return [
          key,
          {
            ...component,
            key,
            state: this.#kept.get(component.state_topic ?? ''),
            attributes: text === undefined ? undefined : JSON.parse(text),
            available: shared === undefined || this.#kept.get(shared.topic) === 'online',
          },
        ]
      }),
    )
  }

  /** The entity of that key, once `holds`. */
  async entity(key: string, holds: (it: Seen) => boolean = () => true, name?: string): Promise<Seen> {
    let last: Seen | undefined
    const seen = () => {
      last = this.entities(name).get(key)
      return last !== undefined && holds(last)
    }
    await eventually(seen, 30_000).catch(() => {
      throw new Error(
        `${key} is ${JSON.stringify(last)}, among ${[...this.entities(name).keys()].join(', ')}`,
      )
    })
    if (!last) throw new Error('gone')
    return last
  }

  async command(
    key: string,
    payload: string | Buffer,
    options: mqtt.IClientPublishOptions = {},
  ): Promise<void> {
    const { command_topic } = await this.entity(key)
    await this.client.publishAsync(command_topic ?? '', payload, options)
  }

  /** Topics at which the broker keeps something. */
  get kept(): string[] {
    this.#look()
    return [...this.#kept.keys()].sort()
  }

  /** What was found to be no message that Home Assistant takes. */
  problems(): string[] {
    this.#look()
    return this.wrong
  }

  #look(): void {
    for (; this.#read < this.heard.length; this.#read++) {
      const message = this.heard[this.#read]
      if (message) this.#take(message)
    }
  }

  #take({ topic, text, payload }: Heard): void {
    try {
      if (topic === 'homeassistant/status' || topic.endsWith('/set')) return
      if (topic.startsWith('homeassistant/')) {
        if (!/^homeassistant\/device\/[a-zA-Z0-9_-]+\/config$/.test(topic))
          throw new Error(`${topic} is no topic`)
        if (text === '') this.#devices.delete(topic)
        else this.#devices.set(topic, readDevice(text))
        return
      }
      const component = [...this.#devices.values()]
        .flatMap(({ components }) => [...components.values()])
        .find(it => [it.state_topic, it.image_topic, it.json_attributes_topic].includes(topic))
      if (component?.p === 'event') {
        readState(component, text)
        this.#events.push({ entity: component.unique_id, ...JSON.parse(text) })
        return
      }
      if (text === '') this.#kept.delete(topic)
      else this.#kept.set(topic, component?.image_topic === topic ? 'picture' : text)
      if (component?.image_topic === topic) this.#pictures.set(component.unique_id, payload)
      else if (text !== '' && component?.state_topic === topic && text !== 'None') readState(component, text)
      else if (text !== '' && component?.json_attributes_topic === topic) {
        const value = JSON.parse(text)
        if (typeof value !== 'object' || value === null || Array.isArray(value) || text.length > 16_384)
          throw new Error(`${topic}: no attributes: ${text}`)
      }
    } catch (error) {
      this.wrong.push((error as Error).message)
    }
  }
}
