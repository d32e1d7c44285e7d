import { spawn } from 'node:child_process'
import { type Clock, messageOf } from '../../core/index.ts'

/** What it says last, at most. */
const MOST_SAID = 2_000
/** Between being asked to end and being ended. */
const GRACE_MS = 2_000

export interface FfmpegRun {
  args: readonly string[]
  clock: Clock
  /** Ends it, and all that it started. */
  signal: AbortSignal
  /** Takes what it writes; throwing ends it. */
  onOutput?(chunk: Uint8Array): void
}

export interface FfmpegEnd {
  /** Null: it was ended. */
  code: number | null
  /** The end of what it said; for the log at debug, it may quote what it was fed. */
  said: string
}

/** Where Debian and its like put it. */
export function ffmpegPath(): string | null {
  return Bun.which('ffmpeg')
}

/**
 * Runs ffmpeg to its end, in a process group of its own and with nothing of our environment. It is asked to end first,
 * so that what it writes is whole. Rejects where it cannot be started, and with what `onOutput` throws.
 */
export function runFfmpeg(path: string, { args, clock, signal, onOutput }: FfmpegRun): Promise<FfmpegEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<FfmpegEnd>()
  if (signal.aborted) return Promise.resolve({ code: null, said: '' })
  const child = spawn(path, ['-hide_banner', '-nostdin', '-loglevel', 'error', ...args], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const { pid } = child
  let said = ''
  const kill = (how: NodeJS.Signals) => {
    try {
      if (pid !== undefined) process.kill(-pid, how)
    } catch {
      // It has ended by itself.
    }
  }
  let forget: (() => void) | null = null
  const end = () => {
    kill('SIGTERM')
    forget ??= clock.after(GRACE_MS, () => kill('SIGKILL'))
  }
  signal.addEventListener('abort', end, { once: true })
  child.stdout.on('data', (chunk: Uint8Array) => {
    try {
      onOutput?.(chunk)
    } catch (error) {
      reject(error)
      kill('SIGKILL')
    }
  })
  child.stderr.on('data', (chunk: Uint8Array) => {
    said = (said + Buffer.from(chunk).toString('utf8')).slice(-MOST_SAID)
  })
  child.on('error', error => reject(new Error(`ffmpeg could not be started: ${messageOf(error)}.`)))
  child.on('close', code => resolve({ code, said: said.trim() }))
  return promise.finally(() => {
    signal.removeEventListener('abort', end)
    forget?.()
  })
}
