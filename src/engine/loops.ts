import type { Step } from '../contract/index.ts'
import { cut, type JsonValue } from '../core/index.ts'
import type { Values } from '../kinds/index.ts'
import type { JsonObject, StepStatus } from '../store/index.ts'
import type { Frame } from './plan.ts'
import type { Node } from './program.ts'

/** What a loop's row keeps of its work, from before its first round. */
export interface LoopInputs {
  as: string
  items: string[]
  /** Items beyond `max`: counted, not visited. */
  skipped: number
  /** Under this name the loop gives what its rounds found. */
  collect?: string
}

/** A loop that a run is in. */
export interface Loop {
  node: Node
  inputs: LoopInputs
  /** Its row: its id is known once the commit that writes it has begun. */
  row: { id: number; seq: number; open: boolean }
  round: number
  /** The lines of `collect`. */
  said: string[]
  /** The value of the item's name outside of the loop. */
  before: JsonValue | undefined
}

/** How a loop ended, for its row. */
export interface LoopEnd {
  status: Extract<StepStatus, 'done' | 'failed'>
  outcome: null
  result: JsonObject
  ai: null
}

const LONGEST_LINE = 300
const LONGEST_TEXT = 8_000
const LONGEST_ITEM = 200

/** The loops that a run is in, the outermost first, and the values that they give to the steps inside. */
export class Loops {
  readonly #values: Values
  readonly #stack: Loop[] = []

  constructor(values: Values) {
    this.#values = values
  }

  get frames(): Frame[] {
    return this.#stack.map(({ node, inputs, round }) => ({ loop: node, rounds: inputs.items.length, round }))
  }

  /** The present item, behind those of the loops around it; null outside of loops. */
  get item(): string | null {
    return this.#stack.length ? this.#pathFrom(0) : null
  }

  enter(node: Node, inputs: LoopInputs, row: Loop['row']): void {
    this.#stack.push({ node, inputs, row, round: 0, said: [], before: this.#values[inputs.as] })
  }

  /** What an AI step of this round found, for the loops that collect. */
  heard(decision: string | null, ai: JsonObject): void {
    for (const [depth, { inputs, said }] of this.#stack.entries()) {
      if (inputs.collect !== undefined) said.push(lineOf(this.#pathFrom(depth), decision, ai))
    }
  }

  /**
   * Goes where the plan says; answers with the loops that are over, the innermost first, and whether another
   * round began.
   */
  follow(frames: readonly Frame[]): { left: Loop[]; again: Loop | null } {
    const left: Loop[] = []
    while (this.#stack.length > frames.length) {
      const loop = this.#stack.pop()
      if (!loop) break
      this.#give(loop, loop.before)
      left.push(loop)
    }
    let again: Loop | null = null
    for (const [depth, loop] of this.#stack.entries()) {
      const round = frames[depth]?.round ?? loop.round
      if (round !== loop.round) again = loop
      loop.round = round
      this.#give(loop, loop.inputs.items[round])
    }
    return { left, again }
  }

  #give({ node, inputs }: Loop, value: JsonValue | undefined): void {
    const names = node.step.name ? [inputs.as, `${node.step.name}.${inputs.as}`] : [inputs.as]
    for (const name of names) {
      if (value === undefined) delete this.#values[name]
      else this.#values[name] = value
    }
  }

  #pathFrom(depth: number): string {
    const items = this.#stack.slice(depth).map(({ inputs, round }) => inputs.items[round] ?? '')
    return cut(items.join(' / '), LONGEST_ITEM)
  }
}

/** How a loop comes out. `ended`: a step inside ended the whole path in the present round. */
export function endOf(
  { inputs, round, said }: Pick<Loop, 'inputs' | 'round' | 'said'>,
  ended: boolean,
): LoopEnd {
  const { items, skipped, collect } = inputs
  return {
    status: ended ? 'failed' : 'done',
    outcome: null,
    result: {
      done: ended ? round : items.length,
      skipped,
      ...(ended && { message: `It ended at ${items[round] ?? ''}.` }),
      ...(collect !== undefined && { [collect]: textOf(said) }),
    },
    ai: null,
  }
}

/** Whether a loop's row stands before the rows of its rounds; one over nothing, or without steps, has none. */
export function hasRounds(node: Node, stored: JsonValue): boolean {
  return node.step.kind === 'for_each' && Boolean(node.paths.get('do')) && inputsOf(stored).items.length > 0
}

/** The names of the steps that a loop repeats. */
export function namesInside({ step }: Node): string[] {
  const names = (steps: readonly Step[]): string[] =>
    steps.flatMap(({ name, paths }) => [...(name ? [name] : []), ...Object.values(paths).flatMap(names)])
  return Object.values(step.paths).flatMap(names)
}

/** The inputs of a loop's row; written by the executor alone. */
export function inputsOf(stored: JsonValue): LoopInputs {
  const { as = 'item', items = [], skipped = 0, collect } = (stored ?? {}) as Partial<LoopInputs>
  return { as, items, skipped, ...(collect !== undefined && { collect }) }
}

function lineOf(item: string, decision: string | null, { reason, fields }: JsonObject): string {
  const found = Object.entries((fields ?? {}) as JsonObject)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name} ${typeof value === 'boolean' ? (value ? 'yes' : 'no') : value}`)
  const parts = [decision, typeof reason === 'string' ? reason : null].filter(part => part)
  const line = `${item}: ${parts.join(', ')}${found.length ? ` (${found.join(', ')})` : ''}`
  return cut(line.replace(/\s+/gu, ' '), LONGEST_LINE)
}

/** One line each, as many as fit; how many did not is said. */
function textOf(lines: readonly string[]): string {
  let text = ''
  for (const [index, line] of lines.entries()) {
    if (text.length + line.length > LONGEST_TEXT) return `${text}\n… and ${lines.length - index} more`
    text += index ? `\n${line}` : line
  }
  return text
}
