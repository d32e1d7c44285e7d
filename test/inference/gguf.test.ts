/** The reader of GGUF heads against files that are well, damaged and made to do harm. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { readGgufFileInfo } from 'node-llama-cpp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GatehouseError } from '../../src/core/index.ts'
import { headerOf, maxGgufHeader, readGguf, readGgufFile, weightsOf } from '../../src/inference/index.ts'
import { writeModel } from './llama/gguf.ts'

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-gguf-'))
const path = join(dir, 'tiny.gguf')
let bytes: Buffer
/** Where the weights begin: what comes before is the head. */
let head: number

beforeAll(() => {
  writeModel(path, { syllables: 500 })
  bytes = readFileSync(path)
  head = readGgufFile(path).weightsFrom
})
afterAll(() => rmSync(dir, { recursive: true }))

/** A source that counts, of `size` bytes; beyond `content` there are zeros. */
function counted(content: Uint8Array, size = content.length) {
  const source = {
    name: 'a.gguf',
    size,
    bytes: 0,
    read(into: Uint8Array, at: number): number {
      const length = Math.max(0, Math.min(into.length, size - at))
      into.fill(0, 0, length)
      into.set(content.subarray(Math.min(at, content.length), at + length), 0)
      source.bytes += length
      return length
    },
  }
  return source
}

/** All that is asked of a file; null where it was refused by an error of ours, in one line. */
function judged(content: Uint8Array, size?: number) {
  const source = counted(content, size)
  try {
    const gguf = readGguf(source)
    return { gguf, weights: weightsOf(gguf), header: headerOf(gguf), read: source.bytes }
  } catch (error) {
    expect(error).toBeInstanceOf(GatehouseError)
    expect(error).toMatchObject({ code: 'model_invalid', message: expect.stringMatching(/^a\.gguf [^\n]+$/) })
    return { refused: (error as Error).message, read: source.bytes }
  } finally {
    // Two windows at most above the bound: the last one may reach beyond.
    expect(source.bytes).toBeLessThanOrEqual(maxGgufHeader + 512 * 1024)
  }
}

describe('a file that is well', () => {
  it('says what the library reads of it, too', async () => {
    const gguf = readGgufFile(path)
    const info = await readGgufFileInfo(path, { logWarnings: false })
    expect(gguf.version).toBe(3)
    expect(gguf.values.get('tokenizer.chat_template')).toBe(info.metadata.tokenizer.chat_template)
    expect(gguf.values.get('llama.context_length')).toBe(4096)
    expect(gguf.values.get('tokenizer.ggml.tokens')).toMatchObject({
      length: info.metadata.tokenizer.ggml.tokens.length,
    })
    const tensors = info.fullTensorInfo ?? []
    expect(gguf.tensors.map(({ name, shape, type }) => ({ name, shape, type }))).toEqual(
      tensors.map(({ name, dimensions, ggmlType }) => ({
        name,
        shape: dimensions.map(Number),
        type: ggmlType,
      })),
    )
    expect(gguf.weightsFrom + (gguf.tensors.at(-1)?.offset ?? 0)).toBe(Number(tensors.at(-1)?.fileOffset))
    expect(weightsOf(gguf)).toMatchObject({ quantisation: 'F32' })
  })

  it('is read in its head only', () => {
    const { read } = judged(bytes, 100 * 1024 ** 3)
    expect(read).toBeLessThan(head + 512 * 1024)
  })

  it('and whose head is larger than what is read at once', () => {
    writeModel(path, { syllables: 30_000, embedding: 8, layers: 1, heads: 1, kvHeads: 1, feedForward: 8 })
    const { weightsFrom, values } = readGgufFile(path)
    expect(weightsFrom).toBeGreaterThan(512 * 1024)
    expect(values.get('tokenizer.chat_template')).toMatch(/im_start/)
  })
})

describe('a file that is not', () => {
  it('is refused where its head or its weights are cut off, wherever that is', () => {
    for (let length = 0; length < head; length += 61)
      expect(judged(bytes.subarray(0, length)).refused, `${length}`).toMatch(/cut off|damaged/)
    expect(judged(bytes.subarray(0, bytes.length - 4096)).refused).toMatch(/its weights need \d+ bytes/)
    expect(judged(bytes).refused).toBeUndefined()
  })

  it('is not read for longer than its bound, whatever lengths it claims', () => {
    const list = (type: number, length: bigint) => {
      const entry = Buffer.alloc(24 + 9 + 4 + 4 + 8)
      bytes.copy(entry, 0, 0, 24)
      entry.writeBigUInt64LE(1n, 16)
      entry.writeBigUInt64LE(1n, 24)
      entry.write('k', 32)
      entry.writeUInt32LE(9, 33)
      entry.writeUInt32LE(type, 37)
      entry.writeBigUInt64LE(length, 41)
      return entry
    }
    const huge = 1024 ** 4
    // Four million empty texts are 32 MB, which is within bounds; the zeros behind are no tensors.
    for (const length of [4_000_000n, 4_000_001n, 2n ** 40n, 2n ** 63n]) {
      for (const type of [0, 8, 9, 12, 77]) expect(judged(list(type, length), huge).refused).toBeDefined()
    }
  })

  it('never costs more than an error of ours, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(head - 1), fc.nat(255)), { minLength: 1, maxLength: 12 }),
        fc.option(fc.nat(head), { nil: undefined, freq: 4 }),
        (changes, length) => {
          const damaged = Buffer.from(bytes.subarray(0, length ?? bytes.length))
          for (const [at, value] of changes) if (at < damaged.length) damaged[at] = value
          judged(damaged)
        },
      ),
      { numRuns: 1500 },
    )
  })

  it('nor where all of it is made up, behind a beginning that is right', () => {
    const start = Buffer.concat([Buffer.from('GGUF'), Buffer.from([3, 0, 0, 0])])
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(20), (rest, entries) => {
        const counts = Buffer.alloc(16)
        counts.writeBigUInt64LE(1n, 0)
        counts.writeBigUInt64LE(BigInt(entries), 8)
        expect(judged(Buffer.concat([start, counts, rest])).refused).toBeDefined()
      }),
      { numRuns: 1000 },
    )
  })

  it('is named without what a terminal would obey', () => {
    const odd = join(dir, 'evil\u001b[31m\n.gguf')
    writeFileSync(odd, 'GGUF')
    expect(() => readGgufFile(odd)).toThrow('evil?[31m?.gguf is cut off')
    expect(() => readGgufFile(dir)).toThrow(/cannot be read/)
    expect(() => readGgufFile(join(dir, 'nothing.gguf'))).toThrow(/cannot be read/)
  })
})
