import type { NoticeRow } from '../store/index.ts'
import type { Chained } from './chained.ts'
import { isObject } from './json.ts'
import { failedMove, unknownMove } from './notices.ts'
import type { EngineDeps } from './ports.ts'
import type { Ended, Run, RunNotice } from './run.ts'
import type { Begun } from './step-rows.ts'

/** What a run at work tells people: it waits in the run for its next commit. */
export class RunNotices {
  readonly #deps: Pick<EngineDeps, 'store' | 'clock'>
  readonly #chained: Chained

  constructor(deps: Pick<EngineDeps, 'store' | 'clock'>, chained: Chained) {
    this.#deps = deps
    this.#chained = chained
  }

  /** A notice is written with the result of its step, and told once that is on the disk. `seq`: its step's number. */
  add(run: Run, row: Omit<NoticeRow, 'id'>, unsettled = false, seq: number | null = null): void {
    const { notices, steps } = this.#deps.store
    const notice: RunNotice = { row: { ...row, id: 0 }, unsettled, promise: null }
    const follows = this.#chained.follows(row)
    run.writes.push(() => {
      // The step whose number this is has its row since a moment, in the same commit.
      if (seq !== null) Object.assign(notice.row, { runId: run.id, stepId: steps.idOf(run.id, seq) })
      notice.row.id = notices.add(notice.row)
      if (follows) notice.promise = this.#chained.promise(notice.row.id)
    })
    run.notices.push(notice)
  }

  /** Who wanted a move hears that it was not made, unless somebody decided just that. */
  failed(run: Run, begun: Begun, { status, result }: Ended): void {
    const { code, message = '' } = isObject(result) ? result : {}
    if (status !== 'failed' || code === 'stopped' || code === 'not_released') return
    const { step, about } = moveOf(run, begun)
    this.add(run, failedMove(step, about, String(message), this.#deps.clock.now()))
  }

  /** Somebody has to look whether a move happened. */
  unknown(run: Run, begun: Begun, { result }: Ended): void {
    const why = isObject(result) && typeof result.message === 'string' ? result.message : ''
    const { step, about } = moveOf(run, begun)
    this.add(run, unknownMove(step, about, why, this.#deps.clock.now()), true)
  }
}

function moveOf(run: Run, { node, id }: Begun) {
  return {
    step: { runId: run.id, stepId: id, kind: node.step.kind },
    about: { workflow: run.loaded.row.name, cameraId: run.facts.cameraId },
  }
}
