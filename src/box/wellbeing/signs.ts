import type { CameraCondition } from '../../connect/index.ts'
import type { InferenceStatus } from '../../inference/index.ts'
import type { Site } from '../../site/index.ts'
import type { ModelState } from '../watched-model.ts'
import type { Sign } from './ailment.ts'

export type Sort = 'camera' | 'connection' | 'channel' | 'model' | 'process'

/** Something that may be unwell. */
export interface Sighted {
  sort: Sort
  /** Tells it from the others of its sort. */
  id: string
  /** For people. */
  name: string
  sign: Sign
}

export interface SignSources {
  site: () => Site
  cameras: () => ReadonlyMap<string, CameraCondition>
  /** Connections that are not well → why. */
  connections: () => Record<string, string>
  channels: () => Record<string, string>
  /** The models that the site names, by what they are called for people. */
  models: () => Record<string, ModelState | null>
  /** The processes that hold the models. */
  processes: () => Record<string, InferenceStatus>
}

/** So often in so long a process may end before that is worth a word. */
const ENDINGS = 4
const ENDINGS_MS = 10 * 60_000

/** Reads from everywhere how things are. */
export class Signs {
  readonly #sources: SignSources
  /** Connections that were not well once: what is not named any more among those is well. */
  readonly #connections = new Set<string>()
  readonly #restarts = new Map<string, { at: number; count: number }[]>()

  constructor(sources: SignSources) {
    this.#sources = sources
  }

  /** A connection that was not well when this process began. */
  remember(connection: string): void {
    this.#connections.add(connection)
  }

  /** Everything that can be told now. What is not among it is not there any more. */
  read(now: number): Sighted[] {
    return [
      ...this.#cameras(),
      ...this.#lines(),
      ...this.#channels(),
      ...this.#models(),
      ...this.#processes(now),
    ]
  }

  #cameras(): Sighted[] {
    const conditions = this.#sources.cameras()
    return this.#sources.site().cameras.flatMap(({ id, name, source }): Sighted[] => {
      if (!source) return []
      const { problem = null, lastFrameAt = null } = conditions.get(id) ?? {}
      const sign: Sign =
        problem !== null ? { is: 'ill', problem } : { is: lastFrameAt === null ? 'unknown' : 'well' }
      return [{ sort: 'camera', id, name, sign }]
    })
  }

  #lines(): Sighted[] {
    const { Channels: _each, ...problems } = this.#sources.connections()
    for (const name of Object.keys(problems)) this.#connections.add(name)
    return [...this.#connections].map(name => ({
      ...{ sort: 'connection', id: name, name },
      sign: signOf(problems[name]),
    }))
  }

  #channels(): Sighted[] {
    const problems = this.#sources.channels()
    return [...this.#sources.site().reach.channels.keys()].map(name => ({
      ...{ sort: 'channel', id: name, name },
      sign: signOf(problems[name]),
    }))
  }

  #models(): Sighted[] {
    return Object.entries(this.#sources.models()).flatMap(([name, model]): Sighted[] => {
      if (!model) return []
      const sign: Sign =
        model.state === 'failed'
          ? { is: 'ill', problem: model.why ?? 'It did not answer.' }
          : { is: model.state === 'answered' ? 'well' : 'unknown' }
      return [{ sort: 'model', id: name, name, sign }]
    })
  }

  #processes(now: number): Sighted[] {
    return Object.entries(this.#sources.processes()).map(([name, { restarts }]) => {
      const recent = (this.#restarts.get(name) ?? []).filter(({ at }) => at > now - ENDINGS_MS)
      this.#restarts.set(name, [...recent, { at: now, count: restarts }])
      const ended = restarts - (recent[0]?.count ?? restarts)
      const problem = `It ended ${ended} times in ten minutes, and is started again each time.`
      return {
        ...{ sort: 'process', id: name, name },
        sign: ended >= ENDINGS ? { is: 'ill', problem } : { is: 'well' },
      }
    })
  }
}

function signOf(problem: string | undefined): Sign {
  return problem === undefined ? { is: 'well' } : { is: 'ill', problem }
}
