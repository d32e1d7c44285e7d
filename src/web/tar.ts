/** Files as one archive that every tar reads (POSIX ustar). */
const BLOCK = 512

/** Names of at most 100 characters. `at`: epoch ms, of all of them. Each is read when its turn comes, and then let go. */
export function tarOf(
  files: AsyncIterable<{ name: string; bytes: Uint8Array }>,
  at: number,
): ReadableStream<Uint8Array> {
  const blocks = blocksOf(files, at)
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await blocks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => {
        await blocks.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

async function* blocksOf(
  files: AsyncIterable<{ name: string; bytes: Uint8Array }>,
  at: number,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const { name, bytes } of files) {
    yield headerOf(name, bytes.length, at)
    if (bytes.length) yield bytes
    const padding = -bytes.length & (BLOCK - 1)
    if (padding) yield new Uint8Array(padding)
  }
  yield new Uint8Array(2 * BLOCK)
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
