import { type Decision, undecided } from '../../ai/index.ts'
import type { JsonValue } from '../../core/index.ts'
import type { Ended } from '../run.ts'

/**
 * How an AI step ends by a decision. One that is none of the step's own is no decision. `evidence`: the pictures that
 * were judged, as the step's row keeps them.
 */
export function decidedEnd(
  decision: Decision,
  options: readonly string[],
  evidence: (decision: Decision) => JsonValue,
): { ended: Ended; decision: Decision } {
  const known = options.includes(decision.decision) || decision.decision === 'unsure'
  const judged = known
    ? decision
    : undecided('invalid_output', `“${decision.decision}” is none of the decisions`)
  const ended: Ended = {
    status: 'done',
    outcome: judged.decision,
    result: null,
    ai: {
      fields: judged.fields,
      reason: judged.reason,
      confidence: judged.confidence,
      confidence_source: judged.confidenceSource,
      self_reported: judged.selfReported,
      unsure_reason: judged.unsureReason,
      rule: judged.rule,
      model: judged.model,
      usage: usageView(judged.usage),
      evidence: evidence(judged),
    },
  }
  return { ended, decision: judged }
}

function usageView({ modelCalls, toolCalls, ms, tokensIn, tokensOut }: Decision['usage']): JsonValue {
  const tools = toolCalls === undefined ? {} : { tool_calls: toolCalls }
  return { model_calls: modelCalls, ...tools, ms, tokens_in: tokensIn, tokens_out: tokensOut }
}
