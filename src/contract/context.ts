/** What the checks of a typed workflow are given, and how they answer. */
import type { Fix, Locate, Problem, SiteView } from './types.ts'

/** A problem before it has its place in the source: the caller adds line and column by its path. */
export type Report = Pick<Problem, 'severity' | 'code' | 'path' | 'message'> & { fix?: Fix }

export interface CheckContext {
  site?: SiteView
  /** The source text: only with it can a problem carry a fix. */
  source?: { text: string; locate: Locate }
  report(problem: Report): void
}
