import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Supervisor } from '../../../src/inference/index.ts'
import type { BruteForce } from './bare.ts'
import { Models, request, said } from './model.ts'

const models = new Models()
const before = '{"decision":"'
/** What is rarest is not followed, and a random model spells in all ways. */
const tolerance = 0.02
const within = { timeoutMs: 110_000 }
let child: Supervisor
let file: string

beforeAll(() => {
  file = models.write('options.gguf', {
    pieces: ['delivery', 'visitor', 'visi', '_known', '_unknown', '":"', ':"d', '","', 'gar', before],
    // How an answer begins is spelt in one way only, so that brute force looks at the same place.
    follows: { '\n': before },
  })
  child = models.supervise()
})
afterAll(() => models.close())

/** An answer that is the same but for one value, and what brute force needs to look at that. */
async function measured(options: readonly string[], begin = before, after = ',"reason":"x"}') {
  const quoted = options.map(option => JSON.stringify(JSON.stringify(option).slice(1, -1))).join(' | ')
  const grammar = `root ::= ${JSON.stringify(begin)} (${quoted}) ${JSON.stringify(`"${after}`)}`
  const asked = request(file, { grammar, maxTokens: 200, likelihood: { key: 'decision', options } })
  const answer = await said(child, asked)
  const question = '<|im_start|>user\nWho is there?<|im_end|>\n<|im_start|>assistant\n'
  const prompt = `<|endoftext|>${question}`
  const brute: BruteForce = { file: models.path(file), prompt, begin, options, after }
  return { answer, brute }
}

const total = (options: Record<string, number> = {}) => Object.values(options).reduce((a, b) => a + b, 0)

describe.each([
  ['that begin differently', ['person', 'vehicle', 'none']],
  ['of which one is a beginning of another', ['cab', 'cable', 'cable_car']],
  ['that share a long beginning', ['visitor_known', 'visitor_unknown', 'delivery']],
  ['of one letter', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
  ['with letters of two bytes and quotes', ['gâteau', 'garçon', 'gar"age']],
])('options %s', (_, options) => {
  test('have the probability that brute force finds', async () => {
    const { answer, brute } = await measured(options)
    const shares = options.map(option => answer.options?.[option] ?? Number.NaN)
    expect(total(answer.options)).toBeCloseTo(1, 9)
    const spelt = { ...brute, options: options.map(option => JSON.stringify(option).slice(1, -1)) }
    const truth = await child.call<number[]>('bruteForce', spelt, within)
    const off = shares.map((share, i) => Math.abs(share - (truth[i] ?? 0)))
    expect(Math.max(...off)).toBeLessThan(tolerance)
  })

  test('cost at most one reading of their tokens', async () => {
    const { answer } = await measured(options)
    const letters = options.reduce((sum, option) => sum + Buffer.byteLength(option) + 1, 0)
    expect(answer.likelihoodTokens).toBeGreaterThan(0)
    expect(answer.likelihoodTokens).toBeLessThanOrEqual(letters)
  })
})

test('of options that begin differently only the first step is read, as llama.cpp’s grammar allows it', async () => {
  const options = ['person', 'vehicle', 'none']
  const { answer, brute } = await measured(options)
  expect(answer.likelihoodTokens).toBe(1)
  const step = await child.call<[string, number][]>('firstStep', brute, within)
  for (const option of options) {
    const likely = step.filter(([text]) => option.startsWith(text)).reduce((sum, [, p]) => sum + p, 0)
    expect(answer.options?.[option]).toBeCloseTo(likely, 3)
  }
})

test('are found where a token holds the quote and the beginning of the value', async () => {
  // `":"` is one token here, so that no token ends where the value begins; spaces are allowed too.
  const { answer } = await measured(['day', 'dusk', 'night'], '{"a":1,"x":{"decision":"no"},"decision" : "')
  expect(total(answer.options)).toBeCloseTo(1, 9)
  const dense = await measured(['day', 'dusk', 'night'], '{"decision":"', '"}')
  expect(total(dense.answer.options)).toBeCloseTo(1, 9)
})

test('change nothing of the answer, nor of the next one', async () => {
  const grammar = 'root ::= "{\\"decision\\":\\"" ("yes" | "no") "\\"}"'
  const likelihood = { key: 'decision', options: ['yes', 'no'] }
  const plain = await said(child, request(file, { grammar }))
  const asked = await said(child, request(file, { grammar, likelihood }))
  expect(asked.text).toBe(plain.text)
  const after = await said(child, request(file, { grammar, seed: 7 }))
  expect(after.readTokens).toBe(0)
  await said(child, request(file, { messages: [{ role: 'user', text: 'other' }] }))
  expect((await said(child, request(file, { grammar, seed: 7 }))).text).toBe(after.text)
})

test('are left out where the answer has no such value', async () => {
  const grammar = 'root ::= "{\\"decision\\":\\"" ("yes" | "no") "\\"}"'
  for (const likelihood of [
    { key: 'other', options: ['yes', 'no'] },
    { key: 'decision', options: ['maybe'] },
    { key: 'decision', options: [] },
  ])
    expect((await said(child, request(file, { grammar, likelihood }))).options).toBeUndefined()
})
