/** Why a job gave no answer. Callers turn each of these into `unsure`, never into a failed run. */
export type InferenceFailure = 'unavailable' | 'crashed' | 'timeout' | 'aborted' | 'overloaded' | 'job_failed'

export class InferenceError extends Error {
  readonly failure: InferenceFailure
  constructor(failure: InferenceFailure, message: string) {
    super(message)
    this.name = 'InferenceError'
    this.failure = failure
  }
}

export interface InferenceStatus {
  state: 'stopped' | 'starting' | 'ready' | 'backing_off'
  pid: number | null
  /** How often the child had to be started again since `start()`. */
  restarts: number
  /** Jobs sent or waiting. */
  pending: number
}

/** The child process as the floors above see it. */
export interface Inference {
  /**
   * Runs one job in the child. `payload` and the answer are structured-cloned: give pictures as an own
   * `Uint8Array` (a `slice()`, not a `subarray`). Rejects with `InferenceError` only.
   */
  call<T>(job: string, payload: unknown, options: { timeoutMs: number; signal?: AbortSignal }): Promise<T>
  status(): InferenceStatus
}

/** What a job in the child can use. */
export interface JobContext {
  /**
   * An object that lives between jobs (a model session): made by `load` on first use, dropped by `unload` after
   * standing idle. Two jobs that ask for one key share it.
   */
  resource<T>(key: string, load: () => Promise<T>, unload: (value: T) => Promise<void>): Promise<T>
  /** Cores that inference may use: leaves one free for the engine. */
  threads: number
  /** Where model files lie. */
  modelsDir: string
  /** Aborted when nobody waits for the answer any more: look at it between two stages of a long job. */
  signal?: AbortSignal
}

/** A job of the child: one function per name; what it throws reaches the caller as `job_failed` with its message. */
export type Job = (payload: unknown, context: JobContext) => Promise<unknown>
