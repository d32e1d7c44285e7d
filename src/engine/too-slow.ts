import { type NodePath, type Step, type Workflow, walk } from '../contract/index.ts'

/** How quick this box was measured to be; null for what was not measured. */
export interface BoxSpeed {
  /** When, ms since 1970. */
  at: number
  /** What an AI step may take where it does not say. */
  seconds: number
  /** Finding things in a picture. */
  detectSeconds: number | null
  /** Reading the text in a picture. */
  readSeconds: number | null
  /** A turn of the language model that the site asks. */
  turnSeconds: number | null
}

/** An investigation that asks one tool and decides. */
const LEAST_TURNS = 2

interface AiStep {
  mode?: string
  input?: string | { frames?: { count: number } }
  fields?: { [name: string]: unknown }
  rules?: unknown
  limits?: { seconds?: number }
}

/** AI steps of a file that cannot end in their time on this box: where, and a sentence for people. */
export function tooSlow(workflow: Workflow, speed: BoxSpeed): { path: NodePath; sentence: string }[] {
  const found: { path: NodePath; sentence: string }[] = []
  walk(workflow, ({ step, path }) => {
    if (step.kind !== 'ai') return
    const { limits } = step.params as AiStep
    const most = mostSeconds(step, speed)
    const least = leastSeconds(step, speed)
    if (least <= most) return
    const at = limits?.seconds === undefined ? path : `${path}.ai.limits.seconds`
    found.push({ path: at, sentence: sentenceOf(step, least, most, speed) })
  })
  return found
}

function sentenceOf({ params }: Step, least: number, most: number, speed: BoxSpeed): string {
  const { mode, input } = params as AiStep
  const fewer = mode === 'look' && countOf(input) > 1 ? 'look at fewer frames' : 'choose a smaller model'
  // An investigation never gets more than the box gives.
  const more = mode === 'look' || most < speed.seconds ? 'give it more under limits.seconds, or ' : ''
  return (
    `It takes ${Math.ceil(least)} s or more on this box (measured ${new Date(speed.at).toISOString().slice(0, 10)}) ` +
    `and may take ${most} s: it would end as unsure; ${more}${fewer}.`
  )
}

function mostSeconds({ params }: Step, speed: BoxSpeed): number {
  const { mode, limits } = params as AiStep
  const seconds = limits?.seconds ?? speed.seconds
  return mode === 'investigate' ? Math.min(seconds, speed.seconds) : seconds
}

/** What it takes at the very least, by what was measured: nothing else is counted. */
function leastSeconds({ params }: Step, speed: BoxSpeed): number {
  const { mode, input, fields = {}, rules } = params as AiStep
  if (mode === 'investigate') return LEAST_TURNS * (speed.turnSeconds ?? 0)
  const measures = Object.values(fields).map(measureOf)
  const detects = measures.some(each => each === 'count' || each === 'present')
  const reads = measures.some(each => each === 'text' || each === 'plate')
  const picture = (detects ? (speed.detectSeconds ?? 0) : 0) + (reads ? (speed.readSeconds ?? 0) : 0)
  // Where a field is asked, or no rule decides, the language model has to answer.
  const asks = rules === undefined || measures.includes(null)
  return countOf(input) * picture + (asks ? (speed.turnSeconds ?? 0) : 0)
}

function countOf(input: AiStep['input']): number {
  if (typeof input === 'object') return input.frames?.count ?? 0
  return input === 'picture' || input === 'frames' ? 1 : 0
}

/** Null: it is asked. */
function measureOf(field: unknown): string | null {
  const measured = typeof field === 'object' && field !== null && 'measure' in field
  return measured && typeof field.measure === 'string' ? field.measure : null
}
