import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { GatehouseError } from '../../core/index.ts'
import { type Gated, gateWords, passes, type Score } from '../gate.ts'
import type { Split, Suite } from './case-schema.ts'
import { scoresOf } from './gates.ts'
import type { CaseResult, LeftOut } from './result.ts'
import { calibrationsOf, type SourceCalibration, type Summary, summariesOf } from './summary.ts'

/** Who was judged. */
export interface Judged {
  name: string
  /** SHA-256 of its file, hex; null: it runs elsewhere, or nobody knows. */
  hash: string | null
  backend: 'cpu' | 'gpu' | 'server'
  sees: boolean
}

/** What a run was over, and where. */
export interface RunFacts {
  /** ISO 8601, UTC. */
  at: string
  /** Of Gatehouse. */
  version: string
  /** `fixtures`: answers were recorded or made out of what the cases expect. That says nothing of any model. */
  mode: 'live' | 'fixtures'
  /** Null: none was asked. */
  model: Judged | null
  /** Who was asked by Looks at pictures instead of it; null: nobody else. */
  vision: string | null
  /** Detector and reader that looked at pictures; null: none did. */
  eyes: string | null
  box: { class: string; about: string }
  cases: {
    /** Whether they came with the program: only these count for the gates. */
    own: boolean
    fingerprint: string
    suites: Suite[]
    splits: Split[]
  }
}

export interface Report extends RunFacts {
  report: 'gatehouse.eval.v1'
  /** In words: what it is, and what it is not. */
  title: string
  summaries: Summary[]
  calibration: SourceCalibration[]
  gates: { suite: Gated; score: Score; passed: boolean; words: string }[]
  results: CaseResult[]
  left_out: LeftOut[]
}

/** A report of what came of the cases. Gates are judged only where a model was, over all the program's own cases. */
export function reportOf(
  facts: RunFacts,
  results: readonly CaseResult[],
  leftOut: readonly LeftOut[],
): Report {
  const { mode, cases, model } = facts
  const counts = mode === 'live' && model !== null && cases.own && cases.splits.length === 2
  const whole = (suite: Gated) => !leftOut.some(each => each.suite === suite)
  return {
    report: 'gatehouse.eval.v1',
    title: titleOf(facts),
    ...facts,
    summaries: summariesOf(results),
    // How sure somebody was who only repeated what is expected means nothing.
    calibration: mode === 'live' ? calibrationsOf(results) : [],
    gates: counts
      ? scoresOf(results)
          .filter(({ suite }) => whole(suite))
          .map(({ suite, score }) => ({ suite, score, passed: passes(score), words: gateWords(score) }))
      : [],
    results: [...results],
    left_out: [...leftOut],
  }
}

function titleOf({ mode, model, eyes, box }: RunFacts): string {
  if (mode === 'fixtures') return 'Fixtures: recorded answers, which say nothing of any model'
  const who = model?.name ?? (eyes ? `${eyes}, without a language model` : 'nobody')
  return `${who} on ${box.class}`
}

const result = Type.Object({
  id: Type.String(),
  suite: Type.String(),
  split: Type.String(),
  right: Type.Boolean(),
  expected: Type.String(),
  got: Type.String(),
})
const shape: TSchema = Type.Object({
  report: Type.Literal('gatehouse.eval.v1'),
  title: Type.String(),
  at: Type.String(),
  mode: Type.Union([Type.Literal('live'), Type.Literal('fixtures')]),
  cases: Type.Object({ fingerprint: Type.String() }),
  results: Type.Array(result),
})

/** What a comparison needs of a report. */
export type ReportToCompare = Pick<Report, 'title' | 'at' | 'mode'> & {
  cases: Pick<Report['cases'], 'fingerprint'>
  results: Pick<CaseResult, 'id' | 'suite' | 'split' | 'right' | 'expected' | 'got'>[]
}

/** A report out of a file. Throws `GatehouseError` `report_invalid`. */
export function readReport(text: string, file: string): ReportToCompare {
  let content: unknown = null
  try {
    content = JSON.parse(text)
  } catch {
    // Said below.
  }
  if (!Value.Check(shape, content))
    throw new GatehouseError('report_invalid', `${file} is no report of gatehouse eval: name a report.json`)
  return content as ReportToCompare
}
