import type { Severity } from '../../contract/index.ts'

const order: readonly Severity[] = ['low', 'medium', 'high', 'critical']

/** The milder of two severities. */
export function milder(a: Severity, b: Severity): Severity {
  return order.indexOf(a) <= order.indexOf(b) ? a : b
}
