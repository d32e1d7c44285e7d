/** Matchers of rules and `where`: a value, a list of values, or comparisons that must all hold. */
import { foldText } from './identity.ts'
import type { Json } from './types.ts'

export const yesNo = (value: boolean): 'yes' | 'no' => (value ? 'yes' : 'no')

/**
 * Whether a value fits a matcher. Texts are compared without case and accents, yes_no with `yes` and `no`; of a
 * value that is a list one item is enough. What is not there (null, undefined) fits nothing, `is_not` included.
 */
export function matches(matcher: Json, value: Json | undefined): boolean {
  if (value === null || value === undefined) return false
  if (matcher === null || typeof matcher !== 'object') return equal(matcher, value)
  if (Array.isArray(matcher)) return matcher.some(one => equal(one, value))
  const comparisons = Object.entries(matcher)
  return (
    comparisons.length > 0 && comparisons.every(([operator, operand]) => compare(operator, operand, value))
  )
}

function equal(wanted: Json, value: Json): boolean {
  if (Array.isArray(value)) return value.some(item => equal(wanted, item))
  const [one, other] = [plain(wanted), plain(value)]
  return one !== null && one === other
}

function compare(operator: string, operand: Json, value: Json): boolean {
  switch (operator) {
    case 'at_least':
      return typeof operand === 'number' && numeric(value) >= operand
    case 'at_most':
      return typeof operand === 'number' && numeric(value) <= operand
    case 'contains_any':
      return (Array.isArray(operand) ? operand : [operand]).some(part => contains(value, part))
    case 'is_not':
      return !(Array.isArray(operand) ? operand : [operand]).some(one => equal(one, value))
    default:
      return false
  }
}

function contains(value: Json, part: Json): boolean {
  if (Array.isArray(value)) return value.some(item => contains(item, part))
  const [whole, sought] = [plain(value), plain(part)]
  return whole !== null && sought !== null && sought !== '' && whole.includes(sought)
}

/** A scalar as comparable text; null for what is no scalar. */
function plain(value: Json): string | null {
  if (value === null || typeof value === 'object') return null
  return foldText(typeof value === 'boolean' ? yesNo(value) : String(value))
}

/** The number that a value is; NaN, which no comparison holds for, where it is none. */
function numeric(value: Json): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
}
