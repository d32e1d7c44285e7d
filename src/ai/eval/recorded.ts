/** What was recorded, played again: tools that say what they said, eyes that see what they saw, a model that repeats itself. */
import { foldText, sameIdentity } from '../../contract/index.ts'
import { clockWords, type JsonValue } from '../../core/index.ts'
import type { Seen, Vision } from '../../vision/index.ts'
import { type ChatAnswer, LanguageError, type LanguageModel } from '../language.ts'
import type { InvestigateCase, LookCase } from './case-schema.ts'

type Entry = InvestigateCase['results'][string][number]
type Scene = NonNullable<LookCase['scenes']>[number]

/** The first entry that fits the arguments: each that it names is equal. `args` null: the first of all. */
export function entryFor(
  entries: readonly Entry[],
  args: { readonly [name: string]: JsonValue } | null,
): Entry | undefined {
  return entries.find(
    ({ when = {} }) =>
      args === null || Object.entries(when).every(([name, value]) => same(args[name] ?? null, value)),
  )
}

/**
 * What a tool answered to such a call when it was recorded; a name that is looked up is in none of the `lists` unless
 * that was recorded. Throws what it failed with, and where nothing fits.
 */
export function replayed(
  entries: readonly Entry[],
  args: { readonly [name: string]: JsonValue },
  lists: readonly string[],
): JsonValue {
  const entry = entryFor(entries, args)
  if (!entry && typeof args.value === 'string')
    return { value: args.value, in_lists: [], not_in_lists: [...lists], person_of_the_site: false }
  if (!entry || 'answer' in entry) throw new Error('nothing is known of that')
  if ('error' in entry) throw new Error(entry.error)
  return entry.result as JsonValue
}

function same(a: JsonValue, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string') return sameIdentity(a, b)
  return JSON.stringify(a) === JSON.stringify(b)
}

/** What the site's clock showed when the event of a case came; absent where the case does not say. */
export function clockOf(event: { readonly [name: string]: unknown } | undefined): { clock?: string } {
  const at = event?.at
  const [, local, offset] = typeof at === 'string' ? (RECORDED.exec(at) ?? []) : []
  return local === undefined ? {} : { clock: clockWords(Temporal.PlainDateTime.from(local), offset) }
}

const RECORDED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/

/** Pixels of a recorded scene: it has none of its own. */
const SIDE = 1000

/** Eyes that see recorded scenes, one for each picture in turn. */
export function recordedEyes(scenes: readonly Scene[]): Vision {
  let next = 0
  return {
    see: async () => seenOf(scenes[Math.min(next++, scenes.length - 1)] ?? { things: [] }),
    shrink: async picture => picture,
  }
}

function seenOf({ things, text = [] }: Scene): Seen {
  return {
    width: SIDE,
    height: SIDE,
    detections: things.map(({ label, score, box = [0.3, 0.3, 0.6, 0.9] }) => {
      const [left = 0, top = 0, right = 1, bottom = 1] = box.map(share => share * SIDE)
      return { label, score, box: [left, top, right, bottom] }
    }),
    below: {},
    lines: text.map((line, i) => {
      const [top, bottom] = [i * 40, i * 40 + 30]
      return { text: line, confidence: 0.95, quad: [0, top, 400, top, 400, bottom, 0, bottom] }
    }),
    cut: false,
    ms: { decode: 0, detect: 0, read: 0 },
    models: { detector: 'recorded', reader: 'recorded' },
  }
}

/** A text as it came, or an object as JSON. */
export type Said = string | { readonly [key: string]: unknown }

/** A model that repeats recorded answers in order; it has nothing to say beyond them. */
export class RecordedModel implements LanguageModel {
  readonly name = 'recorded answers'
  readonly sees = false
  readonly likelihoods = false
  readonly backend = 'cpu'
  readonly #answers: readonly Said[]
  #next = 0

  constructor(answers: readonly Said[]) {
    this.#answers = answers
  }

  async chat(): Promise<ChatAnswer> {
    const answer = this.#answers[this.#next++]
    if (answer === undefined) throw new LanguageError('down', 'nothing more was recorded')
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    return { text, tokensIn: 0, tokensOut: 0, ms: 0 }
  }
}

/** The reply that means what people answered; null: none does, or nobody answered. */
export function answerTo(replies: readonly string[], answer: string | null): string | null {
  if (answer === null) return null
  const wanted = foldText(answer)
  const words = (reply: string) => foldText(reply).split(/[^\p{L}\p{N}]+/u)
  return (
    replies.find(reply => foldText(reply) === wanted) ??
    replies.find(reply => words(reply).includes(wanted)) ??
    null
  )
}
