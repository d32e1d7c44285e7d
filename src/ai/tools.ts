import { Kind, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import type { JsonValue, Picture } from '../core/index.ts'
import type { Seen } from '../vision/index.ts'

/** How a tool may be used: by itself, after a person agreed, or not at all. */
export type ToolMode = 'auto' | 'ask' | 'unavailable'

/** What a tool does outside of the box. It reads or asks; it never moves: there is no third value. */
export type ToolEffect = 'read' | 'ask_person'

/** A picture that a tool took or found. */
export interface ToolPicture {
  /** By which it is found again after a restart; null: by nothing. */
  ref: number | null
  picture: Picture
  /** What detector and reader made of it. */
  seen: Seen | null
}

/** A question to people. */
export interface Question {
  message: string
  /** What can be answered; two at least. */
  replies: readonly string[]
  /** Who is asked, by role; null: whoever may answer. */
  role: string | null
}

/**
 * What a call of a tool came to: data for the model, with pictures for one that sees; or a question to people, from
 * tools whose effect is `ask_person` and from no others.
 */
export type ToolAnswer = { result: JsonValue; pictures?: readonly ToolPicture[] } | { ask: Question }

export interface ToolDefinition<P extends TObject = TObject> {
  name: string
  /** One line for a model: what it is good for, and when it is the wrong one. */
  description: string
  /** Texts, whole numbers, yes/no, choices and lists of texts; nothing nested. */
  parameters: P
  /** How the site lets it be used. */
  mode: ToolMode
  /** Why it is unavailable, in one line. */
  why?: string
  effect: ToolEffect
  /** Arguments fit `parameters`. Whatever it throws, and a text that begins with `error`, is a failed result. */
  handler(args: Static<P>, ctx: { signal: AbortSignal }): ToolAnswer | Promise<ToolAnswer>
}

const EFFECTS: ReadonlySet<unknown> = new Set<ToolEffect>(['read', 'ask_person'])
const MODES: readonly ToolMode[] = ['auto', 'ask', 'unavailable']
const NAME = /^[a-z][a-z0-9_]{0,39}$/
/** By which a model says that it has done with tools. */
export const FINISH = 'finish'
const MOST_TOOLS = 5

/**
 * A tool of an investigation. One that moves something cannot be made: its effect does not fit the type, and the
 * constructor throws a `TypeError` whatever the compiler was told.
 */
export class Tool {
  readonly name: string
  readonly description: string
  readonly parameters: TObject
  readonly mode: ToolMode
  readonly why: string | null
  readonly effect: ToolEffect
  /** No object that only looks like a tool has it. */
  readonly #handler: ToolDefinition['handler']

  constructor(it: ToolDefinition) {
    const { name, description, parameters, mode, why = null, effect, handler } = it
    if (!EFFECTS.has(effect)) {
      throw new TypeError(`Tool ${name}: effect ${String(effect)} is none of a tool: tools read or ask.`)
    }
    if (!NAME.test(name) || name === FINISH) throw new TypeError(`A tool may not be called ${name}.`)
    if (!MODES.includes(mode)) throw new TypeError(`Tool ${name}: there is no mode ${String(mode)}.`)
    checkParameters(name, parameters)
    this.name = name
    this.description = description
    this.parameters = parameters
    this.mode = mode
    this.why = why
    this.effect = effect
    this.#handler = handler
    Object.freeze(this)
  }

  /** Whether it was made by this constructor. */
  static is(it: unknown): it is Tool {
    return typeof it === 'object' && it !== null && #handler in it
  }

  /** Arguments have been checked against `parameters`. */
  async call(args: Static<TObject>, ctx: { signal: AbortSignal }): Promise<ToolAnswer> {
    return this.#handler(args, ctx)
  }
}

/** `tool` with the types of its own parameters. */
export const defineTool = <P extends TObject>(it: ToolDefinition<P>): Tool =>
  new Tool(it as unknown as ToolDefinition)

/** The stricter of what the site and the step allow. */
export function effectiveMode(site: ToolMode, step: ToolMode): ToolMode {
  return MODES[Math.max(MODES.indexOf(site), MODES.indexOf(step))] ?? 'unavailable'
}

/** The tools of one step. Throws `TypeError` on more than five, on a name twice and on what is no `Tool`. */
export class ToolBox {
  readonly #tools: ReadonlyMap<string, Tool>

  constructor(tools: readonly Tool[]) {
    if (tools.length > MOST_TOOLS) throw new TypeError(`A step has at most ${MOST_TOOLS} tools.`)
    for (const tool of tools)
      if (!Tool.is(tool)) throw new TypeError('That is no tool: make it with defineTool.')
    this.#tools = new Map(tools.map(tool => [tool.name, tool]))
    if (this.#tools.size < tools.length) throw new TypeError('A tool is there twice.')
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  /** Those that may be used, in order. */
  get offered(): Tool[] {
    return [...this.#tools.values()].filter(({ mode }) => mode !== 'unavailable')
  }
}

/** Throws `TypeError` on parameters that no grammar is written for. */
function checkParameters(name: string, parameters: TObject): void {
  if (parameters[Kind] !== 'Object') throw new TypeError(`Tool ${name}: its parameters are no object.`)
  for (const [key, schema] of Object.entries(parameters.properties)) {
    if (!/^[a-z][a-z0-9_]{0,39}$/.test(key)) throw new TypeError(`Tool ${name}: bad argument ${key}.`)
    if (!isPlain(schema)) throw new TypeError(`Tool ${name}: argument ${key} is of no plain sort.`)
  }
}

function isPlain(schema: TSchema): boolean {
  switch (schema[Kind]) {
    case 'String':
    case 'Integer':
    case 'Boolean':
      return true
    case 'Array':
      return schema.items?.[Kind] === 'String'
    case 'Literal':
    case 'Union':
      return choicesOf(schema) !== null
    default:
      return false
  }
}

/** The texts that a choice is between; null: it is none. */
export function choicesOf(schema: TSchema): readonly string[] | null {
  if (schema[Kind] !== 'Union' && schema[Kind] !== 'Literal') return null
  const all = ((schema.anyOf ?? [schema]) as TSchema[]).map(each => each.const as unknown)
  return all.every(each => typeof each === 'string') ? all : null
}
