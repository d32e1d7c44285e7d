import { type NodePath, type Step, type Workflow, walk, walkCondition } from '../contract/index.ts'
import { missing } from './missing.ts'
import type { SitePort } from './types.ts'

/** A sentence about something that this version cannot do, and the first place that asks for it. */
export interface Missing {
  path: NodePath
  sentence: string
}

/**
 * What cannot be done here and the file asks for, none twice. Empty: it can all be run. `investigate`: why nothing
 * investigates here, null: it does; absent: there is no language model.
 */
export function missingIn(
  workflow: Workflow,
  { investigate = missing.ai.investigate }: { investigate?: string | null } = {},
): Missing[] {
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
    if (step.kind === 'ai' && investigate !== null && investigates(step)) add(`ai: ${investigate}`, path)
  })
  return [...found].map(([sentence, path]) => ({ sentence, path }))
}

function investigates({ params }: Step): boolean {
  return (params as { mode?: string }).mode === 'investigate'
}

/** Tools that a file names and that investigations here go without, each with the reason. */
export function toolsWithout(
  workflow: Workflow,
  site: Pick<SitePort, 'toolMode'> | undefined,
): { path: NodePath; tool: string; why: string }[] {
  const found: ReturnType<typeof toolsWithout> = []
  walk(workflow, ({ step, path }) => {
    const { tools = [] } = (step.kind === 'ai' ? step.params : {}) as { tools?: string[] }
    for (const [index, tool] of tools.entries()) {
      const off = site?.toolMode(tool) === 'unavailable' ? 'the site does not allow it' : null
      const why = Object.hasOwn(missing.tools, tool) ? missing.tools[tool as keyof typeof missing.tools] : off
      if (why !== null) found.push({ path: `${path}.ai.tools[${index}]`, tool, why })
    }
  })
  return found
}
