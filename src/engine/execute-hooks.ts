import type { ProviderName } from './providers.ts'
import type { Run, RunNotice } from './run.ts'

/** What the executor tells of the runs that it takes from step to step. */
export interface ExecutorHooks {
  /** The run's first rows are on the disk. */
  onCommitted(run: Run): void
  /** It is at work, again maybe: that is on the disk since a moment. */
  onGoesOn(run: Run): void
  onStep(run: Run, seq: number): void
  /** Something that people are told is on the disk. */
  onNotice(run: Run, notice: RunNotice): void
  /** There are other due rows than before. */
  onDue(): void
  /** Somebody whom a Look needs was there (null), or why not. Answers why the workflow stands still from now on. */
  onLooked(run: Run, provider: ProviderName, down: string | null): Promise<string | null>
}
