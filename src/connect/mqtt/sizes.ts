/** The other side says of a message that it is larger than what is taken. */
export class TooLarge extends Error {}

/**
 * Follows MQTT packets through the chunks of a stream, by their fixed headers alone: whoever parses them would first
 * gather a packet as a whole. The returned function is given each chunk; false: a packet is larger than `most` bytes, or
 * no packet at all.
 */
export function watchSizes(most: number): (chunk: Uint8Array) => boolean {
  /** Bytes of the packet that are still to come. */
  let left = 0
  /** Of its length so far: null between two packets. */
  let length: { value: number; shift: number } | null = null
  return chunk => {
    let at = 0
    while (at < chunk.length) {
      if (left > 0) {
        const step = Math.min(left, chunk.length - at)
        left -= step
        at += step
        continue
      }
      if (length === null) {
        length = { value: 0, shift: 0 }
        at++
        continue
      }
      const byte = chunk[at++] ?? 0
      length.value += (byte & 0x7f) * 2 ** length.shift
      length.shift += 7
      if (length.value > most || (byte & 0x80 && length.shift > 21)) return false
      if (byte & 0x80) continue
      left = length.value
      length = null
    }
    return true
  }
}
