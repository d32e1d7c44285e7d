import {
  type InvestigateInput,
  type InvestigateLimits,
  type InvestigateSpec,
  type LanguageModel,
  limitsWith,
} from '../../ai/index.ts'
import type { Json } from '../../contract/index.ts'
import { type Records, type SitePort, siteClock } from '../../kinds/index.ts'
import type { Run } from '../run.ts'
import { plain } from './ai.ts'

/** Parameters of an `ai` step with `mode: investigate`, as the contract checked them. */
export interface InvestigateParams {
  goal: string
  instructions?: string
  tools: string[]
  memory?: 'run' | 'camera'
  fields?: { [name: string]: string[] | 'text' | 'long_text' | 'number' | 'yes_no' }
  decision: string[]
  rules?: { when?: { [field: string]: Json }; then: string }[]
  sure?: number
  limits?: { seconds?: number; tool_calls?: number }
}

/** Earlier decisions that are remembered. */
const MEMORIES = 5
const MINUTE_MS = 60_000
/** A call of a tool, the word that it has done, and the decision: with less nothing is found out. */
const FEWEST_CALLS = 3

/** What the AI library is asked, out of what the file says. `hour`: AI calls that an hour allows here. */
export function investigateSpec(
  params: InvestigateParams,
  model: LanguageModel,
  turnSeconds: number | null,
  hour: number,
): InvestigateSpec {
  const fields = Object.entries(params.fields ?? {}).map(([name, ask]) => [name, { ask }])
  return {
    goal: params.goal,
    instructions: params.instructions ?? null,
    options: params.decision,
    fields: Object.fromEntries(fields) as InvestigateSpec['fields'],
    floor: params.sure ?? null,
    rules: params.rules ?? null,
    limits: limitsOf(params, model, turnSeconds, hour),
  }
}

/**
 * A step may have less than the box gives, not more, and one investigation no more than half of the calls of an hour.
 * `turnSeconds`: what a turn takes here; null: not measured.
 */
function limitsOf(
  { limits = {} }: InvestigateParams,
  model: LanguageModel,
  turnSeconds: number | null,
  hour: number,
): InvestigateLimits {
  const { tool_calls: toolCalls, seconds } = limits
  const ms = seconds === undefined ? undefined : seconds * 1000
  const most = limitsWith(model, { toolCalls, ms }, turnSeconds)
  const share = Math.max(FEWEST_CALLS, Math.floor(hour / 2))
  return { ...most, modelCalls: Math.min(most.modelCalls, share) }
}

/** What it begins with: data, and nothing but data. */
export function investigateInput(
  params: InvestigateParams,
  run: Run,
  site: SitePort,
  records: Records,
  now: number,
): InvestigateInput {
  const { goal, instructions = '', memory } = params
  return {
    facts: site.facts,
    clock: siteClock(now, site),
    values: plain(run.values, `${goal}\n${instructions}`),
    event: run.facts.event,
    memory: memory === 'camera' ? memories(run, records) : [],
  }
}

/** The latest decisions about the camera of the run before it, one line each. */
function memories({ facts: { cameraId, startedAt } }: Run, records: Records): string[] {
  if (cameraId === null) return []
  const filter = { cameraId, since: 0, until: startedAt - 1, limit: MEMORIES, word: null }
  return records.decisions(filter).map(({ at, decision, reason, right }) => {
    const said = right === null ? '' : right ? ' (people said: right)' : ' (people said: wrong)'
    return `${Math.round((startedAt - at) / MINUTE_MS)} min before: ${decision}${said}: ${reason}`
  })
}
