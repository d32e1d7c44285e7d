import { GatehouseError } from '../core/index.ts'
import type { RunFilter } from '../engine/index.ts'
import { isIn, numberIn, pageIn, wordsIn } from './query.ts'
import type { Shape } from './route.ts'

const STATUSES = ['running', 'waiting', 'done', 'failed', 'unknown', 'stopped'] as const

/** What stands behind the question mark of a list of runs. */
export const RUN_QUERY: Shape = {
  'limit?': 'integer',
  'before?': 'integer',
  'workflow?': 'integer',
  'state?': ['test', 'on'],
  'status?': STATUSES,
  'camera?': 'string',
  'decision?': 'string',
  'acted?': ['true', 'false'],
  'since?': 'string',
  'until?': 'string',
}

/** Which runs are asked for. Throws 400 for what cannot be meant. */
export function runFilterIn(query: URLSearchParams): RunFilter {
  const workflowId = numberIn(query, 'workflow', Number.MAX_SAFE_INTEGER)
  const [state] = wordsIn(query, 'state', ['test', 'on']) ?? []
  const statuses = wordsIn(query, 'status', STATUSES)
  const [cameraId, decision] = [textIn(query, 'camera'), textIn(query, 'decision')]
  const [since, until] = [timeIn(query, 'since'), timeIn(query, 'until')]
  return {
    ...pageIn(query),
    ...(workflowId !== undefined && { workflowId }),
    ...(state && { state }),
    ...(statuses && { statuses }),
    ...(cameraId !== undefined && { cameraId }),
    ...(decision !== undefined && { decision }),
    ...(query.has('acted') && { acted: isIn(query, 'acted') }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
}

const LONGEST = 200

function textIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (text.length > LONGEST) throw refuse(`\`${name}\` must be at most ${LONGEST} characters.`)
  return text
}

/** Epoch ms. */
function timeIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isFinite(at)) throw refuse(`\`${name}\` must be a time such as 2026-11-30T22:00:00Z.`)
  return at
}

const refuse = (what: string) => new GatehouseError('bad_query', what, { status: 400 })
