/** Where the nodes of a workflow stand, and how to visit them. One notation for problems, run rows and the page. */
import type { Condition, NodePath, Step, Workflow } from './types.ts'

const plainName = /^[A-Za-z_][A-Za-z0-9_-]*$/

/** One key behind a path: `.delivery`, or `["Let in"]` where the key is not a plain name. */
export function keyPath(parent: string, key: string): string {
  if (!plainName.test(key)) return `${parent}[${JSON.stringify(key)}]`
  return parent === '' ? key : `${parent}.${key}`
}

/** The path of a step in a list: `then[0]` (parent `''`), `then[0].delivery[1]`, `then[0]["Let in"][0]`. */
export function nodePath(parent: NodePath, outcome: string, index: number): NodePath {
  return `${keyPath(parent, outcome)}[${index}]`
}

/** The path of what a node's kind says: `then[0].alert`, with a parameter `then[0].alert.title`. */
export function paramPath(node: NodePath, kind: string, ...keys: (string | number)[]): string {
  // Kinds such as `detect.person_in_zone` hold a dot and are written as they are.
  let path = node === '' ? kind : `${node}.${kind}`
  for (const key of keys) path = typeof key === 'number' ? `${path}[${key}]` : keyPath(path, key)
  return path
}

/** A step and where it stands: `parent` and `outcome` are those of the step whose path it is on. */
export interface Visited {
  step: Step
  path: NodePath
  /** `''` for the steps of `then` and `always` themselves. */
  parent: NodePath
  outcome: string
  index: number
}

/** Visits every step in the order of the file, outer ones first. */
export function walk(workflow: Workflow, visit: (visited: Visited) => void): void {
  walkSteps(workflow.then, '', 'then', visit)
  walkSteps(workflow.always, '', 'always', visit)
}

/** The most steps of a whole file, all paths together: no workflow has as many, and the checks stay quick. */
export const mostSteps = 400

/** Whether a file has more steps than any workflow has. */
export function isTooLarge(workflow: Workflow): boolean {
  let steps = 0
  walk(workflow, () => steps++)
  return steps > mostSteps
}

function walkSteps(steps: readonly Step[], parent: NodePath, outcome: string, visit: (v: Visited) => void) {
  steps.forEach((step, index) => {
    const path = nodePath(parent, outcome, index)
    visit({ step, path, parent, outcome, index })
    for (const [name, inner] of Object.entries(step.paths)) walkSteps(inner, path, name, visit)
  })
}

/** The step at a path, or undefined. */
export function stepAt(workflow: Workflow, path: NodePath): Step | undefined {
  let found: Step | undefined
  walk(workflow, visited => {
    if (visited.path === path) found = visited.step
  })
  return found
}

/** The conditions that a step itself holds, each with its path: those of `if`, the `until` of `wait_for`. */
export function conditionsOf(step: Step, path: NodePath): { condition: Condition; path: string }[] {
  if (step.kind === 'if') {
    return (step.params as Condition[]).map((condition, i) => ({ condition, path: paramPath(path, 'if', i) }))
  }
  if (step.kind === 'wait_for') {
    const { until } = step.params as { until: Condition }
    return [{ condition: until, path: paramPath(path, 'wait_for', 'until') }]
  }
  return []
}

/** Visits a condition and those inside it, outer ones first. */
export function walkCondition(
  condition: Condition,
  path: string,
  visit: (condition: Condition, path: string) => void,
): void {
  visit(condition, path)
  if (condition.kind === 'not') walkCondition(condition.params as Condition, `${path}.not`, visit)
  if (condition.kind === 'any' || condition.kind === 'all') {
    const inner = condition.params as Condition[]
    inner.forEach((each, i) => {
      walkCondition(each, `${path}.${condition.kind}[${i}]`, visit)
    })
  }
}
