import type { NodePath } from '../contract/index.ts'
import type { Node, Program } from './program.ts'

/** How a step ended, as far as it matters for what runs next. */
export interface Finished {
  /** The path that the step chose; null for steps that do not branch. */
  outcome: string | null
  /** A failed or unknown move, a step that cannot run, a stop: nothing more of `then` runs. */
  ends: boolean
  /** How many rounds a loop has that begins here; its steps run next, round by round. */
  rounds?: number
}

/** A loop that a run is in. */
export interface Frame {
  loop: Node
  rounds: number
  /** The present round, from 0. */
  round: number
}

/** Where a run stands: the step that is next (null: it is over) and the loops around it, the outermost first. */
export interface Cursor {
  node: Node | null
  frames: readonly Frame[]
}

/** Where a run begins; no step where there is nothing to do. */
export function first(program: Program): Cursor {
  return { node: program.then ?? program.always, frames: [] }
}

/**
 * What runs after `cursor.node`. Steps listed after a branching step run after whichever path ran; at the end of
 * a loop's steps its next round begins, or what follows the loop. When `then` is over, or was ended, `always` runs,
 * once.
 */
export function next(program: Program, { node, frames }: Cursor, finished: Finished): Cursor {
  if (!node) return { node: null, frames }
  const then = node.section === 'then' ? program.always : null
  if (finished.ends) return { node: then, frames: [] }
  const inside = finished.rounds ? (node.paths.get('do') ?? null) : null
  if (inside) {
    return { node: inside, frames: [...frames, { loop: node, rounds: finished.rounds ?? 0, round: 0 }] }
  }
  const path = finished.outcome === null ? null : node.paths.get(finished.outcome)
  let follows = path ?? node.after
  const left = [...frames]
  while (!follows) {
    const frame = left.pop()
    if (!frame) return { node: then, frames: [] }
    const round = frame.round + 1
    if (round < frame.rounds) {
      left.push({ ...frame, round })
      follows = frame.loop.paths.get('do') ?? null
    } else follows = frame.loop.after
  }
  return { node: follows, frames: left }
}

/** Rows that do not follow from one another. */
export function unexpected(path: NodePath, { node }: Cursor): Error {
  return new Error(`the version that ran has no step at ${path} where ${node?.path ?? 'its end'} had to come`)
}
