import type { LanguageRefusal } from './protocol.ts'

/** Ends a job with an answer that tells what to do. */
export class Refusal extends Error {
  readonly failure: LanguageRefusal['failure']
  constructor(failure: LanguageRefusal['failure'], message: string) {
    super(message)
    this.name = 'Refusal'
    this.failure = failure
  }
}

/** Throws where nobody waits any more. */
export function stopIfCalledOff(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Refusal('aborted', 'called off')
}
