import { effectiveMode, narrowed, Tool, type ToolMode } from '../../ai/index.ts'
import { toolKind } from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'
import type { SitePort, ToolFunction, ToolRoom } from '../types.ts'
import { cameraNames } from './camera.ts'
import { tools } from './index.ts'
import { lacking } from './lacking.ts'

/**
 * A tool of an investigation at work in a room, by its name. `step`: how the step lets it be used; the stricter of
 * that and of what the site says counts. Null: there is no tool of that name.
 */
export function makeTool(name: string, room: ToolRoom, step: ToolMode = 'auto'): Tool | null {
  const descriptor = toolKind(name)
  if (!descriptor) return null
  const at = Object.hasOwn(tools, name) ? (tools as Record<string, ToolFunction>)[name] : undefined
  const { kind, description, notFor, params, effect } = descriptor
  const lacks = at ? lacking(name, room.site) : (lacking(name, room.site) ?? 'it is not there')
  const { mode, why } =
    lacks === null ? allowed(name, room.site, step) : { mode: 'unavailable' as const, why: lacks }
  return new Tool({
    name: kind,
    description: `${description} ${notFor}`,
    parameters: narrowed(params, what => namesOf(what, room.site)),
    mode,
    ...(why !== null && { why }),
    effect,
    handler: (args, ctx) => (at ?? nothing).run(args as { [name: string]: JsonValue }, room, ctx),
  })
}

const nothing: ToolFunction = { run: () => Promise.reject(new Error('it is not there')) }

function allowed(name: string, site: SitePort, step: ToolMode): { mode: ToolMode; why: string | null } {
  const mode = effectiveMode(site.toolMode(name), step)
  return { mode, why: mode === 'unavailable' ? 'the site does not allow it' : null }
}

function namesOf(what: string, site: SitePort): string[] {
  if (what === 'camera') return cameraNames(site)
  const { lists, personRoles } = site.view()
  return [...(what === 'list' ? lists : personRoles)]
}
