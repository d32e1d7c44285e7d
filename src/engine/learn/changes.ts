import { type Step, type Workflow, walk } from '../../contract/index.ts'
import { canonical } from './judge.ts'

/** Longer lists of changes end in how many more there are. */
const MOST = 4

/** What is different between two versions of a file, in one line. */
export function changesBetween(before: Workflow | null, after: Workflow): string {
  if (!before) return 'a version that this program does not understand any more was replaced'
  const changes: string[] = []
  for (const key of ['name', 'description', 'state', 'needs', 'limits', 'when', 'if'] as const) {
    if (canonical(before[key] ?? null) !== canonical(after[key] ?? null)) changes.push(WORDS[key])
  }
  const old = stepsOf(before)
  const fresh = stepsOf(after)
  for (const [path, step] of fresh) {
    const was = old.get(path)
    if (!was) changes.push(`${path}: ${step.kind} added`)
    else if (was.kind !== step.kind) changes.push(`${path}: ${was.kind} became ${step.kind}`)
    else changes.push(...stepChanges(path, was, step))
  }
  for (const [path, { kind }] of old) if (!fresh.has(path)) changes.push(`${path}: ${kind} removed`)
  if (!changes.length) return 'only its writing'
  const more = changes.length - MOST
  return `${changes.slice(0, MOST).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

const WORDS = {
  name: 'name',
  description: 'description',
  state: 'state written in the file',
  needs: 'needs',
  limits: 'limits',
  when: 'trigger',
  if: 'conditions',
}

function stepChanges(path: string, was: Step, is: Step): string[] {
  if (was.name !== is.name) return [`${path}: name`]
  if (canonical(was.params) === canonical(is.params)) return []
  const [old, fresh] = [was.params, is.params].map(params =>
    params !== null && typeof params === 'object' && !Array.isArray(params)
      ? (params as { [key: string]: unknown })
      : {},
  )
  const keys = [...new Set([...Object.keys(old ?? {}), ...Object.keys(fresh ?? {})])]
  const differ = keys.filter(key => canonical(old?.[key] ?? null) !== canonical(fresh?.[key] ?? null))
  return [`${path}: ${is.kind}${differ.length ? ` ${differ.join(', ')}` : ''}`]
}

function stepsOf(workflow: Workflow): Map<string, Step> {
  const steps = new Map<string, Step>()
  walk(workflow, ({ path, step }) => steps.set(path, step))
  return steps
}
