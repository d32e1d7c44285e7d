import type { JsonObject } from './rows.ts'

/** Something that happened, with the answer that is right. */
export interface CaseRow {
  id: number
  workflowId: number
  /** The run that it was made from; that may be gone. */
  runId: number
  cameraId: string | null
  event: JsonObject
  /** What the AI step was given, and what its tools said. */
  judged: JsonObject
  startedAt: number
  /** What its last AI step has to decide. */
  expected: string
  note: string | null
  author: string
  at: number
  /** What came of it when it was last tried; null: nothing was decided, or it never was. */
  decision: string | null
  reason: string | null
  /** The AI steps by which that was decided, as fingerprints; null: it was never tried. */
  judges: string | null
  /** Number of the version. */
  version: number | null
  triedAt: number | null
  /** It came out right at least once. */
  solved: boolean
}

/** A picture of a case. */
export interface CasePictureRow {
  id: number
  caseId: number
  /** SHA-256, hex. */
  hash: string
  type: string
  bytes: number
  source: string
  takenAt: number | null
  /** When a step had a camera give it; null: it came with the event. */
  shotAt: number | null
}

/** What came of a case. */
export type CaseResult = Pick<CaseRow, 'decision' | 'reason' | 'judges' | 'version' | 'triedAt' | 'solved'>
