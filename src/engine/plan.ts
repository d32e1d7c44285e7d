import type { NodePath } from '../contract/index.ts'
import type { Node, Program } from './program.ts'

/** How a step ended, as far as it matters for what runs next. */
export interface Finished {
  /** The path that the step chose; null for steps that do not branch. */
  outcome: string | null
  /** A failed or unknown move, a step that cannot run, a stop: nothing more of `then` runs. */
  ends: boolean
}

/** The step that a run begins with; null where there is nothing to do. */
export function first(program: Program): Node | null {
  return program.then ?? program.always
}

/**
 * What runs after `node`; null: the run is over. Steps listed after a branching step run after whichever path
 * ran. When `then` is over, or was ended, `always` runs, once.
 */
export function next(program: Program, node: Node, finished: Finished): Node | null {
  if (!finished.ends) {
    const path = finished.outcome === null ? null : node.paths.get(finished.outcome)
    const follows = path ?? node.after
    if (follows) return follows
  }
  return node.section === 'then' ? program.always : null
}

/**
 * Where a run stands after the steps that are finished, in the order in which they began: what a restart asks.
 * Throws when a path is not of this program.
 */
export function replay(
  program: Program,
  steps: Iterable<{ path: NodePath; finished: Finished }>,
): Node | null {
  let cursor = first(program)
  for (const { path, finished } of steps) {
    const node = program.byPath.get(path)
    if (!node) throw new Error(`the version that ran has no step at ${path}`)
    cursor = next(program, node, finished)
  }
  return cursor
}
