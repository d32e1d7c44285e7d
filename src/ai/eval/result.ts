import { foldText } from '../../contract/index.ts'
import type { ConfidenceSource, Decision, FieldValue, UnsureReason } from '../types.ts'
import type { EvalCase, Split, Suite } from './case-schema.ts'

/** What came of one case. */
export interface CaseResult {
  id: string
  suite: Suite
  split: Split
  place: string
  trap: string | null
  right: boolean
  expected: string
  got: string
  /** What was wrong, each in one line; empty where it is right. */
  wrong: string[]
  /** Why it was unsure; null: it was not. */
  unsure: string | null
  tools: { needed: string[]; missing: string[]; called: string[] }
  /** Limits that were hit. */
  limits: string[]
  confidence: number | null
  source: ConfidenceSource | null
  selfReported: number | null
  modelCalls: number
  seconds: number
  tokensIn: number
  tokensOut: number
}

/** A case that was not run, or of which nobody can say how it would have come out. */
export interface LeftOut {
  id: string
  suite: Suite
  why: string
  /** Who was to be judged was not there. */
  absent?: boolean
}

/** Ways to be unsure in which nobody judged: no case that cannot be known is right by them. */
const FAILED: ReadonlySet<UnsureReason | null> = new Set([
  ...(['llm_down', 'over_budget', 'invalid_output', 'vision_down'] as const),
])

/** Right, and by what was looked up: without the tools that a case needs nobody could know, and right is a guess. */
export const isEarned = ({ right, tools }: Pick<CaseResult, 'right' | 'tools'>) =>
  right && !tools.missing.length

export const isLeftOut = (came: CaseResult | LeftOut): came is LeftOut => 'why' in came

/** Holds a decision against what the case expects. */
export function judged(
  one: Extract<EvalCase, { suite: 'look' | 'investigate' }>,
  decision: Decision,
  called: readonly string[],
): CaseResult {
  const { id, suite, split, place, trap = null, expect } = one
  const wanted = [expect.decision].flat()
  const wrong: string[] = []
  if (!wanted.includes(decision.decision))
    wrong.push(`${decision.decision} instead of ${wanted.join(' or ')}`)
  const because = 'because' in expect ? expect.because : undefined
  if (because !== undefined && decision.unsureReason !== because)
    wrong.push(`${decision.unsureReason ?? 'not unsure'} instead of ${because}`)
  else if (because === undefined && !wrong.length && FAILED.has(decision.unsureReason))
    wrong.push(`unsure because it failed: ${decision.unsureReason}`)
  for (const [name, value] of Object.entries(expect.fields ?? {})) {
    const is = decision.fields[name] ?? null
    if (![value].flat().some(each => sameValue(is, each)))
      wrong.push(`${name}: ${shown(is)} instead of ${[value].flat().map(shown).join(' or ')}`)
  }
  const needed = ('tools' in expect ? expect.tools : undefined) ?? []
  return {
    ...{ id, suite, split, place, trap, right: wrong.length === 0 },
    ...{ expected: wanted.join(' or '), got: decision.decision, wrong },
    unsure: decision.unsureReason,
    tools: { needed, missing: needed.filter(name => !called.includes(name)), called: [...called] },
    limits: limitsOf(decision),
    confidence: decision.confidence,
    source: decision.confidenceSource,
    selfReported: decision.selfReported,
    modelCalls: decision.usage.modelCalls,
    seconds: decision.usage.ms / 1000,
    tokensIn: decision.usage.tokensIn,
    tokensOut: decision.usage.tokensOut,
  }
}

/** As the trace says it. */
function limitsOf({ trace }: Decision): string[] {
  return trace.flatMap(({ kind, name, result }) => {
    if (kind !== 'tool' || name !== 'limit' || result === null || typeof result !== 'object') return []
    return 'limit' in result ? [String(result.limit)] : []
  })
}

function sameValue(is: FieldValue, wanted: FieldValue): boolean {
  if (typeof is === 'string' && typeof wanted === 'string') return foldText(is) === foldText(wanted)
  if (typeof is === 'boolean' && typeof wanted === 'string') return wanted === (is ? 'yes' : 'no')
  return is === wanted
}

const shown = (value: FieldValue) => (value === null ? 'nothing' : String(value))
