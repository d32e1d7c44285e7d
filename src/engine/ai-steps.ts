import { type Step, type Workflow, walk } from '../contract/index.ts'

/** What may change about an AI step without anything being judged differently. */
const NOT_JUDGING = new Set(['limits', 'max_age'])

export function hasAi(workflow: Workflow): boolean {
  return aiSteps(workflow).length > 0
}

/**
 * Whether `to` has an AI step that `from` did not have like that: prompt, goal, tools, rules, fields, decision,
 * sure, whatever it is judged by. Where it stands, what it is called and what follows it does not count.
 */
export function newAi(from: Workflow | null, to: Workflow): boolean {
  const known = new Set(from ? aiSteps(from).map(judging) : [])
  return aiSteps(to).some(step => !known.has(judging(step)))
}

function aiSteps(workflow: Workflow): Step[] {
  const found: Step[] = []
  walk(workflow, ({ step }) => {
    if (step.kind === 'ai') found.push(step)
  })
  return found
}

/** The order of rules and of decisions counts, that of keys does not. */
function judging({ params }: Step): string {
  const entries = Object.entries(params as object).filter(([key]) => !NOT_JUDGING.has(key))
  return JSON.stringify(sorted(Object.fromEntries(entries)))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, sorted(inner)])
}
