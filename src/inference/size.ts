/** Bytes that a node of a payload costs besides its contents. */
const nodeBytes = 32

/**
 * About how many bytes `value` takes when it is sent. A view counts with its whole buffer, because that is what
 * a structured clone copies. Stops counting once `limit` is passed.
 */
export function sizeOf(value: unknown, limit = Number.MAX_SAFE_INTEGER): number {
  const seen = new Set<object>()
  const open: unknown[] = [value]
  let bytes = 0
  while (open.length > 0 && bytes <= limit) {
    const next = open.pop()
    bytes += nodeBytes
    if (typeof next === 'string') bytes += next.length * 2
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    if (ArrayBuffer.isView(next)) open.push(next.buffer)
    else if (next instanceof ArrayBuffer || next instanceof SharedArrayBuffer) bytes += next.byteLength
    else if (next instanceof Map) open.push(...next.keys(), ...next.values())
    else if (next instanceof Set) open.push(...next)
    else for (const key of Object.keys(next)) open.push(key, (next as Record<string, unknown>)[key])
  }
  return bytes
}
