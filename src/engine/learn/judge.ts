import { createHash } from 'node:crypto'
import {
  type Condition,
  type NodePath,
  type Step,
  type Workflow,
  walk,
  walkCondition,
} from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'
import { isObject } from '../json.ts'
import type { Ended } from '../run.ts'

const known = new WeakMap<Step, string>()

/**
 * What an AI step decides by, as a fingerprint: prompt, goal, tools, fields, decisions, rules, `sure` and what it looks
 * at. Where it stands, what follows it, how long it may take and how old a picture may be are no part of it.
 */
export function judgeOf(step: Step): string {
  const before = known.get(step)
  if (before !== undefined) return before
  const { limits: _, max_age: _age, ...decides } = step.params as { [key: string]: JsonValue }
  const judge = createHash('sha256').update(canonical(decides)).digest('hex').slice(0, 16)
  known.set(step, judge)
  return judge
}

/** Whether any step of the file asks AI. */
export function hasAi(workflow: Workflow): boolean {
  return judgesOf(workflow).length > 0
}

/** What AI decided in a step that ended, and how sure that was (null: nobody measured); null: it decided nothing. */
export function decidedIn(
  kind: string,
  { outcome, ai, result }: Pick<Ended, 'outcome' | 'ai' | 'result'>,
): { confidence: number | null } | null {
  if (kind === 'ai' || kind === 'call') {
    if (!ai || outcome === 'unsure') return null
    return { confidence: typeof ai.confidence === 'number' ? ai.confidence : null }
  }
  const seen = isObject(result) && isObject(result.seen) ? Object.values(result.seen) : []
  const shares = seen.map(each => (isObject(each) ? each.confidence : undefined))
  if (!shares.length || shares.includes(undefined)) return null
  const measured = shares.filter(each => typeof each === 'number')
  return { confidence: measured.length < shares.length ? null : Math.min(...measured) }
}

/** Whether AI takes part in a step: it is one, it speaks with somebody, or it reads what cameras show. */
function judges({ kind, params }: Step): boolean {
  if (kind === 'ai' || kind === 'call') return true
  const conditions =
    kind === 'if'
      ? (params as Condition[])
      : kind === 'wait_for'
        ? [(params as { until: Condition }).until]
        : []
  let reads = false
  for (const each of conditions)
    walkCondition(each, '', condition => {
      reads ||= condition.kind === 'text_visible'
    })
  return reads
}

/** An AI step of a file. */
export interface Judge {
  path: NodePath
  name: string | null
  judge: string
}

/** The AI steps of a file, in its order. */
export function judgesOf(workflow: Workflow): Judge[] {
  const found: Judge[] = []
  walk(workflow, ({ step, path }) => {
    if (judges(step)) found.push({ path, name: step.name ?? null, judge: judgeOf(step) })
  })
  return found
}

/** Whether AI decides in another way by one file than by another. */
export function judgesElse(a: Workflow, b: Workflow): boolean {
  const [one, other] = [a, b].map(file => new Set(judgesOf(file).map(({ judge }) => judge)))
  return one?.size !== other?.size || [...(one ?? [])].some(judge => !other?.has(judge))
}

/** JSON with keys in one order, so that only what is said counts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : each,
  )
}
