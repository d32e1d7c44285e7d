import type { Clock, JsonValue, LogRing } from '../../core/index.ts'
import type { Engine } from '../../engine/index.ts'
import { readState, residentBytes } from '../../hardware/index.ts'
import type { InferenceStatus } from '../../inference/index.ts'
import type { Site } from '../../site/index.ts'
import type { Store } from '../../store/index.ts'
import type { CarePort, SystemInfo } from '../../web/index.ts'
import { clearStarts } from '../starts.ts'
import { Backups } from './backups.ts'
import { Privacy } from './privacy.ts'
import { privateOf } from './private.ts'

/** Has this process start the box anew; `between` is done while it is stopped. */
export type Restart = (between: () => Promise<void>) => void

/** The process that runs the box. */
export interface Host {
  /** The last lines of its log. */
  log: LogRing
  restart: Restart
  /** Why the last restore by the page came to nothing; null: it did not. */
  restoreProblem: string | null
}

export interface CareParts {
  dataDir: string
  /** This program. */
  command: readonly string[]
  store: Store
  clock: Clock
  site: () => Site
  engine: () => Engine
  /** Makes a copy of the database now; why it could not be made, or null. */
  copy(): Promise<string | null>
  /** The release that has yet to show that it is well; null: none has. */
  onTrial(): string | null
  /** Null: the log is kept nowhere, and nobody starts the box anew. */
  host: Host | null
  safe: string | null
  system: Pick<SystemInfo, 'checkup' | 'health' | 'hardware'>
  children(): { name: string; status: InferenceStatus }[]
}

const RUNS = 100

/** What keeps the box in order, for the page and the commands. */
export class Care implements CarePort {
  readonly privacy: Privacy
  readonly backups: Backups
  readonly log: CarePort['log']
  readonly #parts: CareParts

  constructor(parts: CareParts) {
    this.#parts = parts
    const { log = null, restart = null, restoreProblem: problem = null } = parts.host ?? {}
    this.log = {
      lines: filter => log?.lines(filter) ?? [],
      level: log?.level ?? 'info',
      get last() {
        return log?.last ?? 0
      },
    }
    this.privacy = new Privacy({ ...parts, log })
    this.backups = new Backups({ ...parts, restart, problem })
  }

  start(): Promise<void> {
    return this.backups.start()
  }

  /** How the machine and the processes of the box are right now. */
  machine(): JsonValue {
    const { heat, slowed, memory, upSeconds, wear } = readState()
    return {
      heat: heat && { ...heat },
      slowed,
      memory: memory && { ...memory },
      up_seconds: upSeconds,
      wear: wear && { disk: wear.disk, used_percent: wear.usedPercent, ends_soon: wear.endsSoon },
      processes: [
        { name: 'engine', state: 'ready', bytes: process.memoryUsage.rss(), restarts: 0, pending: 0 },
        ...this.#parts.children().map(({ name, status: { state, pid, restarts, pending } }) => ({
          ...{ name, state, restarts, pending, bytes: pid === null ? null : residentBytes(pid) },
        })),
      ],
      engine_up_seconds: Math.round(process.uptime()),
    }
  }

  async bundle(by: string): Promise<Uint8Array<ArrayBuffer>> {
    const { dataDir, store, clock, engine, host, system, site } = this.#parts
    const { makeBundle } = await import('./bundle.ts')
    const now = clock.now()
    const entry = { at: now, author: by, action: 'bundle', target: 'support', before: null, after: null }
    await store.write(() => store.audit.add(entry))
    const box = engine()
    const workflows = box.workflows()
    const runs = box.runs({ limit: RUNS }).flatMap(({ id }) => box.run(id) ?? [])
    const { details, ready, shed } = system.health()
    return makeBundle({
      ...{ dataDir, now, runs, log: host?.log.lines() ?? [] },
      ...(await privateOf({ dataDir, site: site(), store, workflows, runs })),
      workflows: workflows.map(({ id, slug }) => ({ slug, yaml: box.workflowYaml(id) ?? '' })),
      checkup: await system.checkup(),
      health: { ready, ...details, shed: { ...box.shed(), ...shed }, storage: box.upkeep.view() },
      hardware: await system.hardware(),
      machine: this.machine(),
    })
  }

  async leaveSafeMode(by: string): Promise<boolean> {
    const { dataDir, safe, store, clock } = this.#parts
    if (safe === null) return false
    const entry = {
      at: clock.now(),
      author: by,
      action: 'safe-mode.leave',
      target: 'box',
      before: null,
      after: null,
    }
    await store.write(() => store.audit.add(entry))
    // Whoever runs the box looks for that.
    clearStarts(dataDir)
    return true
  }
}
