/** The cases of a workflow: what happened, with the answer that a person says is right. */
import type { TemplateTried } from './types-tried.ts'

/** One of them. Times ISO 8601 UTC. */
export interface CaseView {
  id: number
  /** The run that it was made from; null: that is gone, the case is not. */
  run: number | null
  at: string
  camera: string | null
  expected: string
  /** All that may be expected. */
  options: string[]
  note: string | null
  by: string
  added_at: string
  /** How many pictures it holds. */
  pictures: number
  /** What came of it when it was last tried. */
  last: {
    decision: string | null
    reason: string | null
    right: boolean
    /** Null: by a file that was not saved. */
    version: number | null
    at: string
  } | null
}

/** What a file makes of one. `flipped`: it came out right before, and does not now. */
export interface CaseTried extends TemplateTried {
  id: number
  run: number | null
  camera: string | null
  at: string
  /** Null where it was not judged. */
  right: boolean | null
}

/** What a file makes of the cases of its workflow. */
export interface OwnOutcome {
  tried: CaseTried[]
  flipped: number
}

/** Follows while cases are tried. */
export interface CasesWatcher {
  /** Ends it. */
  signal: AbortSignal
  begins(about: { of: number }): void
  tried(one: CaseTried): void
}

/** A file of what is taken along. */
export interface TakenFile {
  name: string
  bytes: Uint8Array
}

/** The cases of workflows. */
export interface CaseSetApi {
  /**
   * Makes an ended run a case of its workflow, with its pictures, which are kept for as long as it is one; where it is one
   * already, another answer is right. Throws `run_not_ended`, `no_decision`, `not_an_answer`, `no_picture`, `cases_full`.
   */
  add(run: number, expected: string, note: string | null, by: string): Promise<CaseView>
  /** Newest first. */
  list(workflowId: number): CaseView[]
  /** Null: there is no such case. */
  get(workflowId: number, id: number): CaseView | null
  /** Its pictures go with it unless a run still has them. Throws `case_unknown`. */
  remove(workflowId: number, id: number, by: string): Promise<void>
  /** The picture that stands for it; `camera`: that it was taken of, where a step did. Null: there is none. */
  picture(
    workflowId: number,
    id: number,
  ): Promise<{ bytes: Uint8Array; type: string; camera: string | null } | null>
  /** Tries the version in force on all of them. Throws `try_busy`. */
  tryAll(workflowId: number, watcher: CasesWatcher): Promise<OwnOutcome>
  /**
   * As a folder that `gatehouse eval --cases` reads; only those that `sees` lets through. `facts`: with what every AI step
   * is told of the site.
   */
  files(
    workflowId: number,
    sees: (camera: string | null) => boolean,
    facts: boolean,
  ): AsyncIterable<TakenFile>
}
