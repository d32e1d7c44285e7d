import type { JsonValue } from '../../core/index.ts'

/** No honest chain is longer: admission stops far below it. */
const MAX_CHAIN = 16
const MAX_NAME = 200
/** Ids that boxes mint for their runs. */
const OF_A_RUN = /^run_/

export interface Echo {
  correlationId: string | null
  /** Slugs of workflows. */
  chain: string[]
}

/**
 * What in a message tells that a run led to it: a `correlation_id` anywhere in it (one of a run counts before all
 * others), and the `evidence.chain` of an alert that it carries. `said` are ids that came beside the message, such as
 * in a header.
 */
export function echoOf(message: JsonValue, said: readonly (string | null)[] = []): Echo {
  const ids = said.filter(id => id !== null)
  const chain: string[] = []
  const open: JsonValue[] = [message]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value === null || typeof value !== 'object') continue
    if (!Array.isArray(value)) {
      const { correlation_id: id, evidence } = value
      if (typeof id === 'string') ids.push(id)
      if (evidence !== null && typeof evidence === 'object' && !Array.isArray(evidence)) {
        chain.push(...slugsOf(evidence.chain).filter(slug => !chain.includes(slug)))
      }
    }
    open.push(...Object.values(value))
  }
  const names = ids.map(id => id.trim().slice(0, MAX_NAME)).filter(id => id !== '')
  const id = names.find(name => OF_A_RUN.test(name)) ?? names[0] ?? null
  return { correlationId: id, chain: chain.slice(-MAX_CHAIN) }
}

/** The texts of a list of workflows. */
export function slugsOf(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [])
    .filter((item): item is string => typeof item === 'string' && item.length <= MAX_NAME)
    .slice(-MAX_CHAIN)
}
