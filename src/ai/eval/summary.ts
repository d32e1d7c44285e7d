import { type Interval, wilson } from '../../core/index.ts'
import type { ConfidenceSource } from '../types.ts'
import { type Calibration, calibrationOf } from './calibration.ts'
import { type Split, SUITES, type Suite } from './case-schema.ts'
import type { CaseResult } from './result.ts'

/** Of which cases. */
export type Part = Split | 'all' | 'traps'

/** What came of some cases together. */
export interface Summary {
  suite: Suite
  part: Part
  cases: number
  right: number
  /** Share that was right, with its 95 % Wilson interval. */
  accuracy: Interval
  /** Share that ended unsure, and of these how many should have. */
  unsure: { cases: number; share: number; right: number }
  /** Of the tools that good runs need, how many were called; null: none was needed. */
  tools: { needed: number; called: number } | null
  /** Cases that hit a limit, by limit. */
  limits: { [limit: string]: number }
  /** Of one case; by nearest rank. */
  seconds: { p50: number; p95: number }
  /** Of all cases. */
  tokens: { in: number; out: number }
}

/** What confidences of one source are worth. `self_reported` is for study: nothing is decided by it. */
export interface SourceCalibration extends Calibration {
  source: ConfidenceSource | 'self_reported'
}

/** By suite: all cases, those of each split, those with traps; only parts that have cases. */
export function summariesOf(results: readonly CaseResult[]): Summary[] {
  const parts: { part: Part; has(one: CaseResult): boolean }[] = [
    { part: 'all', has: () => true },
    { part: 'seen', has: ({ split }) => split === 'seen' },
    { part: 'held_out', has: ({ split }) => split === 'held_out' },
    { part: 'traps', has: ({ trap }) => trap !== null },
  ]
  return SUITES.flatMap(suite => {
    const own = results.filter(result => result.suite === suite)
    return parts.flatMap(({ part, has }) => summaryOf(suite, part, own.filter(has)) ?? [])
  })
}

function summaryOf(suite: Suite, part: Part, results: readonly CaseResult[]): Summary | null {
  const right = results.filter(result => result.right).length
  const accuracy = wilson(right, results.length)
  if (!accuracy) return null
  const unsure = results.filter(result => result.unsure !== null)
  const needed = results.reduce((sum, { tools }) => sum + tools.needed.length, 0)
  const missing = results.reduce((sum, { tools }) => sum + tools.missing.length, 0)
  const seconds = results.map(result => result.seconds).sort((a, b) => a - b)
  return {
    ...{ suite, part, cases: results.length, right, accuracy },
    unsure: {
      cases: unsure.length,
      share: unsure.length / results.length,
      right: unsure.filter(result => result.right).length,
    },
    tools: needed ? { needed, called: needed - missing } : null,
    limits: counted(results.flatMap(({ limits }) => [...new Set(limits)])),
    seconds: { p50: rank(seconds, 0.5), p95: rank(seconds, 0.95) },
    tokens: {
      in: results.reduce((sum, { tokensIn }) => sum + tokensIn, 0),
      out: results.reduce((sum, { tokensOut }) => sum + tokensOut, 0),
    },
  }
}

/** One for each source that there are confidences of, over decisions that were taken. */
export function calibrationsOf(results: readonly CaseResult[]): SourceCalibration[] {
  const decided = results.filter(({ unsure }) => unsure === null)
  const sources: SourceCalibration['source'][] = ['measured', 'likelihood', 'agreement', 'evidence']
  const found = [...sources, 'self_reported' as const].map(source => {
    const pairs = decided.flatMap(result => {
      const confidence =
        source === 'self_reported' ? result.selfReported : result.source === source ? result.confidence : null
      return confidence === null ? [] : [{ confidence, right: result.right }]
    })
    const calibration = calibrationOf(pairs)
    return calibration && { source, ...calibration }
  })
  return found.filter(each => each !== null)
}

/** The value that so large a share of them does not go beyond; of none 0. */
export function rank(rising: readonly number[], share: number): number {
  return rising[Math.max(0, Math.ceil(share * rising.length) - 1)] ?? 0
}

function counted(texts: readonly string[]): { [text: string]: number } {
  const counts: { [text: string]: number } = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}
