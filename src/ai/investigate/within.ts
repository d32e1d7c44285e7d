/** It did not keep its time. */
export class TooLate extends Error {}

interface Time {
  after(ms: number, callback: () => void): () => void
  signal?: AbortSignal
}

/**
 * Work with a time limit that holds whether or not the work heeds its signal. What it comes to afterwards is heard
 * by nobody. Rejects with `TooLate`, with the signal's reason, or with what the work rejects with.
 */
export async function within<T>(
  ms: number,
  { after, signal }: Time,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const over = Promise.withResolvers<never>()
  const end = (why: Error) => {
    over.reject(why)
    stop.abort(why)
  }
  const cancel = after(ms, () => end(new TooLate(`no answer within ${Math.ceil(ms / 1000)} s`)))
  const onAbort = () => end(new Error('it was broken off'))
  signal?.addEventListener('abort', onAbort, { once: true })
  // A promise that nobody waits for any more must not end the process.
  over.promise.catch(() => undefined)
  try {
    if (signal?.aborted) onAbort()
    const working = (async () => work(stop.signal))()
    working.catch(() => undefined)
    return await Promise.race([working, over.promise])
  } finally {
    cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}
