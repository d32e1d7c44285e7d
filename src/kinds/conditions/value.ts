import { type Json, matches, sameIdentity } from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'
import type { ConditionFunction } from '../types.ts'

type Scalar = string | number | boolean

interface Params {
  of: string
  is?: Scalar
  in?: Scalar[]
  is_not?: Scalar
  present?: 'yes' | 'no'
  at_least?: number
  at_most?: number
  contains_any?: string[]
}

/** A value of the run compares with what the file says. Identities are compared exactly, other texts leniently. */
export const value: ConditionFunction = {
  holds(params, { values, identities }) {
    const { of, is, in: within, is_not: isNot, present, ...compare } = params as Params
    const have = values[of]
    if (present !== undefined) return isPresent(have) === (present === 'yes')
    const same = identities.has(of) ? identical : (wanted: Json) => matches(wanted, have ?? null)
    if (is !== undefined) return same(is, have)
    if (within !== undefined) return within.some(each => same(each, have))
    // What is not there fits nothing, `is_not` included.
    if (isNot !== undefined) return isPresent(have) && !same(isNot, have)
    return matches(compare as Json, have ?? null)
  },
}

function isPresent(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== ''
}

function identical(wanted: Json, have: JsonValue | undefined): boolean {
  if (typeof have !== 'string' && typeof have !== 'number') return false
  return sameIdentity(String(wanted), String(have))
}
