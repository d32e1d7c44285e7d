import type { Clock } from '../../core/index.ts'
import type { Machine } from './machine.ts'

/** How long a release may take until it is ready: it may have a large database to bring up to date. */
const READY_MS = 90_000
const LOOK_MS = 500
/** So often it may end before it was ready: a start may meet a bad moment, two in a row do not. */
const ENDINGS = 2
/** How long a box that is up may take no work. */
const SILENT_MS = 30_000

export interface Watching {
  machine: Machine
  clock: Clock
  /** How long it has to stay well once it is ready. */
  wellMs: number
  /** It took work before: it has to again. */
  wasReady: boolean
  /** It is ready, and is watched from now on. */
  onReady?(): void
}

/** Watches a release that was just started: why it is not well, or null. A crash is seen at once. */
export async function watchHealth({
  machine,
  clock,
  wellMs,
  wasReady,
  onReady,
}: Watching): Promise<string | null> {
  const began = clock.now()
  for (;;) {
    const { state, restarts } = await machine.view()
    if (state === 'active') break
    if (restarts >= ENDINGS) return `It ended ${restarts} times before it was ready.`
    if (clock.now() - began > READY_MS) return `It was not ready in ${READY_MS / 1000} seconds.`
    await pause(clock)
  }
  onReady?.()
  const { pid } = await machine.view()
  const ready = clock.now()
  let heard = ready
  while (clock.now() - ready < wellMs) {
    const now = await machine.view()
    if (now.pid !== pid || now.state !== 'active')
      return `It ended ${Math.round((clock.now() - ready) / 1000)} seconds after it was ready.`
    const said = await machine.ready()
    if (said === 'ready' || !wasReady) heard = clock.now()
    else if (said === 'safe_mode') return 'It started in safe mode.'
    else if (clock.now() - heard > SILENT_MS) return `It took no work for ${SILENT_MS / 1000} seconds.`
    await pause(clock)
  }
  return null
}

const pause = (clock: Clock) => new Promise<void>(resolve => clock.after(LOOK_MS, resolve))
