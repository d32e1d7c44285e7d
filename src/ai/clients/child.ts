/** Calls of models that run in the inference process of this box. */
import type { Clock } from '../../core/index.ts'
import { type Inference, InferenceError, type InferenceFailure } from '../../inference/index.ts'
import { LanguageError, type LanguageFailure } from '../language.ts'

/** How long the child has to notice that nobody waits any more; after that it hangs and is killed. */
const graceMs = 10_000

const failures: Readonly<Record<InferenceFailure, LanguageFailure>> = {
  unavailable: 'down',
  crashed: 'down',
  job_failed: 'down',
  timeout: 'timeout',
  aborted: 'aborted',
  overloaded: 'overloaded',
}

interface Caller {
  /** Of the model, for people. */
  name: string
  inference: Inference
  clock: Clock
}

type Reply = { ok: true } | { ok: false; failure: LanguageFailure; message: string }

/**
 * Calls the child and calls off what takes too long: the model then stops at its next token and is free for the next
 * call, where a job that ran its whole time would cost the child and the loaded model. Rejects with `LanguageError`.
 */
export async function callChild<Answer extends Reply>(
  { name, inference, clock }: Caller,
  job: string,
  payload: unknown,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<Extract<Answer, { ok: true }>> {
  const controller = new AbortController()
  const calledOff = () => controller.abort()
  signal?.addEventListener('abort', calledOff, { once: true })
  if (signal?.aborted) calledOff()
  let late = false
  const cancelTimer = clock.after(timeoutMs, () => {
    late = true
    controller.abort()
  })
  try {
    const answer = await inference.call<Answer>(job, payload, {
      timeoutMs: timeoutMs + graceMs,
      signal: controller.signal,
    })
    if (answer.ok) return answer as Extract<Answer, { ok: true }>
    throw new LanguageError(answer.failure, answer.message)
  } catch (error) {
    if (late) throw new LanguageError('timeout', `${name} took longer than ${timeoutMs} ms`)
    throw languageError(error)
  } finally {
    cancelTimer()
    signal?.removeEventListener('abort', calledOff)
  }
}

function languageError(error: unknown): LanguageError {
  if (error instanceof LanguageError) return error
  if (error instanceof InferenceError) return new LanguageError(failures[error.failure], error.message)
  return new LanguageError('down', String(error))
}
