import type { Sureness } from '../sureness.ts'
import { SAID } from '../sureness.ts'
import type { FieldValue } from '../types.ts'
import type { Question } from './question.ts'
import type { Answer } from './read.ts'

/** One answer of several to the same question; null: it had another form. */
export type Draw = Answer | null

/**
 * What most of the draws say, and which share of them says it. A decision is taken with the fields and the reason of
 * the first draw that came to it; where rules decide, each field is what most draws say. One draw alone agrees with
 * nobody.
 */
export function agreed(
  draws: readonly Draw[],
  first: Answer,
  { options, fields }: Question,
): { answer: Answer; decision: Sureness; fields: { [name: string]: Sureness } } {
  const names = Object.keys(fields)
  const sureness = (share: number): Sureness =>
    draws.length < 2 ? SAID : { confidence: share, source: 'agreement', unmeasured: false }
  const votes = new Map(names.map(name => [name, vote(draws, answer => answer.fields[name] ?? null)]))
  const decision = vote(draws, answer => answer.decision)
  const teller = draws.find(draw => options && draw?.decision === decision.value) ?? first
  const chosen = options
    ? teller.fields
    : Object.fromEntries(names.map((name): [string, FieldValue] => [name, votes.get(name)?.value ?? null]))
  const shareOf = (name: string) =>
    options
      ? draws.filter(draw => draw && same(draw.fields[name] ?? null, chosen[name] ?? null)).length /
        draws.length
      : (votes.get(name)?.share ?? 0)
  return {
    answer: { ...teller, fields: chosen },
    decision: options ? sureness(decision.share) : SAID,
    fields: Object.fromEntries(names.map(name => [name, sureness(shareOf(name))])),
  }
}

/** The value that most draws have, of equals the first, and their share of all. */
function vote<T extends FieldValue>(
  draws: readonly Draw[],
  of: (answer: Answer) => T,
): { value: T | null; share: number } {
  let best: { value: T | null; share: number } = { value: null, share: 0 }
  for (const draw of draws) {
    if (!draw) continue
    const value = of(draw)
    const share = draws.filter(other => other && same(of(other), value)).length / draws.length
    if (share > best.share) best = { value, share }
  }
  return best
}

function same(a: FieldValue, b: FieldValue): boolean {
  const plain = (value: FieldValue) => (typeof value === 'string' ? value.trim().toLowerCase() : value)
  return plain(a) === plain(b)
}
