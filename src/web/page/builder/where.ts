/** Where nodes are, and where they are after something went elsewhere. */
import {
  keyPath,
  type Lane,
  type NodePath,
  nodePath,
  type Step,
  stepAt,
  type Workflow,
  walk,
} from '../../../contract/index.ts'

/** The path that a step is on, and which of its steps it is. */
export function laneOf(workflow: Workflow, path: NodePath): (Lane & { index: number }) | null {
  let found: (Lane & { index: number }) | null = null
  walk(workflow, ({ path: at, parent, outcome, index }) => {
    if (at === path) found = { parent, outcome, index }
  })
  return found
}

export function stepsOf(workflow: Workflow, { parent, outcome }: Lane): readonly Step[] {
  if (parent === '') return outcome === 'always' ? workflow.always : workflow.then
  return stepAt(workflow, parent)?.paths[outcome] ?? []
}

/** Where a step stands that went before the `index`th of a path. */
export function arrived(from: NodePath, lane: Lane, index: number): NodePath {
  return without(nodePath(lane.parent, lane.outcome, index), from)
}

/** What the path of another step is once a step has gone. */
function without(path: NodePath, gone: NodePath): NodePath {
  const list = gone.replace(/\[\d+\]$/, '')
  const at = Number(/\[(\d+)\]$/.exec(gone)?.[1])
  const rest = path.slice(list.length)
  const other = path.startsWith(list) ? /^\[(\d+)\]/.exec(rest) : null
  if (!other || Number(other[1]) <= at) return path
  return `${list}[${Number(other[1]) - 1}]${rest.slice(other[0].length)}`
}

/** Whether a place lies in a step: there it cannot go. */
export const isInside = ({ parent, outcome }: Lane, path: NodePath): boolean =>
  parent === path ||
  keyPath(parent, outcome).startsWith(`${path}.`) ||
  keyPath(parent, outcome).startsWith(`${path}[`)
