/** Model files that are none, or not whole, or made to do harm; and models that are too large. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  InferenceError,
  type LanguageFile,
  type LoadAnswer,
  loadLanguageJob,
  type Supervisor,
} from '../../../src/inference/index.ts'
import { random } from './gguf.ts'
import { Models, request, said } from './model.ts'

const models = new Models()
let child: Supervisor
let tiny: string
let bytes: Buffer

beforeAll(() => {
  tiny = models.write('tiny.gguf')
  bytes = readFileSync(models.path(tiny))
  child = models.supervise()
})
afterAll(() => models.close())

const load = (file: string, more: Partial<LanguageFile> = {}) =>
  child.call<LoadAnswer>(loadLanguageJob, { file, contextTokens: 512, ...more }, { timeoutMs: 110_000 })

/** Why the file is refused, in one line. */
async function refusal(file: string, more?: Partial<LanguageFile>): Promise<string> {
  const answer = await load(file, more)
  if (answer.ok) throw new Error(`${file} was loaded`)
  expect(answer.failure).toBe('down')
  expect(answer.message).not.toContain('\n')
  // Where the box keeps its files is nobody's business.
  expect(answer.message).not.toContain(models.dir)
  return answer.message
}

const wrote = (name: string, content: string | Uint8Array) => {
  writeFileSync(models.path(name), content)
  return name
}

test('says what it loaded', async () => {
  expect(await load(tiny)).toEqual({
    ok: true,
    loaded: {
      architecture: 'llama',
      template: 'ChatML',
      contextTokens: 512,
      trainedTokens: 4096,
      bytes: bytes.length,
      backend: 'cpu',
      threads: expect.any(Number),
    },
  })
  expect(await load(models.path(tiny), { contextTokens: 100_000, threads: 1 })).toMatchObject({
    loaded: { contextTokens: 4096, threads: 1 },
  })
})

describe('refuses', () => {
  test('what is not there', async () => expect(await refusal('gone.gguf')).toMatch(/not there/))
  test('an empty file', async () => expect(await refusal(wrote('empty.gguf', ''))).toMatch(/cut off/))
  test('another kind of file', async () =>
    expect(await refusal(wrote('text.gguf', 'what a day'))).toMatch(/no GGUF file/))
  test('another version', async () => {
    const other = Buffer.from(bytes)
    other.writeUInt32LE(9, 4)
    expect(await refusal(wrote('version.gguf', other))).toMatch(/version 9/)
  })
  test('a folder', async () => {
    symlinkSync('/tmp', models.path('folder.gguf'))
    await expect(refusal('folder.gguf')).resolves.toMatch(/folder.gguf/)
  })
  test.each([8, 30, 3000, 12_000])('a file that is cut off after %i bytes', async length => {
    expect(await refusal(wrote('short.gguf', bytes.subarray(0, length)))).toMatch(/cut off|damaged/)
  })
  test('a file that lacks its last weights', async () => {
    expect(await refusal(wrote('nearly.gguf', bytes.subarray(0, bytes.length - 4096)))).toMatch(/damaged/)
  })
  test('a model that does not fit into memory, before it is loaded', async () => {
    const message = await refusal(tiny, { maxBytes: 1_000_000 })
    expect(message).toMatch(/needs about 0\.\d+ GB of memory and 0\.00 GB can be had: choose/)
    const wide = models.write('wide.gguf', { context: 2 ** 31 })
    expect(await refusal(wide, { contextTokens: 2 ** 31 })).toMatch(/needs about \d+\.\d GB/)
  })
  test('counts and lengths that no file has', async () => {
    for (const at of [8, 16, 24]) {
      const hostile = Buffer.from(bytes)
      hostile.writeBigUInt64LE(2n ** 62n, at)
      expect(await refusal(wrote('hostile.gguf', hostile)), `at ${at}`).toMatch(/cut off or damaged/)
    }
  })
})

test('whatever is wrong in a file, the next call is answered', async () => {
  const next = random(7)
  let refused = 0
  for (let round = 0; round < 25; round++) {
    const damaged = Buffer.from(bytes)
    // The header with its names and numbers is the first part; weights are only numbers.
    for (let i = 0; i < 8; i++) damaged[24 + Math.floor(next() * 9000)] = Math.floor(next() * 256)
    try {
      const answer = await load(wrote(`damaged-${round}.gguf`, damaged))
      if (!answer.ok) refused++
    } catch (error) {
      // Native code that a file brought down takes its process along, and no other.
      expect(error).toBeInstanceOf(InferenceError)
      refused++
    }
  }
  expect(refused).toBeGreaterThan(0)
  expect((await said(child, request(tiny))).tokensOut).toBeGreaterThan(0)
})
