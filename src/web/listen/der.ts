/** As much of DER as a certificate takes. */

/** A value with its tag and length; `parts` are put one behind the other. */
export function tlv(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const value = Buffer.concat(parts)
  const { length } = value
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}

export const sequence = (...parts: Uint8Array[]): Uint8Array => tlv(0x30, ...parts)
export const setOf = (...parts: Uint8Array[]): Uint8Array => tlv(0x31, ...parts)
export const octets = (bytes: Uint8Array): Uint8Array => tlv(0x04, bytes)
export const utf8 = (text: string): Uint8Array => tlv(0x0c, Buffer.from(text))
export const bits = (bytes: Uint8Array, unused = 0): Uint8Array => tlv(0x03, Buffer.from([unused]), bytes)
export const yes = (): Uint8Array => tlv(0x01, Buffer.from([0xff]))

/** A positive integer. */
export function integer(bytes: Uint8Array): Uint8Array {
  return (bytes[0] ?? 0) & 0x80 ? tlv(0x02, Buffer.from([0]), bytes) : tlv(0x02, bytes)
}

/** `1.2.840.10045.4.3.2` */
export function objectId(text: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const number of rest) {
    const group = [number & 127]
    for (let left = number >> 7; left > 0; left >>= 7) group.unshift((left & 127) | 128)
    bytes.push(...group)
  }
  return tlv(0x06, Buffer.from(bytes))
}

/** Epoch ms, to the second. */
export function time(ms: number): Uint8Array {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')
  const year = Number(digits.slice(0, 4))
  return year < 2050 ? tlv(0x17, Buffer.from(digits.slice(2))) : tlv(0x18, Buffer.from(digits))
}
