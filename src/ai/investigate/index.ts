import { type JsonValue, messageOf } from '../../core/index.ts'
import type { LanguageModel } from '../language.ts'
import { oneLine } from '../reason.ts'
import type { Decision, UnsureReason } from '../types.ts'
import { Investigation } from './investigation.ts'
import { readState } from './state.ts'
import type {
  Answer,
  InvestigateInput,
  InvestigatePorts,
  InvestigateSpec,
  State,
  Suspended,
} from './types.ts'

export { limitsWith } from './limits.ts'
export type {
  Answer,
  InvestigateInput,
  InvestigateLimits,
  InvestigatePorts,
  InvestigateSpec,
  Suspended,
} from './types.ts'

/**
 * Investigates toward a goal with tools, then decides. Never throws: whatever goes wrong is the decision `unsure` with
 * its reason. `Suspended`: a person is asked; `resume` goes on.
 */
export async function runInvestigate(
  model: LanguageModel,
  spec: InvestigateSpec,
  input: InvestigateInput,
  ports: InvestigatePorts,
): Promise<Decision | Suspended> {
  const state: State = {
    ...{
      v: 1,
      spec,
      input,
      turns: [],
      lastTokens: 0,
      malformed: 0,
      repeats: 0,
      failed: [],
      lostPicture: false,
    },
    used: { toolCalls: 0, modelCalls: 0, tokens: 0, ms: 0, questions: 0 },
    pending: null,
    seen: [],
    trace: [],
  }
  return never(new Investigation(model, state, ports), it => it.run())
}

/**
 * Goes on from where a person was asked, in whatever process, with the time that was left. A state that this version
 * does not understand is `unsure`. Never throws.
 */
export async function resume(
  model: LanguageModel,
  stored: JsonValue,
  answer: Answer,
  ports: InvestigatePorts,
): Promise<Decision | Suspended> {
  const state = readState(stored)
  if (!state) {
    const why =
      'what was kept of this investigation is not understood by this version: it was not gone on with'
    return undecided('invalid_output', why)
  }
  return never(new Investigation(model, state, ports), it => it.resume(answer))
}

async function never(
  it: Investigation,
  work: (it: Investigation) => Promise<Decision | Suspended>,
): Promise<Decision | Suspended> {
  try {
    return await work(it)
  } catch (error) {
    return it.unsure('invalid_output', `the investigation could not be finished: ${messageOf(error)}`)
  }
}

/** The decision of a step that did not come to work. */
export function undecided(unsureReason: UnsureReason, reason: string): Decision {
  return {
    decision: 'unsure',
    fields: {},
    reason: oneLine(reason),
    confidence: null,
    confidenceSource: null,
    selfReported: null,
    unsureReason,
    rule: null,
    evidence: { pictures: [] },
    trace: [],
    usage: { modelCalls: 0, ms: 0, tokensIn: 0, tokensOut: 0 },
    model: null,
  }
}
