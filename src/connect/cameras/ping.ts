import { connect } from 'node:net'

const TIMEOUT_MS = 2_000
const PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'rtsp:': 554 }

/** How long it takes to reach the place of an address, ms; null: nothing answers there. Nothing is sent. */
export function ping(url: URL, signal: AbortSignal, timeoutMs = TIMEOUT_MS): Promise<number | null> {
  const port = url.port ? Number(url.port) : (PORTS[url.protocol] ?? 80)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise(resolve => {
    const startedAt = performance.now()
    const socket = connect({ host, port })
    const end = (ms: number | null) => {
      signal.removeEventListener('abort', stop)
      socket.destroy()
      resolve(ms)
    }
    const stop = () => end(null)
    socket.setTimeout(timeoutMs, stop)
    socket.once('connect', () => end(performance.now() - startedAt))
    socket.once('error', stop)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}
