import { type NodePath, type Step, type Workflow, walk, walkCondition } from '../contract/index.ts'
import { missing } from './missing.ts'
import { lacking } from './tools/lacking.ts'
import type { SitePort } from './types.ts'
import { type World, wanting } from './world.ts'

/** A sentence about something that this version cannot do, and the first place that asks for it. */
export interface Missing {
  path: NodePath
  sentence: string
}

/**
 * What cannot be done here and the file asks for, none twice. Empty: it can all be run. `investigate`: why nothing
 * investigates here, null: it does; absent: there is no language model. `world`: who is there to be asked.
 */
export function missingIn(
  workflow: Workflow,
  { investigate = missing.ai.investigate, world = {} }: { investigate?: string | null; world?: World } = {},
): Missing[] {
  const found = new Map<string, NodePath>()
  const add = (sentence: string, path: NodePath) => {
    if (!found.has(sentence)) found.set(sentence, path)
  }
  const look = (group: 'triggers' | 'steps' | 'actions', kind: string, path: NodePath) => {
    const reasons: Readonly<Record<string, string>> = missing[group]
    const why = Object.hasOwn(reasons, kind) ? reasons[kind] : wanting(group, kind, world)
    if (why) add(`${kind}: ${why}`, path)
  }
  look('triggers', workflow.when.kind, 'when')
  for (const [index, condition] of workflow.if.entries())
    walkCondition(condition, '', ({ kind }) => {
      const guards: Readonly<Record<string, string>> = missing.guards
      if (Object.hasOwn(guards, kind)) add(`${kind}: ${guards[kind]}`, `if[${index}]`)
    })
  walk(workflow, ({ step, path }) => {
    look('steps', step.kind, path)
    look('actions', step.kind, path)
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
  site: Pick<SitePort, 'toolMode' | 'faces'> | undefined,
): { path: NodePath; tool: string; why: string }[] {
  const found: ReturnType<typeof toolsWithout> = []
  walk(workflow, ({ step, path }) => {
    const { tools = [] } = (step.kind === 'ai' ? step.params : {}) as { tools?: string[] }
    for (const [index, tool] of tools.entries()) {
      const off = site?.toolMode(tool) === 'unavailable' ? 'the site does not allow it' : null
      const why = lacking(tool, site) ?? off
      if (why !== null) found.push({ path: `${path}.ai.tools[${index}]`, tool, why })
    }
  })
  return found
}
