/** How video is packed into RTP: where a whole picture begins is told by a few bits (RFC 6184, RFC 7798). */
export type Codec = 'h264' | 'h265'

const RTP_HEADER = 12

/** The codec that a description of a stream names, or null where it is none of those that are known here. */
export function codecIn(sdp: string): Codec | null {
  const [, name = ''] = /^a=rtpmap:\d+ (H26[45]|HEVC)\//im.exec(sdp) ?? []
  return name === '' ? null : name.toUpperCase() === 'H264' ? 'h264' : 'h265'
}

/** Whether a packet begins a picture that can be shown without any before it. */
export function beginsKeyFrame(packet: Uint8Array, codec: Codec): boolean {
  const [first = 0] = packet
  let at = RTP_HEADER + (first & 0x0f) * 4
  // An extension says how long it is, in words.
  if (first & 0x10) at += 4 + 4 * (((packet[at + 2] ?? 0) << 8) | (packet[at + 3] ?? 0))
  return codec === 'h264' ? isKey264(packet, at) : isKey265(packet, at)
}

/** A picture of its own, what describes one, several units in one packet, or the first piece of one. */
function isKey264(packet: Uint8Array, at: number): boolean {
  const isKey = (type: number) => type === 5 || type === 7
  const type = (packet[at] ?? 0) & 0x1f
  if (type === 24) return isKey((packet[at + 3] ?? 0) & 0x1f)
  const piece = packet[at + 1] ?? 0
  return type === 28 ? (piece & 0x80) !== 0 && isKey(piece & 0x1f) : isKey(type)
}

function isKey265(packet: Uint8Array, at: number): boolean {
  const isKey = (type: number) => (type >= 16 && type <= 21) || (type >= 32 && type <= 34)
  const typeAt = (place: number) => ((packet[place] ?? 0) >> 1) & 0x3f
  const type = typeAt(at)
  if (type === 48) return isKey(typeAt(at + 4))
  const piece = packet[at + 2] ?? 0
  return type === 49 ? (piece & 0x80) !== 0 && isKey(piece & 0x3f) : isKey(type)
}
