import { type Channels, checkedAddresses, listedHeaders, type Secrets, secretFor } from '../connect/index.ts'
import { type Clock, GatehouseError, iso, type JsonValue, messageOf, mintId } from '../core/index.ts'
import type { Broker, Cameras, Outgoing } from '../kinds/index.ts'
import type { Destination, Site, Topic } from '../site/index.ts'
import type { SiteTestRow, Store } from '../store/index.ts'

const PATIENCE_MS = 20_000
/** A channel may reach many. */
const CHANNEL_MS = 120_000

export interface SiteTestsOptions {
  site: () => Site
  secrets: Secrets
  store: Store
  clock: Clock
  channels: Pick<Channels, 'test'>
  outgoing: Outgoing
  broker: Broker
  cameras: Cameras
}

/** What came of a test. */
export interface SiteTest {
  kind: SiteTestRow['kind']
  name: string
  outcome: SiteTestRow['outcome']
  /** For people, in one line. */
  message: string
  ms: number
  /** Of a channel: each address by itself. */
  places?: { at: string | null; problem: string | null; ms: number }[]
}

type Came = Pick<SiteTest, 'outcome' | 'message' | 'places'>

/**
 * Tries what the site names: a message goes out by a channel or to a destination, a camera is asked for a picture. What
 * moves something is never tried by moving it.
 */
export class SiteTests {
  readonly #options: SiteTestsOptions

  constructor(options: SiteTestsOptions) {
    this.#options = options
  }

  /** Rejects with `channel_unknown`, `destination_unknown` or `camera_unknown` (404). `by`: for the audit. */
  async run(kind: SiteTest['kind'], name: string, by: string, asked: AbortSignal): Promise<SiteTest> {
    const { clock, store } = this.#options
    const began = clock.now()
    const late = new AbortController()
    const cancel = clock.after(kind === 'channel' ? CHANNEL_MS : PATIENCE_MS, () => late.abort())
    const signal = AbortSignal.any([asked, late.signal])
    const came = await this.#try(kind, name, signal).finally(cancel)
    const at = clock.now()
    const { outcome, message } = came
    await store.write(() => {
      store.siteTests.set({ kind, name, at, outcome, message })
      const what = { target: `${kind} ${name}`, before: null, after: outcome }
      store.audit.add({ at, author: by, action: 'site.test', ...what })
    })
    return { kind, name, ...came, ms: at - began }
  }

  #try(kind: SiteTest['kind'], name: string, signal: AbortSignal): Promise<Came> {
    if (kind === 'channel') return this.#channel(name, signal)
    return kind === 'camera' ? this.#camera(name, signal) : this.#destination(name, signal)
  }

  async #channel(name: string, signal: AbortSignal): Promise<Came> {
    const places = await this.#options.channels.test(name, signal)
    const wrong = places.flatMap(({ problem }) => problem ?? [])
    if (!wrong.length) {
      const whom = places.length === 1 ? 'one place' : `${places.length} places`
      return { outcome: 'works', message: `A test message went out to ${whom}.`, places }
    }
    const many = places.length > 1 ? ` (${wrong.length} of ${places.length})` : ''
    return { outcome: 'failed', message: `${wrong[0]}${many}`, places }
  }

  async #camera(name: string, signal: AbortSignal): Promise<Came> {
    const { cameras, clock, site } = this.#options
    if (!site().camera(name)) throw unknown('camera', name)
    return attempt(async () => {
      // Whoever tries it may just have mended it: what it said before is no answer.
      const { bytes, takenAt } = await cameras.snapshot(name, { signal, anyhow: true })
      const age = takenAt === null ? 'of unknown age' : `${agoWords(clock.now() - takenAt)} old`
      return works(`It gave a picture, ${age}, ${Math.max(1, Math.round(bytes.byteLength / 1024))} kB.`)
    })
  }

  async #destination(name: string, signal: AbortSignal): Promise<Came> {
    const site = this.#options.site()
    const destination = site.destination(name)
    const topic = site.topic(name)
    if (destination) return attempt(() => this.#address(destination, signal))
    if (topic) return attempt(() => this.#topic(topic, signal))
    throw unknown('destination', name)
  }

  async #address(destination: Destination, signal: AbortSignal): Promise<Came> {
    const { name, class: effect } = destination
    if (effect === 'move') return this.#unmoved(destination, signal)
    const tells = effect === 'tell'
    const { status } = await this.#options.outgoing.send({
      ...{ to: name, method: tells ? 'POST' : 'GET', json: tells ? this.#words() : null },
      ...{ ...ids(), effect, signal },
    })
    const well = status >= 200 && status < 300
    // What is only asked has its questions at other paths: that it answers, and takes who asks, is all that is tried.
    if (well || (!tells && status < 500 && status !== 401 && status !== 403))
      return works(`It answered ${status}.`)
    return { outcome: 'failed', message: `It answered ${status}.` }
  }

  /** All but the sending. */
  async #unmoved(destination: Destination, signal: AbortSignal): Promise<Came> {
    const { name, url, sign } = destination
    const { secrets, site } = this.#options
    const never = site().view().unreachable?.get(name)
    if (never) return { outcome: 'failed', message: `Nothing will be sent there: ${never}.` }
    listedHeaders(destination, secrets)
    if (sign) secretFor(name, sign.secret, secrets)
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    await checkedAddresses({ label: name, url, port, signal })
    return {
      outcome: 'left',
      message: 'It moves something: nothing was sent. Its name, its address and its secrets are fine.',
    }
  }

  async #topic({ name, class: effect }: Topic, signal: AbortSignal): Promise<Came> {
    const { broker } = this.#options
    if (broker.lacks) return { outcome: 'failed', message: `${broker.lacks}.` }
    if (effect === 'move') return { outcome: 'left', message: 'It moves something: nothing was published.' }
    await broker.publish({ to: name, json: this.#words(), ...ids(), effect, signal })
    return works('The broker took a test message.')
  }

  #words(): JsonValue {
    return { kind: 'test', title: 'A test of Gatehouse', at: iso(this.#options.clock.now()) }
  }
}

const works = (message: string): Came => ({ outcome: 'works', message })

/** What is said of why it failed is what came of it; that there is no such thing is an error of whoever asks. */
async function attempt(work: () => Promise<Came>): Promise<Came> {
  try {
    return await work()
  } catch (error) {
    return { outcome: 'failed', message: messageOf(error) }
  }
}

function ids(): { deliveryId: string; correlationId: string } {
  const id = `test_${mintId('evt').slice('evt_'.length)}`
  return { deliveryId: id, correlationId: id }
}

function unknown(what: string, name: string): GatehouseError {
  return new GatehouseError(
    `${what}_unknown`,
    `There is no ${what} ${name.slice(0, 100)} in the site file.`,
    {
      status: 404,
    },
  )
}

function agoWords(ms: number): string {
  return ms < 1_000 ? 'less than a second' : `${Math.round(ms / 1_000)} s`
}
