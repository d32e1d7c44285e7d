import { SEVERITIES, type Severity } from '../../contract/index.ts'

/** The milder of two severities. */
export function milder(a: Severity, b: Severity): Severity {
  return SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b) ? a : b
}

/** What a receipt says of a severity that was cut down; nothing where it was not. */
export function cappedFrom(asked: Severity, severity: Severity, why: string | null) {
  return severity === asked ? {} : { asked, ...(why !== null && { capped: why }) }
}
