import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChatRequest, EmbeddedModel, LanguageError } from '../../../src/ai/index.ts'
import { ManualClock } from '../../../src/core/index.ts'
import { type Inference, InferenceError, type InferenceFailure } from '../../../src/inference/index.ts'
import { childCommand, Models } from '../../inference/llama/model.ts'

const models = new Models()
let tiny: string
let endless: string

beforeAll(() => {
  tiny = models.write('tiny.gguf')
  endless = models.write('endless.gguf', { blank: true, context: 1 << 16, follows: { '\n': 'a', a: 'a' } })
})
afterAll(() => models.close())

const file = (name: string) => ({ file: name, contextTokens: 4096 })

function asked(more: Partial<ChatRequest> = {}): ChatRequest {
  const messages = [{ role: 'user', text: 'Who is there?' }] as const
  return { messages, temperature: 0.8, seed: 1, maxTokens: 32, timeoutMs: 110_000, ...more }
}

/** An answer that takes seconds. */
const long = (more: Partial<ChatRequest> = {}) => asked({ maxTokens: 60_000, temperature: 0, ...more })
const longModel = { file: '', contextTokens: 1 << 16 }

/** Why the call failed, and what was said. */
async function failure(call: Promise<unknown>): Promise<[string, string]> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof LanguageError)) throw new Error(`no LanguageError: ${error}`)
  return [error.failure, error.message]
}

/** Resolves once the child is in the middle of an answer. */
async function busy(pid: number | null): Promise<void> {
  const used = () => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[13])
  const before = used()
  while (used() - before < 3) await new Promise(resolve => setTimeout(resolve, 5))
}

test('answers with text, tokens and likelihoods', async () => {
  const model = new EmbeddedModel({ name: 'tiny-random', inference: models.supervise(), model: file(tiny) })
  expect(model).toMatchObject({ name: 'tiny-random', sees: false, likelihoods: true, backend: 'cpu' })
  expect(await model.load({ timeoutMs: 110_000 })).toMatchObject({
    architecture: 'llama',
    contextTokens: 4096,
  })
  const grammar = 'root ::= "{\\"who\\":\\"" ("guest" | "nobody") "\\"}"'
  const answer = await model.chat(
    asked({ grammar, likelihood: { key: 'who', options: ['guest', 'nobody'] } }),
  )
  expect(Object.keys(answer).sort()).toEqual(['ms', 'options', 'text', 'tokensIn', 'tokensOut'])
  expect(['guest', 'nobody']).toContain(JSON.parse(answer.text).who)
  expect(Object.values(answer.options ?? {}).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
  expect(await model.chat(asked())).not.toHaveProperty('options')
})

test('is loaded in the child and never here', async () => {
  const inference = models.supervise()
  const model = new EmbeddedModel({ name: 'tiny', inference, model: file(tiny) })
  await model.chat(asked())
  const native = /libllama|llama-addon|libggml/
  expect(readFileSync(`/proc/${inference.status().pid}/maps`, 'utf8')).toMatch(native)
  expect(readFileSync('/proc/self/maps', 'utf8')).not.toMatch(native)
})

test('an answer that is called off ends in the child too, which is free for the next call and remembers', async () => {
  const inference = models.supervise()
  const model = new EmbeddedModel({ name: 'endless', inference, model: { ...longModel, file: endless } })
  await model.load({ timeoutMs: 110_000 })
  const { pid } = inference.status()
  const controller = new AbortController()
  const answer = failure(model.chat(long({ signal: controller.signal })))
  await busy(pid)
  controller.abort()
  expect((await answer)[0]).toBe('aborted')
  // It would take minutes, had the first answer to be ended before.
  expect((await model.chat(asked({ temperature: 0 }))).text).toBe('a'.repeat(32))
  expect(inference.status()).toMatchObject({ pid, restarts: 0 })
  expect((await failure(model.chat(long({ signal: AbortSignal.abort() }))))[0]).toBe('aborted')
})

test('an answer that takes too long is ended and costs neither the child nor the model', async () => {
  const clock = new ManualClock(0)
  const inference = models.supervise({ clock })
  const options = { name: 'endless', inference, model: { ...longModel, file: endless }, clock }
  const model = new EmbeddedModel(options)
  await model.load({ timeoutMs: 110_000 })
  const { pid } = inference.status()
  const answer = failure(model.chat(long({ timeoutMs: 5000 })))
  await busy(pid)
  clock.advance(5000)
  expect(await answer).toEqual(['timeout', 'endless took longer than 5000 ms'])
  expect((await model.chat(asked({ temperature: 0 }))).text).toBe('a'.repeat(32))
  expect(inference.status()).toMatchObject({ pid, restarts: 0 })
})

test('kill -9 in the middle of an answer is down, and the next call is answered', async () => {
  const inference = models.supervise()
  const model = new EmbeddedModel({ name: 'endless', inference, model: { ...longModel, file: endless } })
  await model.load({ timeoutMs: 110_000 })
  const { pid } = inference.status()
  const answer = failure(model.chat(long()))
  await busy(pid)
  process.kill(pid ?? 0, 'SIGKILL')
  expect(await answer).toEqual(['down', expect.stringContaining('SIGKILL')])
  expect((await model.chat(asked({ temperature: 0 }))).text).toBe('a'.repeat(32))
  expect(inference.status().restarts).toBe(1)
})

test('what it cannot take is refused, what cannot be loaded is down', async () => {
  const inference = models.supervise()
  const model = new EmbeddedModel({ name: 'tiny', inference, model: file(tiny) })
  const picture = { bytes: new Uint8Array(1), takenAt: 0, source: 'gate' }
  const seeing = { role: 'user', text: 'look', pictures: [picture] } as const
  expect((await failure(model.chat(asked({ messages: [seeing] }))))[0]).toBe('refused')
  expect((await failure(model.chat(asked({ grammar: 'nothing' }))))[0]).toBe('refused')
  expect((await failure(model.chat(asked({ maxTokens: 5000 }))))[0]).toBe('refused')
  const gone = new EmbeddedModel({ name: 'gone', inference, model: file('gone.gguf') })
  expect(await failure(gone.chat(asked()))).toEqual(['down', expect.stringContaining('add it again')])
  const none = models.supervise({ command: [...childCommand.slice(0, 1), '/nowhere.ts'] })
  const dead = new EmbeddedModel({ name: 'dead', inference: none, model: file(tiny) })
  expect((await failure(dead.chat(asked({ timeoutMs: 500 }))))[0]).toMatch(/down|timeout/)
})

test.each<[InferenceFailure, string]>([
  ['unavailable', 'down'],
  ['crashed', 'down'],
  ['job_failed', 'down'],
  ['overloaded', 'overloaded'],
  ['timeout', 'timeout'],
  ['aborted', 'aborted'],
])('%s of the child is %s', async (failed, expected) => {
  const inference: Inference = {
    call: () => Promise.reject(new InferenceError(failed, 'so it is')),
    status: () => ({ state: 'ready', pid: 1, restarts: 0, pending: 0 }),
  }
  const model = new EmbeddedModel({ name: 'none', inference, model: file(tiny) })
  expect(await failure(model.chat(asked()))).toEqual([expected, 'so it is'])
})
