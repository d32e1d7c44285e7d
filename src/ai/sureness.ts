import type { ConfidenceSource } from './types.ts'

/** How sure something is. */
export interface Sureness {
  /** 0 to 1; null: nothing that takes part was measured. */
  confidence: number | null
  /** Where the confidence comes from: of several parts, that of the least sure one. */
  source: ConfidenceSource | null
  /** A part of it is what a model said, and nothing measured how sure that is. */
  unmeasured: boolean
}

/** Nothing was measured, and nothing had to be: what a trigger brought, or what no field takes part in. */
export const GIVEN: Sureness = { confidence: null, source: null, unmeasured: false }
/** A model said so. */
export const SAID: Sureness = { confidence: null, source: null, unmeasured: true }

/** Without a floor: no more than a coin's worth. */
const COIN = 0.5

/** Of things that must all be right: that of the least sure. */
export function least(parts: readonly Sureness[]): Sureness {
  return parts.reduce((a, b) => ({ ...lower(a, b), unmeasured: a.unmeasured || b.unmeasured }), GIVEN)
}

/** Of things of which one right one is enough: that of the surest. */
export function surest(parts: readonly Sureness[]): Sureness {
  const known = parts.filter(({ confidence }) => confidence !== null)
  if (!known.length) return parts.some(({ unmeasured }) => unmeasured) ? SAID : GIVEN
  return known.reduce((a, b) => ((b.confidence ?? 0) > (a.confidence ?? 0) ? b : a))
}

/** Of what rests on evidence that failed: under the floor, whatever else was measured. */
export function capped({ confidence }: Sureness, floor: number | null): Sureness {
  const most = floor === null ? COIN : Math.max(0, floor - 0.01)
  return { confidence: Math.min(confidence ?? 1, most), source: 'evidence', unmeasured: false }
}

/** As a decision records it: what is only in part measured is not measured. */
export function shownOf({ confidence, source, unmeasured }: Sureness): {
  confidence: number | null
  confidenceSource: ConfidenceSource | null
} {
  return unmeasured || confidence === null
    ? { confidence: null, confidenceSource: null }
    : { confidence, confidenceSource: source }
}

/** Whether what is known of it is less than the floor asks, the rest of it be as sure as it may. */
export function isBelow({ confidence }: Sureness, floor: number | null): boolean {
  return floor !== null && confidence !== null && confidence < floor
}

function lower(a: Sureness, b: Sureness): Sureness {
  if (a.confidence === null) return b
  return b.confidence !== null && b.confidence < a.confidence ? b : a
}
