import { fillParts, plainText, valuesAt } from '../contract/index.ts'
import { cut, messageOf } from '../core/index.ts'
import type { ApprovalRow } from '../store/index.ts'
import { siteView } from './context.ts'
import type { EngineDeps } from './ports.ts'
import type { Node } from './program.ts'
import type { Run } from './run.ts'
import { store as storePicture } from './steps/keep-picture.ts'
import { snapshot } from './steps/pictures.ts'

/** As much of a message as people are shown. */
const MOST_MESSAGE = 2_000
/** Pictures that stand with a question. */
const MOST_PICTURES = 8
/** A question does not wait longer for a camera. */
const PICTURE_MS = 5_000

/** The message of a question in pieces; marked is what AI or an outsider may have written. */
export function partsOf(run: Run, node: Node, message: string, { site }: EngineDeps): ApprovalRow['parts'] {
  const known = valuesAt(run.program.workflow, node.path, siteView(site(), run.loaded.row.slug))
  const clean = (name: string) => known.get(name)?.clean === true && run.isClean(name)
  const parts: ApprovalRow['parts'] = []
  let left = MOST_MESSAGE
  for (const { text: filled, name } of fillParts(message, run.values)) {
    const text = plainText(filled)
    const shown = cut(text, Math.max(1, left))
    if (left > 0) parts.push({ text: shown, by_ai: name !== null && !clean(name) })
    left -= text.length
  }
  return parts
}

/**
 * The pictures that stand with a question: what the run judged last, with `frames` all that it has. Where one is
 * asked for and the run has none, the camera is asked; a camera that gives none keeps nobody from being asked.
 * Answers with what names their rows, to be called inside of the commit that writes the question.
 */
export async function picturesOf(
  run: Run,
  attach: readonly string[],
  deps: EngineDeps,
): Promise<(stepId: number) => number[]> {
  const { media } = deps.store
  const own = run.lastMedia !== null || run.brought > 0
  const fresh = own || !attach.length ? null : await taken(run, deps)
  return stepId => {
    if (fresh) run.lastMedia = media.add({ ...fresh, runId: run.id, stepId, createdAt: deps.clock.now() })
    if (run.lastMedia === null) return []
    if (!attach.includes('frames')) return [run.lastMedia]
    const all = media.ofRun(run.id).map(({ id }) => id)
    return all.slice(-MOST_PICTURES)
  }
}

async function taken(run: Run, deps: EngineDeps) {
  const { cameraId } = run.facts
  if (cameraId === null) return null
  try {
    return await storePicture(await snapshot(cameraId, run, deps, PICTURE_MS), deps)
  } catch (error) {
    deps.log.info({ run: run.id, error: messageOf(error) }, 'a question goes out without a picture')
    return null
  }
}
