/** Holds a node of the source against the schema of its kind: every fault, at its place, with a repair. */
import type { TSchema } from '@sinclair/typebox'
import { Errors, type ValueError, type ValueErrorIterator, ValueErrorType } from '@sinclair/typebox/errors'
import { insertKey } from './fixes.ts'
import { nearest } from './nearest.ts'
import { type Found, type Reporter, replaceRange } from './reporter.ts'
import { repairOf } from './shape-repair.ts'
import { entryOf, type Src, toJson } from './source.ts'
import { keyPath } from './tree.ts'

export interface ShapeContext {
  text: string
  reporter: Reporter
}

/**
 * Reports what does not fit. Answers with the top-level keys that are at fault; `''` among them where the node as a
 * whole is. Nodes that could not be read are at fault without another word.
 */
export function checkShape(schema: TSchema, src: Src, path: string, context: ShapeContext): Set<string> {
  const faults = new Set<string>()
  const told = new Set<string>()
  for (const error of flatten(Errors(schema, toJson(src)))) {
    const keys = pointerKeys(error.path)
    const required = error.type === ValueErrorType.ObjectRequiredProperty
    faults.add(required && keys.length === 1 ? '' : (keys[0] ?? ''))
    if (told.has(error.path)) continue
    told.add(error.path)
    const found = describe(error, keys, src, path, context)
    if (found) context.reporter.report(found)
  }
  return faults
}

/** Errors in order; those of a union are those of the variant that was most likely meant. */
function* flatten(errors: Iterable<ValueError>): Iterable<ValueError> {
  for (const error of errors) {
    const variant = error.type === ValueErrorType.Union ? meantVariant(error) : null
    if (variant) yield* flatten(variant)
    else yield error
  }
}

function meantVariant(error: ValueError): ValueError[] | null {
  const variants = error.errors.map((each: ValueErrorIterator) => [...each])
  const inner = variants.filter(each =>
    each.every(
      ({ path, type }) => path.length > error.path.length && type !== ValueErrorType.ObjectMinProperties,
    ),
  )
  const strangers = (each: readonly ValueError[]) =>
    each.filter(({ type }) => type === ValueErrorType.ObjectAdditionalProperties).length
  const [best] = inner.sort((a, b) => strangers(a) - strangers(b) || a.length - b.length)
  return best ?? null
}

const pointerKeys = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))

function describe(
  error: ValueError,
  keys: readonly string[],
  root: Src,
  rootPath: string,
  { text }: ShapeContext,
): Found | null {
  const [place, path] = follow(root, keys, rootPath)
  const last = keys.at(-1) ?? ''
  if (error.type === ValueErrorType.ObjectRequiredProperty) {
    return {
      severity: 'error',
      code: 'missing_key',
      path,
      message: `${last} is missing: add it${expects(error.schema)}.`,
      from: place.from,
      to: place.to,
    }
  }
  if (place.type === 'broken') return null
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    return unknownKey(
      last,
      Object.keys(error.schema.properties ?? {}),
      follow(root, keys.slice(0, -1), rootPath),
    )
  }
  const { code, message, replacement } = repairOf(error, place, last, text)
  return {
    severity: 'error',
    code,
    path,
    message,
    from: place.from,
    to: place.to,
    ...(replacement && { fix: replaceRange(replacement.title, place.from, place.to, replacement.insert) }),
  }
}

const expects = (schema: TSchema): string => (typeof schema.expects === 'string' ? `, ${schema.expects}` : '')

/** A key that does not belong in a map, with the one that was probably meant. */
export function unknownKey(
  key: string,
  known: readonly string[],
  [map, path]: readonly [Src, string],
): Found {
  const entry = entryOf(map, key)
  const free = known.filter(one => !entryOf(map, one))
  const meant = nearest(key, free)
  const place = { from: entry?.keyFrom ?? map.from, to: entry?.keyTo ?? map.to }
  return {
    severity: 'error',
    code: 'unknown_key',
    path: keyPath(path, key),
    message: meant
      ? `There is no ${key} here: did you mean ${meant}?`
      : `There is no ${key} here: ${known.length > 0 ? `use ${known.join(', ')}` : 'take it out'}.`,
    ...place,
    ...(meant && { fix: replaceRange(`Change it to ${meant}`, place.from, place.to, meant) }),
  }
}

/** The node at some keys, or the last one on the way that is there, and the full path all the same. */
export function follow(
  root: Src,
  keys: readonly (string | number)[],
  rootPath: string,
): readonly [Src, string] {
  let [src, path, lost] = [root, rootPath, false]
  for (const key of keys) {
    path = src.type === 'list' && !lost ? `${path}[${key}]` : keyPath(path, String(key))
    const next: Src | undefined =
      src.type === 'list' ? src.items[Number(key)] : entryOf(src, String(key))?.value
    if (next && !lost) src = next
    else lost = true
  }
  return [src, path]
}

/** The repair that adds a key to a map. */
export const addKey = (map: Src, key: string, value: string, text: string) =>
  insertKey(
    `Add ${key}: ${value}`,
    map,
    `${/^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key)}: ${value}`,
    text,
  )
