/** One life of the simulated box: it ends with a crash, after which nothing of it has any effect. */
import { Bus, type Clock, type ManualClock, noLog } from '../../src/core/index.ts'
import { Engine, type EngineDeps, type EngineTopics } from '../../src/engine/index.ts'
import { type Site, SiteMode } from '../../src/site/index.ts'
import { MediaFiles, Store, type StoreOptions } from '../../src/store/index.ts'

const never = new Promise<never>(() => {})

/** What the box asks of the world, until the world answers. */
export interface Call {
  kind: 'send' | 'look' | 'mode' | 'chat' | 'call'
  to: string
  json: unknown
  /** Delivery id of a send, id of a call; empty for the rest. */
  id: string
  options: readonly string[]
  answer: { resolve(value: unknown): void; reject(error: Error): void }
}

class MortalStore extends Store {
  readonly #life: { over: boolean }

  constructor(options: StoreOptions, life: { over: boolean }) {
    super(options)
    this.#life = life
  }

  override write<T>(job: () => T, options: { canFail?: boolean } = {}): Promise<T> {
    const life = this.#life
    if (life.over) return never
    // What waits for its commit at a crash is lost with it.
    const whole = () => {
      if (life.over) throw new Error('crashed')
      return job()
    }
    return super.write(whole, options).then(
      result => (life.over ? never : result),
      error => {
        if (life.over) return never
        throw error
      },
    )
  }
}

/** A disk answers when it likes, and no story would be told twice in the same order. */
class InstantMedia extends MediaFiles {
  override async put(bytes: Uint8Array) {
    return { hash: '0'.repeat(64), bytes: bytes.byteLength }
  }
  override putFile() {
    return this.put(new Uint8Array(1))
  }
}

export class Life {
  over = false
  readonly store: Store
  readonly engine: Engine
  readonly siteMode: SiteMode

  constructor(dir: string, clock: ManualClock, site: Site, onCall: (call: Call) => void) {
    const mortal: Clock = {
      now: () => clock.now(),
      after: (ms, callback) =>
        clock.after(ms, () => {
          if (!this.over) callback()
        }),
    }
    this.store = new MortalStore({ dir, clock: mortal }, this)
    this.siteMode = new SiteMode(this.store, () => site)
    const ask = (call: Omit<Call, 'answer'>) =>
      new Promise<unknown>((resolve, reject) => {
        if (!this.over) onCall({ ...call, answer: { resolve, reject } })
      })
    const rest = { json: null, id: '', options: [] }
    const deps: EngineDeps = {
      store: this.store,
      media: new InstantMedia(dir),
      clock: mortal,
      log: noLog,
      bus: new Bus<EngineTopics>(noLog),
      site: () => site,
      look: async spec => (await ask({ ...rest, kind: 'look', to: 'eyes', options: spec.options })) as never,
      language: {
        named: true,
        model: {
          ...{ name: 'model', sees: false, likelihoods: false, backend: 'cpu' },
          chat: async ({ schema }) =>
            (await ask({ ...rest, kind: 'chat', to: 'model', json: schema })) as never,
        },
      },
      outgoing: {
        send: async ({ to, json, deliveryId }) =>
          (await ask({ ...rest, kind: 'send', to, json, id: deliveryId })) as never,
      },
      world: {
        broker: {
          lacks: null,
          publish: async ({ to, json, deliveryId }) => {
            await ask({ ...rest, kind: 'send', to, json, id: deliveryId })
          },
        },
        voice: {
          lacks: null,
          place: async ({ id, outcomes: options }) =>
            (await ask({ ...rest, kind: 'call', to: 'line', id, options })) as never,
        },
        recorder: {
          lacks: null,
          clip: async ({ cameraId, ms, deliveryId }) => {
            await ask({ ...rest, kind: 'send', to: cameraId, json: ms, id: deliveryId })
            return {
              file: deliveryId,
              type: 'video/mp4',
              source: cameraId,
              takenAt: clock.now(),
              ms,
              cut: null,
            }
          },
        },
        turner: {
          lacks: null,
          turn: async ({ cameraId, preset, deliveryId }) => {
            await ask({ ...rest, kind: 'send', to: cameraId, json: preset, id: deliveryId })
          },
        },
        apps: {
          lacks: null,
          act: async ({ action, params, deliveryId }) => {
            await ask({ ...rest, kind: 'send', to: action, json: params, id: deliveryId })
            return null
          },
        },
        home: {
          lacks: null,
          call: async ({ service, data, deliveryId }) => {
            await ask({ ...rest, kind: 'send', to: service, json: data, id: deliveryId })
            return { changed: [] }
          },
          state: async () => 'on',
        },
      },
      cameras: {
        snapshot: async source =>
          source === 'roof' ? { bytes: new Uint8Array(1), takenAt: clock.now(), source } : never,
      },
      siteMode: {
        get: () => this.siteMode.get(),
        set: async mode => {
          await ask({ ...rest, kind: 'mode', to: mode })
          await this.siteMode.set(mode)
        },
      },
    }
    this.engine = new Engine(deps)
  }

  /** The power goes: nothing is said to anybody, nothing more is written. */
  crash(): void {
    this.over = true
    this.store.stop()
  }
}
