/** Bytes that a node of a payload costs besides its contents. */
const nodeBytes = 32

/**
 * About how many bytes `value` takes when it is sent. A view counts with its whole buffer, because that is what
 * a structured clone copies. Stops counting soon after `limit` is passed.
 */
export function sizeOf(value: unknown, limit = Number.MAX_SAFE_INTEGER): number {
  const seen = new Set<object>()
  const open: unknown[] = [value]
  let bytes = nodeBytes
  while (open.length > 0 && bytes <= limit) {
    const next = open.pop()
    if (typeof next === 'string') bytes += next.length * 2
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    if (next instanceof ArrayBuffer || next instanceof SharedArrayBuffer) bytes += next.byteLength
    for (const part of partsOf(next)) {
      open.push(part)
      bytes += nodeBytes
      if (bytes > limit) break
    }
  }
  return bytes
}

function* partsOf(value: object): Iterable<unknown> {
  if (ArrayBuffer.isView(value)) yield value.buffer
  else if (value instanceof Map) for (const entry of value) yield* entry
  else if (Array.isArray(value) || value instanceof Set) yield* value
  else for (const key of Object.keys(value)) yield* [key, (value as Record<string, unknown>)[key]]
}
