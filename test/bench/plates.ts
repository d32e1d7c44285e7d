/** A whole engine on the disk, for plates that are read: what the benches of storms and of long times share. */
import type { IncomingEvent } from '../../src/core/index.ts'
import type { Engine } from '../../src/engine/index.ts'
import type { Store } from '../../src/store/index.ts'
import { bare } from '../fixtures/bare.ts'

export interface Plates {
  engine: Engine
  store: Store
  /** Offers an event that has to start a run; resolves once that has ended. */
  run(event: IncomingEvent): Promise<void>
  stop(): Promise<void>
}

/** Starts an engine in `dir` with these workflows. Nothing that it sends gets anywhere. */
export async function plates(dir: string, siteYaml: string, workflows: readonly string[]): Promise<Plates> {
  const { store, engine, bus, stop } = await bare(dir, siteYaml)
  for (const yaml of workflows) {
    const saved = await engine.save(yaml)
    if (!saved.ok) throw new Error(saved.problems.map(({ message }) => message).join('; '))
  }
  // A run may end with its first commit, before whoever began it hears its id.
  const waiting = new Map<number, () => void>()
  const over = new Set<number>()
  bus.on('run', run => {
    if (run.ended_at === null) return
    over.add(run.id)
    waiting.get(run.id)?.()
  })
  return {
    engine,
    store,
    async run(event) {
      const [admission] = await engine.submit(event)
      const id = admission?.run
      if (!id) throw new Error(`no run: ${admission?.reason?.message}`)
      if (!over.has(id)) await new Promise<void>(resolve => waiting.set(id, resolve))
      waiting.delete(id)
      over.delete(id)
    },
    stop,
  }
}

/** The nth plate that a camera reads. */
export function plateRead(n: number, cameraId = 'gate'): IncomingEvent {
  return {
    kind: 'event',
    id: `evt_${n}`,
    at: Date.now(),
    cameraId,
    schema: 'plate.recognized.v1',
    source: 'plates',
    severity: null,
    payload: { plate_text: `B-XY ${n}`, confidence: 0.97 },
    correlationId: null,
    chain: [],
    by: null,
    workflowId: null,
    pictures: [],
  }
}
