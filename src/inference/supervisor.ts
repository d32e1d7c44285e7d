import { type Clock, type Log, messageOf, systemClock } from '../core/index.ts'
import { type Child, type ChildEvents, spawnChild } from './child.ts'
import type { FromChild } from './protocol.ts'
import { connectChild } from './remote-child.ts'
import { sizeOf } from './size.ts'
import { type Inference, InferenceError, type InferenceFailure, type InferenceStatus } from './types.ts'

export interface SupervisorOptions {
  /** Program and arguments of the child, absolute paths: it runs in `/`. */
  command: readonly string[]
  /** Unix socket of a listener that starts children in our place; absent: they are our own. */
  socket?: string | undefined
  /** Where model files lie. */
  modelsDir: string
  log: Log
  /** What its log lines call it, where there is more than one; default `inference`. */
  name?: string
  clock?: Clock
  /** Cores that its jobs may use; default all but one. */
  threads?: number
  /** Jobs that may wait or run; default 64. */
  maxJobs?: number
  /** Bytes of all payloads together; default 128 MiB. */
  maxBytes?: number
  /** How long a child may take to report; default 30 s (a slow SD card). */
  startTimeoutMs?: number
  /** Idle time after which the child drops a model; default 5 minutes. */
  dropAfterMs?: number
  /** Idle time after which the child itself is ended, so that all its memory returns; default 15 minutes, 0: never. */
  endAfterMs?: number
}

interface Pending {
  id: number
  job: string
  payload: unknown
  bytes: number
  timeoutMs: number
  deadline: number
  /** Settles the caller's promise, once, and drops its timers. */
  settle: (result: { value: unknown } | InferenceError) => void
}

const firstBackoffMs = 100
const maxBackoffMs = 30_000

/**
 * The child process that holds the models, and its queue. One job at a time goes to the child, so that a crash
 * costs one job; the child starts with the first job and is started again when it dies, at once the first time,
 * then after 100 ms, 200 ms … 30 s, until a job is answered.
 *
 * A caller is answered at its timeout or abort, always. The child is killed only when a job has *run* for its
 * whole timeout: one that waited in the queue for most of it, or was called off, gets the rest of its time
 * first, for a new child would have to load its models again.
 */
export class Supervisor implements Inference {
  readonly #options: SupervisorOptions
  readonly #log: Log
  readonly #clock: Clock
  readonly #name: string
  #state: InferenceStatus['state'] = 'stopped'
  #stopped = false
  #child: Child | null = null
  #queue: Pending[] = []
  /** In the child; its caller may have been answered already. */
  #running: Pending | null = null
  #bytes = 0
  #nextId = 1
  #restarts = 0
  #failures = 0
  /** When the next child is started, while backing off. */
  #backAt = 0
  /** Waits for one thing at a time: the child's report, a job's end, the end of idling, the end of backing off. */
  #cancelTimer: () => void = () => {}

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#log = options.log
    this.#clock = options.clock ?? systemClock
    this.#name = options.name ?? 'inference'
  }

  /** Starts the child now rather than with the first job. */
  start(): void {
    this.#stopped = false
    if (this.#state === 'stopped') this.#spawn()
  }

  /** Rejects what is pending as `unavailable` and ends the child; resolves once it is gone. */
  async stop(): Promise<void> {
    this.#stopped = true
    const message = 'inference is being stopped'
    this.#dropQueued(() => true, message)
    this.#finish(new InferenceError('unavailable', message))
    await this.#end()
  }

  status(): InferenceStatus {
    return {
      state: this.#state,
      pid: this.#child?.pid ?? null,
      restarts: this.#restarts,
      pending: this.#queue.length + (this.#running ? 1 : 0),
    }
  }

  call<T>(job: string, payload: unknown, options: { timeoutMs: number; signal?: AbortSignal }): Promise<T> {
    const { timeoutMs, signal } = options
    const limit = this.#options.maxBytes ?? 128 * 1024 * 1024
    const bytes = sizeOf(payload, limit)
    const refusal = this.#refusal(timeoutMs, bytes, limit, signal)
    if (refusal) return Promise.reject(refusal)
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => this.#abandon(pending, 'aborted', `${job} was called off`)
      const cancelTimer = this.#clock.after(timeoutMs, () =>
        this.#abandon(pending, 'timeout', `${job} took longer than ${timeoutMs} ms`),
      )
      signal?.addEventListener('abort', onAbort, { once: true })
      const settle: Pending['settle'] = result => {
        cancelTimer()
        signal?.removeEventListener('abort', onAbort)
        if (result instanceof InferenceError) reject(result)
        else resolve(result.value as T)
      }
      const deadline = this.#clock.now() + timeoutMs
      const pending: Pending = { id: this.#nextId++, job, payload, bytes, timeoutMs, deadline, settle }
      this.#bytes += bytes
      this.#queue.push(pending)
      this.#pump()
    })
  }

  #refusal(timeoutMs: number, bytes: number, limit: number, signal?: AbortSignal): InferenceError | null {
    if (this.#stopped) return new InferenceError('unavailable', 'inference is stopped')
    if (signal?.aborted) return new InferenceError('aborted', 'called off before it began')
    if (this.status().pending >= (this.#options.maxJobs ?? 64))
      return new InferenceError('overloaded', 'too many jobs wait for inference')
    if (this.#bytes + bytes > limit)
      return new InferenceError('overloaded', 'too many bytes wait for inference')
    if (this.#state === 'backing_off' && this.#clock.now() + timeoutMs < this.#backAt)
      return new InferenceError('unavailable', 'the inference process keeps ending and is not back yet')
    return null
  }

  /** Moves on: starts a child where one is wanted, sends the next job where the child is free. */
  #pump(): void {
    if (this.#queue.length > 0 && this.#state === 'stopped') this.#spawn()
    if (this.#running || this.#state !== 'ready') return
    const pending = this.#queue.shift()
    if (pending) this.#run(pending)
    else this.#endWhenIdle()
  }

  #run(pending: Pending): void {
    this.#running = pending
    this.#wait(pending.timeoutMs, () => {
      const { job, timeoutMs: ms } = pending
      this.#log.warn({ process: this.#name, job, ms }, 'the inference process hangs and is killed')
      void this.#child?.kill()
    })
    try {
      this.#child?.send({ kind: 'job', id: pending.id, job: pending.job, payload: pending.payload })
      pending.payload = undefined
    } catch (error) {
      this.#finish(new InferenceError('job_failed', `the payload cannot be sent: ${messageOf(error)}`))
      this.#pump()
    }
  }

  #spawn(): void {
    this.#state = 'starting'
    this.#wait(this.#options.startTimeoutMs ?? 30_000, () => void this.#child?.kill())
    try {
      const { command, socket, modelsDir, threads, dropAfterMs = 300_000 } = this.#options
      const settings = { modelsDir, dropAfterMs, threads, log: this.#log }
      // A child that was let go may still speak; only the present one is heard.
      const events: ChildEvents = {
        message: message => {
          if (this.#child === child) this.#hear(message)
        },
        exit: how => {
          if (this.#child === child) this.#lose(how)
        },
      }
      const child: Child =
        socket === undefined
          ? spawnChild({ command, ...settings }, events)
          : connectChild(socket, settings, events)
      this.#child = child
    } catch (error) {
      this.#lose(messageOf(error))
    }
  }

  #hear(message: FromChild): void {
    if (message.kind === 'ready') {
      if (this.#state !== 'starting') return
      this.#state = 'ready'
      this.#cancelTimer()
    } else if (message.id === this.#running?.id) {
      this.#failures = 0
      this.#finish(
        message.kind === 'done'
          ? { value: message.value }
          : new InferenceError('job_failed', message.message),
      )
    }
    this.#pump()
  }

  /** The child is gone though nobody asked it to. */
  #lose(how: string): void {
    this.#child = null
    this.#state = 'backing_off'
    const delay =
      this.#failures === 0 ? 0 : Math.min(maxBackoffMs, firstBackoffMs * 2 ** (this.#failures - 1))
    this.#failures++
    this.#backAt = this.#clock.now() + delay
    this.#log.warn(
      { process: this.#name, how, job: this.#running?.job, delay },
      'the inference process ended and is started again',
    )
    if (this.#running) this.#finish(new InferenceError('crashed', `the inference process ended (${how})`))
    this.#dropQueued(
      pending => pending.deadline < this.#backAt,
      `the inference process keeps ending (${how})`,
    )
    this.#wait(delay, () => {
      this.#restarts++
      this.#spawn()
    })
  }

  /** Answers the caller of a job that is queued (it leaves) or running (its place stays taken until it ends). */
  #abandon(pending: Pending, failure: InferenceFailure, message: string): void {
    pending.settle(new InferenceError(failure, message))
    if (pending === this.#running) {
      this.#child?.send({ kind: 'abort', id: pending.id })
    } else {
      this.#queue = this.#queue.filter(other => other !== pending)
      this.#bytes -= pending.bytes
    }
  }

  /** The running job is over: what it left to its caller, if that still waits, is `result`. */
  #finish(result: { value: unknown } | InferenceError): void {
    this.#cancelTimer()
    this.#bytes -= this.#running?.bytes ?? 0
    this.#running?.settle(result)
    this.#running = null
  }

  #dropQueued(which: (pending: Pending) => boolean, message: string): void {
    for (const pending of this.#queue.filter(which)) this.#abandon(pending, 'unavailable', message)
  }

  #endWhenIdle(): void {
    const { endAfterMs = 900_000 } = this.#options
    if (endAfterMs > 0) this.#wait(endAfterMs, () => void this.#end())
  }

  async #end(): Promise<void> {
    this.#cancelTimer()
    const child = this.#child
    this.#child = null
    this.#state = 'stopped'
    await child?.kill()
  }

  #wait(ms: number, then: () => void): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#clock.after(ms, then)
  }
}
