/** What a card of the flow says, in people's words. */
import type { Condition, Step, Workflow } from '../../../contract/index.ts'
import { t, term } from '../language.ts'
import { calling, gist, label } from '../words.ts'
import { say, sayTerm } from './words.ts'

/** One step's line: what it is given, as far as a line tells it. */
export function stepSays({ kind, params }: Step): string {
  if (kind === 'if') return all(params as Condition[])
  if (kind === 'wait_for') {
    const { until, ...rest } = params as { until: Condition }
    return [conditionSays(until), brief(rest)].filter(Boolean).join(', ')
  }
  if (kind === 'call') return calling(params) ?? ''
  const given = params as { prompt?: unknown; goal?: unknown } | null
  const asked = kind === 'ai' ? (given?.prompt ?? given?.goal) : null
  return typeof asked === 'string' ? asked : (gist(params) ?? brief(params))
}

/** What starts a workflow, beyond its kind: `A new picture, from yard`. */
export function triggerSays({ kind, params }: Workflow['when']): string {
  if (kind !== 'event') return brief(params)
  const { schema, cameras, ...rest } = Object(params) as Record<string, unknown>
  const from = cameras === undefined ? '' : say('from', { cameras: brief(cameras) })
  const what = typeof schema === 'string' ? (sayTerm(schema) ?? schema) : brief(schema)
  return [what, from, brief(rest)].filter(Boolean).join(', ')
}

export function conditionSays({ kind, params }: Condition): string {
  if (kind === 'not') return t('flow.not', { what: conditionSays(params as Condition) })
  if (kind === 'any') return (params as Condition[]).map(conditionSays).join(t('flow.or'))
  if (kind === 'all') return all(params as Condition[])
  return [term('cond', kind) ?? label(kind), brief(params)].filter(Boolean).join(': ')
}

const all = (conditions: readonly Condition[]) => conditions.map(conditionSays).join(t('flow.and'))

/** What a value is of is plain without its key. */
const PLAIN = new Set(['schema', 'cameras', 'list', 'value'])

/** `{ list: residents, value: "{plate}", min_seconds: 5 }` → `residents, {plate}, min seconds 5`. */
export function brief(params: unknown): string {
  if (Array.isArray(params)) return params.map(brief).join(', ')
  if (params === null || typeof params !== 'object') return String(params ?? '')
  return Object.entries(params)
    .map(([key, value]) =>
      [PLAIN.has(key) ? '' : key.replaceAll('_', ' '), brief(value)].filter(Boolean).join(' '),
    )
    .join(', ')
}

/** What a lane is called: a decision or reply as people wrote it, the rest in words. */
export const laneName = ({ kind }: Step, outcome: string): string =>
  term('lane', `${kind}.${outcome}`) ?? term('lane', outcome) ?? label(outcome)
