/** Parameters of one node: held against the schema of its kind, then against the kind's own rules. */
import type { Finding, KindDescriptor, ToolDescriptor } from './kind.ts'
import type { ReadContext } from './read-context.ts'
import { replaceRange } from './reporter.ts'
import { checkShape, follow } from './shape.ts'
import { entryOf, type Src, toJson } from './source.ts'
import type { Json } from './types.ts'

type Kind = Exclude<KindDescriptor, ToolDescriptor>

/** What was read of a node's parameters, and which keys of them are at fault (`''`: the whole). */
export interface ReadParams {
  params: Json
  faults: ReadonlySet<string>
}

/** Reads parameters; nothing written at all stands for an empty map. */
export function readParams(kind: Kind, src: Src, path: string, context: ReadContext): ReadParams {
  const empty = src.type === 'scalar' && src.value === null && kind.params.type === 'object'
  const given: Src = empty ? { type: 'map', flow: false, entries: [], from: src.from, to: src.to } : src
  const faults = checkShape(kind.params, given, path, context)
  const params = toJson(given)
  if (faults.size === 0 && !isBroken(given)) {
    kind.check?.(params, finding => reportFinding(finding, given, path, context))
  }
  return { params, faults }
}

/** Whether something in a node could not be read: then its value is not what the author wrote. */
export function isBroken(src: Src): boolean {
  if (src.type === 'map') return src.entries.some(({ value }) => isBroken(value))
  if (src.type === 'list') return src.items.some(isBroken)
  return src.type === 'broken'
}

function reportFinding(finding: Finding, src: Src, rootPath: string, context: ReadContext): void {
  const { at, code, message, replace, severity = 'error' } = finding
  const [place, path] = follow(src, at, rootPath)
  let { from, to } = place
  if (finding.key) {
    const entry = entryOf(follow(src, at.slice(0, -1), rootPath)[0], String(at.at(-1)))
    if (entry) [from, to] = [entry.keyFrom, entry.keyTo]
  }
  const fix = replace === undefined ? {} : { fix: replaceRange(`Change it to ${replace}`, from, to, replace) }
  context.reporter.report({ severity, code, path, message, from, to, ...fix })
}
