import { Type } from '@sinclair/typebox'
import {
  type Decision,
  defineTool,
  type InvestigateInput,
  type InvestigatePorts,
  type InvestigateSpec,
  type LanguageModel,
  runInvestigate,
  type Suspended,
  type Tool,
  ToolBox,
  type ToolDefinition,
  type TraceEntry,
} from '../../../src/ai/index.ts'
import { type JsonValue, ManualClock } from '../../../src/core/index.ts'

export const call = (tool: string, args: JsonValue = {}) => ({ tool, args })
export const FINISH = call('finish')
export const decided = (decision: string, patch: { [key: string]: JsonValue } = {}) => ({
  reason: 'a van of the baker',
  self_reported: 0.9,
  decision,
  ...patch,
})

export const tool = (patch: Partial<ToolDefinition> = {}): Tool =>
  defineTool({
    name: 'describe_camera',
    description: 'Says what a camera shows now.',
    parameters: Type.Object(
      { camera: Type.Optional(Type.Union([Type.Literal('gate'), Type.Literal('yard')])) },
      { additionalProperties: false },
    ),
    mode: 'auto',
    effect: 'read',
    handler: () => ({ result: { things: ['van'] } }),
    ...patch,
  })

export const askPerson = (patch: Partial<ToolDefinition> = {}): Tool =>
  defineTool({
    name: 'ask_person',
    description: 'Asks.',
    parameters: Type.Object({ question: Type.String({ maxLength: 100 }) }, { additionalProperties: false }),
    mode: 'auto',
    effect: 'ask_person',
    handler: ({ question }) => ({
      ask: { message: String(question), replies: ['Yes', 'No'], role: 'guard' },
    }),
    ...patch,
  })

export const spec = (patch: Partial<InvestigateSpec> = {}): InvestigateSpec => ({
  goal: 'Find out who {plate} is.',
  instructions: null,
  options: ['known', 'stranger'],
  fields: {},
  floor: null,
  rules: null,
  limits: { toolCalls: 4, ms: 120_000, modelCalls: 8, tokens: 40_000 },
  ...patch,
})

export const input = (patch: Partial<InvestigateInput> = {}): InvestigateInput => ({
  facts: 'The baker comes at six.',
  values: { plate: 'B-AB 123' },
  event: { schema: 'plate.recognized.v1' },
  memory: [],
  ...patch,
})

/** What an investigation works with, over a clock that is turned by hand. */
export class World {
  readonly clock = new ManualClock()
  readonly traced: TraceEntry[] = []
  readonly abort = new AbortController()
  /** Calls of the model that are left in this hour. */
  left = 100

  ports(tools: readonly Tool[]): InvestigatePorts {
    return {
      tools: new ToolBox(tools),
      now: () => this.clock.now(),
      after: (ms, callback) => this.clock.after(ms, callback),
      signal: this.abort.signal,
      takeCall: () => this.left-- > 0,
      onTrace: entry => void this.traced.push(entry),
    }
  }

  run(model: LanguageModel, tools: readonly Tool[], patch: Partial<InvestigateSpec> = {}, data = {}) {
    return runInvestigate(model, spec(patch), input(data), this.ports(tools))
  }

  /** To its decision. */
  async decide(...args: Parameters<World['run']>): Promise<Decision> {
    return decisionOf(await this.run(...args))
  }

  /** The trace in short: `tool ok`. */
  get told(): string[] {
    return this.traced.map(({ name, status, result }) => {
      const code =
        (result as { code?: string; limit?: string } | null)?.limit ?? (result as { code?: string })?.code
      return [name, status, code].filter(Boolean).join(' ')
    })
  }
}

export function decisionOf(came: Decision | Suspended): Decision {
  if ('suspended' in came) throw new Error(`it asks “${came.suspended.message}”`)
  return came
}

export function suspendedOf(came: Decision | Suspended): Suspended {
  if (!('suspended' in came)) throw new Error(`it decided ${came.decision}: ${came.reason}`)
  return came
}
