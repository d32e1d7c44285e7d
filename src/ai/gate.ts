import { fewestRight, wilson } from '../core/index.ts'

/** What has to be passed before it is offered. */
export type Gated = 'investigate' | 'draft'

/** The least lower bound of the share that is right, with 95 %. */
export const GATE_LOW = 0.8

/** What came of all the cases of a suite. */
export interface Score {
  right: number
  cases: number
}

export function passes({ right, cases }: Score): boolean {
  return (wilson(right, cases)?.low ?? 0) >= GATE_LOW
}

/** What it takes, in figures that one can count to: `16 of 16 right`, `37 of 40`. */
export function gateNeeds(cases: number): string {
  const few = fewestRight(cases, GATE_LOW)
  return few === null ? `more than ${cases} cases` : `${few} of ${cases} right`
}

/** What came of it, and what it would take, in one line. */
export function gateWords(score: Score): string {
  const low = wilson(score.right, score.cases)?.low ?? 0
  const bound = `${Math.floor(low * 100)} % with 95 % certainty`
  const result = `${score.right} of ${score.cases} right: at least ${bound}`
  return passes(score) ? `passed (${result})` : `not passed (${result}; it takes ${gateNeeds(score.cases)})`
}
