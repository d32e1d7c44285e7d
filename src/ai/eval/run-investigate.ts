import { toolKind } from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'
import {
  type InvestigateLimits,
  type InvestigatePorts,
  resume,
  runInvestigate,
} from '../investigate/index.ts'
import type { LanguageModel } from '../language.ts'
import { narrowed } from '../tool-names.ts'
import { type Question, Tool, type ToolAnswer, ToolBox } from '../tools.ts'
import type { AskedSpec, Decision } from '../types.ts'
import type { InvestigateCase } from './case-schema.ts'
import { answerTo, clockOf, entryFor, replayed } from './recorded.ts'
import { type CaseResult, judged, type LeftOut } from './result.ts'
import { fieldOf, jsonOf, rulesOf } from './run-look.ts'

/** More than any investigation asks people. */
const MOST_QUESTIONS = 8

/** What investigations are run with. */
export interface InvestigateRunPorts {
  /** Who is judged; null: nothing is run. */
  language: LanguageModel | null
  /** Those of this box. */
  limits: InvestigateLimits
  now(): number
  /** As of a `Clock`. */
  after(ms: number, callback: () => void): () => void
  signal?: AbortSignal
}

/** Runs one case: the tools say what was recorded, the model is asked for real. Never rejects. */
export async function runInvestigateCase(
  one: InvestigateCase,
  ports: InvestigateRunPorts,
): Promise<CaseResult | LeftOut> {
  const { language, limits, now, after, signal } = ports
  if (!language) return { id: one.id, suite: 'investigate', why: 'it needs a language model' }
  const at: InvestigatePorts = {
    tools: new ToolBox(one.tools.map(name => recordedTool(name, one))),
    now,
    after,
    takeCall: () => true,
    ...(signal && { signal }),
  }
  const { goal, instructions = null, decision: options, sure = null, rules, values, event, memory = [] } = one
  const spec = {
    goal,
    instructions,
    options,
    fields: askedOf(one),
    floor: sure,
    rules: rulesOf(rules),
    limits,
  }
  const facts = one.site.facts ?? ''
  const input = { facts, ...clockOf(event), values: jsonOf(values), event: jsonOf(event), memory }
  let came = await runInvestigate(language, spec, input, at)
  for (let asked = 0; 'suspended' in came && asked < MOST_QUESTIONS; asked++) {
    const { suspended, state } = came
    came = await resume(language, state, { answer: answerIn(one, suspended) }, at)
  }
  if ('suspended' in came) return { id: one.id, suite: 'investigate', why: 'it never stopped asking people' }
  return judged(one, came, calledIn(came))
}

/** A tool as its descriptor says it, that answers what was recorded. */
function recordedTool(name: string, { results, site }: InvestigateCase): Tool {
  const descriptor = toolKind(name)
  if (!descriptor) throw new TypeError(`there is no tool ${name}`)
  const { kind, description, notFor, params, effect } = descriptor
  const names: Readonly<Record<string, readonly string[]>> = {
    camera: site.cameras ?? [],
    list: site.lists ?? [],
    role: site.roles ?? [],
  }
  return new Tool({
    name: kind,
    description: `${description} ${notFor}`,
    parameters: narrowed(params, what => names[what] ?? []),
    mode: 'auto',
    effect,
    handler: args => answerOf(name, args as { [name: string]: JsonValue }, results, site),
  })
}

function answerOf(
  name: string,
  args: { [name: string]: JsonValue },
  results: InvestigateCase['results'],
  site: InvestigateCase['site'],
): ToolAnswer {
  const { question, replies, role } = args
  if (typeof question === 'string' && Array.isArray(replies))
    return {
      ask: { message: question, replies: replies.map(String), role: typeof role === 'string' ? role : null },
    }
  return { result: replayed(results[name] ?? [], args, site.lists ?? []) }
}

function answerIn({ results }: InvestigateCase, { message, replies }: Question): string | null {
  const entry = entryFor(results.ask_person ?? [], { question: message })
  return entry && 'answer' in entry ? answerTo(replies, entry.answer) : null
}

function askedOf({ fields = {} }: InvestigateCase): { [name: string]: AskedSpec } {
  const asked = Object.entries(fields).flatMap(([name, field]): [string, AskedSpec][] => {
    const spec = fieldOf(field)
    return 'ask' in spec ? [[name, spec]] : []
  })
  return Object.fromEntries(asked)
}

/** Tools that were really used, whatever the model says of it; each once. A question counts once it was asked. */
function calledIn({ trace }: Decision): string[] {
  const used = trace.filter(
    ({ kind, name, status }) => kind === 'tool' && status !== 'refused' && toolKind(name) !== undefined,
  )
  return [...new Set(used.map(({ name }) => name))]
}
