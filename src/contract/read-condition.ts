import { conditionKind, conditions } from './kinds/index.ts'
import type { ReadContext } from './read-context.ts'
import { readParams } from './read-node.ts'
import { replaceRange } from './reporter.ts'
import { unknownKey } from './shape.ts'
import type { Src } from './source.ts'
import type { Condition, ConditionKind } from './types.ts'

/** Stands where a condition cannot be read, so that the others keep their places. */
const UNREADABLE: Condition = { kind: 'all', params: [] }

/** Reads a list of conditions; what cannot be read is reported, and something empty stands for it. */
export function readConditions(src: Src, path: string, context: ReadContext): Condition[] {
  if (src.type === 'list' && src.items.length > 0) {
    return src.items.map((item, index) => readCondition(item, `${path}[${index}]`, context))
  }
  context.guardsUnknown = true
  if (src.type !== 'broken') {
    const fix =
      src.type === 'map' && src.flow
        ? replaceRange('Make it a list', src.from, src.to, `[${context.text.slice(src.from, src.to)}]`)
        : undefined
    context.error(
      'invalid_value',
      path,
      'Conditions are a list of at least one, such as [ site_mode: [armed_away] ].',
      src,
      fix,
    )
  }
  return []
}

/** Reads `{ kind: parameters }`; what cannot be read is reported, and something empty stands for it. */
export function readCondition(src: Src, path: string, context: ReadContext): Condition {
  const failed = () => {
    context.guardsUnknown = true
    return UNREADABLE
  }
  if (src.type === 'broken') return failed()
  const known = Object.keys(conditions)
  const [entry, second] = src.type === 'map' ? src.entries : []
  if (!entry) {
    context.error('invalid_value', path, `A condition is a map with one key out of ${known.join(', ')}.`, src)
    return failed()
  }
  if (second) {
    context.keyError(
      'two_kinds',
      path,
      'A condition has one key: make this one a condition of its own.',
      second,
    )
    return failed()
  }
  const kind = conditionKind(entry.key)
  if (!kind) {
    context.reporter.report({ ...unknownKey(entry.key, known, [src, path]), code: 'unknown_kind' })
    return failed()
  }
  const name = kind.kind as ConditionKind
  const inner = `${path}.${name}`
  if (name === 'not') {
    return { kind: name, params: readCondition(entry.value, inner, context) }
  }
  if (name === 'any' || name === 'all') {
    return { kind: name, params: readConditions(entry.value, inner, context) }
  }
  const { params, faults } = readParams(kind, entry.value, inner, context)
  return faults.size === 0 ? { kind: name, params } : failed()
}
