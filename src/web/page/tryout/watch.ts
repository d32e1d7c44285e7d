/** A try that is going on at the box, event by event. */
import type { ComparedEvent, TryWatcher } from '../../../engine/index.ts'
import { follow, Refused } from '../api.ts'

export type { ComparedEvent }

export type About = Parameters<TryWatcher['begins']>[0]

export interface Hears {
  begins(about: About): void
  tried(one: ComparedEvent): void
}

type Line = { begins?: About; tried?: ComparedEvent }

/** How long the box may need to end what was stopped just before, and how often it is asked. */
const STOPPING_MS = 15_000
const AGAIN_MS = 400
let stoppedAt = Number.NEGATIVE_INFINITY

/** Resolves when all were tried or `signal` ended it. Rejects with `Refused`. */
export async function watchTry(
  { id, text }: { id: number | null; text: string },
  signal: AbortSignal,
  hears: Hears,
): Promise<void> {
  const path = `/workflows${id === null ? '' : `/${id}`}/try?watch=true`
  const headers = { 'content-type': 'application/yaml' }
  signal.addEventListener('abort', () => {
    stoppedAt = performance.now()
  })
  for (;;) {
    try {
      await follow<Line>(path, { method: 'POST', headers, body: text, signal }, ({ begins, tried }) => {
        if (begins) hears.begins(begins)
        if (tried) hears.tried(tried)
      })
      return
    } catch (error) {
      if (signal.aborted) return
      const own = performance.now() - stoppedAt < STOPPING_MS
      if (!(own && error instanceof Refused && error.code === 'try_busy')) throw error
    }
    await new Promise(resolve => window.setTimeout(resolve, AGAIN_MS))
    if (signal.aborted) return
  }
}
