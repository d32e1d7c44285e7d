/** Answers that come line by line while the work goes on. */
import type { Log } from '../core/index.ts'
import { problemOf } from './problem.ts'

/** Hears each line; from the first on the answer is under way. */
export type Say = (line: object) => void

/**
 * The answer of `work` as lines of JSON (NDJSON), each sent as it is said; whoever leaves ends the work by its signal. What
 * goes wrong before the first line is the answer's status as usual, later on it is a last line `{ problem }`. Work that
 * answers by itself has said nothing.
 */
export async function lines(
  request: Request,
  log: Log,
  work: (say: Say, signal: AbortSignal) => Promise<Response | undefined>,
): Promise<Response> {
  const left = new AbortController()
  const signal = AbortSignal.any([request.signal, left.signal])
  const { promise: begun, resolve: begins } = Promise.withResolvers<null>()
  const encoder = new TextEncoder()
  let open: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: controller => {
      open = controller
    },
    cancel: () => left.abort(),
  })
  const say: Say = line => {
    if (signal.aborted) return
    open?.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
    begins(null)
  }
  const done = work(say, signal)
  const first = await Promise.race([begun, done])
  if (first) return first
  done
    .catch(async error => say({ problem: await problemOf(error, log).json() }))
    .finally(() => {
      try {
        open?.close()
      } catch {
        // It was closed from the other side in the meantime.
      }
    })
  return new Response(body, {
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
  })
}
