import { Tool, ToolBox } from '../../ai/index.ts'
import type { JsonValue, Picture } from '../../core/index.ts'
import { makeTool, type ToolRoom } from '../../kinds/index.ts'
import { camerasOfRun } from '../bound-cameras.ts'
import type { EngineDeps } from '../ports.ts'
import { StoreRecords } from '../records.ts'
import type { Run } from '../run.ts'
import { eventAt, evidenceOf } from './evidence.ts'
import { keep } from './keep-picture.ts'
import { eventPictures } from './pictures.ts'

/** What this box knows of before. */
export function recordsOf({ tools, store, media }: EngineDeps) {
  return tools?.records ?? new StoreRecords(store, media)
}

/** The tools of a step, at work in its run. `onKept` hears of each picture that is kept. */
export function toolsOf(
  names: readonly string[],
  run: Run,
  stepId: number,
  { sees, onKept }: { sees: boolean; onKept(media: number): void },
  deps: EngineDeps,
): ToolBox {
  const room: ToolRoom = {
    site: deps.site(),
    now: () => deps.clock.now(),
    cameras: camerasOfRun(run, deps),
    health: deps.tools?.health ?? null,
    vision: deps.tools?.vision ?? null,
    faces: deps.tools?.faces ?? null,
    records: recordsOf(deps),
    archive: deps.tools?.archive ?? null,
    eventAt: eventAt(run),
    cameraId: run.facts.cameraId,
    eventPictures: async () => {
      const brought = await eventPictures(run, deps)
      const pictures = brought.length ? brought : await evidenceOf(run, stepId, deps)
      return pictures.map(({ media, picture }) => ({ ref: media, picture }))
    },
    keep: async picture => {
      const media = await keep(picture, run.id, stepId, deps)
      onKept(media)
      return media
    },
    sees,
  }
  const made = names.map(name => makeTool(name, room)).filter((tool): tool is Tool => tool !== null)
  return new ToolBox(made.map(tool => replaying(tool, deps)))
}

/** The same tool, answering what was recorded where a case is replayed. What asks people asks as it always does. */
function replaying(tool: Tool, { tools }: EngineDeps): Tool {
  const { name, description, parameters, mode, why, effect } = tool
  const said = effect === 'read' ? tools?.replay?.(name) : null
  if (!said) return tool
  return new Tool({
    ...{ name, description, parameters, mode, effect },
    ...(why !== null && { why }),
    handler: args => ({ result: said(args as { [name: string]: JsonValue }) }),
  })
}

/** A picture that a tool gave, by the reference that it gave. */
export async function pictureOf(ref: number, { store, media }: EngineDeps): Promise<Picture | null> {
  const row = store.media.get(ref)
  const bytes = row && (await media.read(row.hash))
  return row && bytes ? { bytes, takenAt: row.takenAt, source: row.source } : null
}
