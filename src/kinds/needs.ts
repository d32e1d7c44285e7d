import { type NodePath, type Step, type Workflow, walk, walkCondition } from '../contract/index.ts'
import { missing } from './missing.ts'

/** A sentence about something that this version cannot do, and the first place that asks for it. */
export interface Missing {
  path: NodePath
  sentence: string
}

/** What this version cannot do and the file asks for, none twice. Empty: it can all be run. */
export function missingIn(workflow: Workflow): Missing[] {
  const found = new Map<string, NodePath>()
  const add = (sentence: string, path: NodePath) => {
    if (!found.has(sentence)) found.set(sentence, path)
  }
  const look = (group: Readonly<Record<string, string>>, kind: string, path: NodePath) => {
    if (Object.hasOwn(group, kind)) add(`${kind}: ${group[kind]}`, path)
  }
  look(missing.triggers, workflow.when.kind, 'when')
  for (const [index, condition] of workflow.if.entries())
    walkCondition(condition, '', each => look(missing.guards, each.kind, `if[${index}]`))
  walk(workflow, ({ step, path }) => {
    look(missing.steps, step.kind, path)
    look(missing.actions, step.kind, path)
    if (step.kind === 'ai') for (const sentence of missingOfLook(step)) add(sentence, path)
  })
  return [...found].map(([sentence, path]) => ({ sentence, path }))
}

function missingOfLook(step: Step): string[] {
  const { mode } = step.params as { mode?: string }
  return mode === 'investigate' ? [`ai: ${missing.ai.investigate}`] : []
}
