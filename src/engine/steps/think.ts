import type { EngineDeps } from '../ports.ts'
import type { Node } from '../program.ts'
import type { Run } from '../run.ts'
import { type Looked, runAi } from './ai.ts'
import { investigate, type Rests } from './investigate.ts'

/** Reasons that say nothing of whether anything can look. */
const BLIND: ReadonlySet<string | null> = new Set(['over_budget', 'no_picture', 'stale_picture'])

/** Has an AI step decide, by a look or with tools. Only a store that fails rejects. */
export async function think(run: Run, node: Node, stepId: number, deps: EngineDeps): Promise<Looked | Rests> {
  run.thinking = true
  try {
    return isInvestigation(node)
      ? await investigate(run, node, stepId, deps)
      : await runAi(run, node, stepId, deps)
  } finally {
    run.thinking = false
  }
}

/** Why nothing could look (null: it was looked); undefined where that is not known. */
export function eyesDown({
  decision: { unsureReason, reason },
  media,
  looks,
}: Looked): string | null | undefined {
  if (unsureReason === 'vision_down') return reason
  // What saw no picture, or was broken off, says nothing of the eyes; nor do tools that took one.
  return looks && media !== null && !BLIND.has(unsureReason) ? null : undefined
}

function isInvestigation({ step }: Node): boolean {
  return (step.params as { mode?: string }).mode === 'investigate'
}
