/**
 * A box that is killed while it acts, and how soon it goes on. Time counts from the start of the new process to
 * what arrives at the destination, the process's own start included.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Measure, measured } from './measure.ts'

/** So long an action takes. */
const ACTION_MS = 50
const AT_ONCE = 20
/** The action in which the process is killed. */
const TENTH = 10
const IN_FLIGHT = 1_000
const PATIENCE_MS = 60_000

/** What reached the destination, by delivery id, and a way to wait for it. */
class Destination {
  readonly arrivals = new Map<string, number>()
  /** Answers after so many ms; null: never. */
  delayMs: number | null = null
  #onArrival: () => void = () => {}
  readonly #server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: async request => {
      const id = request.headers.get('webhook-id') ?? ''
      this.arrivals.set(id, (this.arrivals.get(id) ?? 0) + 1)
      this.#onArrival()
      if (this.delayMs === null) await new Promise(() => {})
      else await Bun.sleep(this.delayMs)
      return new Response('ok')
    },
  })

  get port(): number {
    return this.#server.port ?? 0
  }

  get total(): number {
    return [...this.arrivals.values()].reduce((sum, n) => sum + n, 0)
  }

  /** Resolves in the moment in which so many have arrived in all. */
  until(total: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const late = setTimeout(() => reject(new Error(`${this.total} of ${total} arrived`)), PATIENCE_MS)
    this.#onArrival = () => {
      if (this.total < total) return
      clearTimeout(late)
      resolve()
    }
    this.#onArrival()
    return promise
  }

  stop(): Promise<void> {
    return this.#server.stop(true)
  }
}

export async function bench(): Promise<Measure[]> {
  return [await repeated(), ...(await inFlight())]
}

/** Killed in the tenth of twenty moves that are made at once: how many are made a second time. */
async function repeated(): Promise<Measure> {
  return withBox(AT_ONCE, 'barrier', async (destination, box) => {
    destination.delayMs = ACTION_MS
    const first = box()
    await destination.until(TENTH)
    first.kill('SIGKILL')
    await first.exited
    box()
    // Runs whose move had not begun may still make it: what is left to arrive has arrived by then.
    await Bun.sleep(2_000)
    const again = destination.total - destination.arrivals.size
    return measured('restart.repeated', again, 'moves', { atMost: 0 })
  })
}

/** Killed with a thousand tells on their way: how soon the first, and all, are going on. */
async function inFlight(): Promise<Measure[]> {
  return withBox(IN_FLIGHT, 'chat', async (destination, box) => {
    const first = box()
    await destination.until(IN_FLIGHT)
    first.kill('SIGKILL')
    await first.exited
    destination.delayMs = 0
    const began = performance.now()
    box()
    await destination.until(IN_FLIGHT + 1)
    const one = performance.now() - began
    await destination.until(2 * IN_FLIGHT)
    const all = performance.now() - began
    if (destination.arrivals.size !== IN_FLIGHT) throw new Error('a message changed its id')
    return [
      measured('restart.first', one, 'ms', { atMost: 1_000 }),
      measured('restart.all_of_1000', all, 'ms', { atMost: 1_000 }),
    ]
  })
}

async function withBox<T>(
  runs: number,
  to: string,
  work: (destination: Destination, box: () => Bun.Subprocess) => Promise<T>,
): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-restart-'))
  const destination = new Destination()
  const boxes: Bun.Subprocess[] = []
  const script = join(import.meta.dirname, 'restart-box.ts')
  try {
    return await work(destination, () => {
      const command = [process.execPath, script, dir, String(destination.port), String(runs), to]
      const box = Bun.spawn(command, { stdout: 'inherit', stderr: 'inherit' })
      boxes.push(box)
      return box
    })
  } finally {
    for (const box of boxes) {
      box.kill('SIGKILL')
      await box.exited
    }
    await destination.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
