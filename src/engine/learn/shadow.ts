import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bus, type Clock, GatehouseError, type IncomingEvent, noLog } from '../../core/index.ts'
import type { Cameras, Records, SitePort } from '../../kinds/index.ts'
import { MediaFiles, Store } from '../../store/index.ts'
import type { EngineApi } from '../api.ts'
import type { EngineDeps, Replay } from '../ports.ts'
import type { EngineTopics, RunView, TriedEvent } from '../types.ts'
import { TrialClock } from './trial-clock.ts'

const DAY_MS = 24 * 3_600_000
/** Waits that one run may skip. */
const MOST_SKIPS = 1_000

/** An engine to try things in. */
export type Shadow = EngineApi & { start(): Promise<void>; stop(): Promise<void> }

/** When and where something is tried. */
export interface TrialWorld {
  /** Epoch ms. */
  startedAt: number
  site: SitePort
  cameras(clock: Clock): Cameras
  /** What is looked up there; absent: nothing happened before. */
  records?: Records
  /** What tools answered; absent: each is at work. */
  replay?: Replay
  /** Ends it before its time. */
  signal?: AbortSignal
  /** The id under which a picture can be read in the store of the box, by its hash; absent: under none. */
  mediaOf?(hash: string): number | null
}

/**
 * Engines over databases that are thrown away: in Test, at another time and with nothing to reach the world by. So no
 * limit is used up, no row of the box changes, and waits are skipped.
 */
export class Shadows {
  readonly #deps: EngineDeps
  readonly #make: (deps: EngineDeps) => Shadow

  constructor(deps: EngineDeps, make: (deps: EngineDeps) => Shadow) {
    this.#deps = deps
    this.#make = make
  }

  /** The run that an event starts, why it starts none, or null where it was not done within `left` ms. */
  async play(
    yaml: string,
    event: IncomingEvent,
    left: number,
    world: TrialWorld,
  ): Promise<RunView | NonNullable<TriedEvent['kept_out']> | null> {
    const scratch = this.#deps.options?.scratchDir ?? tmpdir()
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    const dir = await mkdtemp(join(scratch, 'gatehouse-try-'))
    const clock = new TrialClock(this.#deps.clock, world.startedAt)
    const store = new Store({ dir, clock, log: noLog, onFatal: () => undefined })
    const shadow = this.#make(this.#depsOf(dir, store, clock, world))
    try {
      store.start()
      await shadow.start()
      const came = await this.#through(shadow, yaml, event, left, world.signal)
      return came && 'steps' in came && world.mediaOf ? withMedia(came, store, world.mediaOf) : came
    } finally {
      await shadow.stop()
      store.stop()
      await rm(dir, { recursive: true, force: true })
    }
  }

  async #through(
    shadow: Shadow,
    yaml: string,
    event: IncomingEvent,
    left: number,
    signal: AbortSignal | undefined,
  ) {
    const saved = await shadow.save(yaml)
    if (!saved.ok)
      throw new GatehouseError('workflow_invalid', 'The file does not hold at this site any more.')
    await shadow.setState(saved.workflow.id, 'test')
    const [admission] = await shadow.submit(event)
    if (!admission) return { code: 'no_match', message: 'The event does not fit the trigger.' }
    if (admission.run === null) return admission.reason
    const { promise, resolve } = Promise.withResolvers<null>()
    const cancel = this.#deps.clock.after(left, () => resolve(null))
    const stop = () => resolve(null)
    signal?.addEventListener('abort', stop)
    try {
      if (signal?.aborted) return null
      for (;;) {
        // A skipped wait skips this one too: then it is asked again.
        const view = await Promise.race([shadow.settled(admission.run, DAY_MS), promise])
        if (view === null || view.ended_at !== null) return view
      }
    } finally {
      cancel()
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Named one by one, so that what is new to the engine has to be thought of here. */
  #depsOf(dir: string, store: Store, clock: TrialClock, world: TrialWorld): EngineDeps {
    const { look, language, tools, siteMode, options } = this.#deps
    const { site, cameras, records, replay } = world
    const bus = new Bus<EngineTopics>(noLog)
    let skips = 0
    bus.on('run', ({ status }) => {
      const at = status === 'waiting' ? store.due.earliest() : null
      if (at !== null && skips++ < MOST_SKIPS) clock.skipTo(at)
    })
    const nothing = async () => {
      throw new GatehouseError('only_a_try', 'Nothing leaves the box while a file is tried.')
    }
    return {
      store,
      media: new MediaFiles(dir),
      clock,
      log: noLog,
      bus,
      site: () => site,
      look,
      ...(language && { language }),
      tools: {
        ...{ vision: tools?.vision ?? null, health: null },
        ...(records && { records }),
        ...(replay && { replay }),
      },
      outgoing: { send: nothing },
      world: { assumed: 'all' },
      cameras: cameras(clock),
      siteMode: { get: () => siteMode.get(), set: nothing },
      ...(options && { options }),
    }
  }
}

/** The same run, with its pictures under the ids that they bear on the box; what it took itself is not there. */
function withMedia(run: RunView, { media }: Store, mediaOf: NonNullable<TrialWorld['mediaOf']>): RunView {
  const known = (id: number | null) => {
    const row = id === null ? null : media.get(id)
    return row && mediaOf(row.hash)
  }
  const steps = run.steps.map(step => ({
    ...step,
    evidence: step.evidence.map(each => ({ ...each, media: known(each.media) })),
  }))
  const pictures = run.pictures.flatMap(each => {
    const id = known(each.media)
    return id === null ? [] : [{ ...each, media: id }]
  })
  return { ...run, steps, pictures }
}
