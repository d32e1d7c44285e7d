import { GatehouseError } from '../core/index.ts'
import type { RepliesView } from '../engine/index.ts'
import type { WebDeps } from './ports.ts'

/** Requests that wait for an answer at the same time. */
const MOST = 64

/** Whoever waits for what a run answers to a message. */
export class ReplyWaits {
  readonly #deps: Pick<WebDeps, 'engine' | 'bus' | 'clock'>
  #waiting = 0

  constructor(deps: Pick<WebDeps, 'engine' | 'bus' | 'clock'>) {
    this.#deps = deps
  }

  /**
   * What was answered behind `after`: at once where there is something or nothing follows, else as soon as that is so,
   * or after `ms`. Throws `busy` (503) where too many wait.
   */
  async next(run: number, after: number, ms: number, signal: AbortSignal): Promise<RepliesView> {
    const { engine } = this.#deps
    const now = engine.replies(run, after)
    if (ms === 0 || hasNews(now)) return now
    if (this.#waiting >= MOST)
      throw new GatehouseError('busy', `${MOST} requests wait for answers already: ask again in a moment.`, {
        status: 503,
      })
    this.#waiting++
    try {
      await this.#news(run, after, ms, signal)
    } finally {
      this.#waiting--
    }
    // Whoever asked went away: the box may be stopping.
    return signal.aborted ? now : engine.replies(run, after)
  }

  async #news(run: number, after: number, ms: number, signal: AbortSignal): Promise<void> {
    const { engine, bus, clock } = this.#deps
    const { promise, resolve } = Promise.withResolvers<void>()
    // Where nothing was found need not be looked at again: a long run has many steps.
    let from = after
    const undo = [
      bus.on('step', step => {
        if (step.run !== run) return
        if (hasNews(engine.replies(run, from))) resolve()
        else from = Math.max(from, step.seq)
      }),
      bus.on('run', ({ id, ended_at }) => {
        if (id === run && ended_at !== null) resolve()
      }),
      clock.after(ms, resolve),
    ]
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
    await promise
    for (const each of undo) each()
  }
}

function hasNews({ ended, replies, would_have }: RepliesView): boolean {
  return ended || replies.length > 0 || would_have.length > 0
}
