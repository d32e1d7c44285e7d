import { conditionsOf, type Step, type Workflow, walk, walkCondition } from '../contract/index.ts'
import { missing } from './missing.ts'

/** What this version cannot do and the file asks for: one sentence each, none twice. Empty: it can all be run. */
export function missingIn(workflow: Workflow): string[] {
  const found = new Set<string>()
  const look = (group: Readonly<Record<string, string>>, kind: string) => {
    if (Object.hasOwn(group, kind)) found.add(`${kind}: ${group[kind]}`)
  }
  look(missing.triggers, workflow.when.kind)
  for (const condition of workflow.if)
    walkCondition(condition, '', each => look(missing.conditions, each.kind))
  walk(workflow, ({ step, path }) => {
    look(missing.steps, step.kind)
    look(missing.actions, step.kind)
    if (step.kind === 'ai') for (const sentence of missingOfLook(step)) found.add(sentence)
    for (const { condition } of conditionsOf(step, path)) {
      walkCondition(condition, '', each => look(missing.conditions, each.kind))
    }
  })
  return [...found]
}

function missingOfLook(step: Step): string[] {
  const { mode } = step.params as { mode?: string }
  return mode === 'investigate' ? [`ai: ${missing.ai.investigate}`] : []
}
