import type { LanguageModel } from '../language.ts'
import type { InvestigateLimits } from './types.ts'

/** By where the model computes. */
const LIMITS = {
  cpu: { toolCalls: 4, ms: 120_000 },
  gpu: { toolCalls: 6, ms: 45_000 },
  server: { toolCalls: 6, ms: 120_000 },
} as const
/** Calls of the model besides one for each tool: the decision, and mistakes. */
const SPARE_CALLS = 4
const TOKENS = 60_000

/**
 * What one investigation with a model may take; `wanted` may ask for less, not for more. No more tool calls than fit
 * its time by what a turn was measured to take (`turnSeconds`; null: not measured), with one turn for the decision.
 */
export function limitsWith(
  { backend }: Pick<LanguageModel, 'backend'>,
  wanted: { toolCalls?: number | undefined; ms?: number | undefined },
  turnSeconds: number | null,
): InvestigateLimits {
  const box = LIMITS[backend]
  const ms = Math.min(box.ms, wanted.ms ?? box.ms)
  const fitting = turnSeconds === null ? box.toolCalls : Math.floor(ms / 1000 / turnSeconds) - 1
  const toolCalls = Math.min(box.toolCalls, wanted.toolCalls ?? box.toolCalls, Math.max(1, fitting))
  return { toolCalls, ms, modelCalls: toolCalls + SPARE_CALLS, tokens: TOKENS }
}
