/** Files as one archive that every tar reads (POSIX ustar). */
const BLOCK = 512

/** Names of at most 100 characters. `at`: epoch ms, of all of them. */
export function tarOf(
  files: readonly { name: string; bytes: Uint8Array }[],
  at: number,
): Uint8Array<ArrayBuffer> {
  const padded = (length: number) => Math.ceil(length / BLOCK) * BLOCK
  const size = files.reduce((sum, { bytes }) => sum + BLOCK + padded(bytes.length), 2 * BLOCK)
  const archive = new Uint8Array(size)
  let offset = 0
  for (const { name, bytes } of files) {
    archive.set(headerOf(name, bytes.length, at), offset)
    archive.set(bytes, offset + BLOCK)
    offset += BLOCK + padded(bytes.length)
  }
  return archive
}

function headerOf(name: string, size: number, at: number): Uint8Array {
  const header = new Uint8Array(BLOCK)
  const put = (text: string, from: number) => header.set(new TextEncoder().encode(text), from)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  put(name, 0)
  put(octal(0o600, 7), 100)
  put(octal(0, 7), 108)
  put(octal(0, 7), 116)
  put(octal(size, 11), 124)
  put(octal(Math.floor(at / 1000), 11), 136)
  put('        ', 148)
  put('0', 156)
  put('ustar\u000000', 257)
  const sum = header.reduce((all, byte) => all + byte, 0)
  put(`${octal(sum, 6)}\u0000 `, 148)
  return header
}
