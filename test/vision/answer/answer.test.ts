/**
 * Models that see, from a folder of ONNX files, through the real library in the real child. The models are made by a
 * script and know bright from dark: what is shown here is the way of picture, question and answer, and no skill.
 */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { AnswererLanguageModel, type ChatRequest, LanguageError } from '../../../src/ai/index.ts'
import { ManualClock, systemClock } from '../../../src/core/index.ts'
import type { Supervisor } from '../../../src/inference/index.ts'
import { type AnswererModel, type AnswerReply, answerJob } from '../../../src/vision/index.ts'
import { childCommand, Folders, plainPicture } from './models.ts'

const folders = new Folders()
afterAll(() => folders.close())

const [bright, dark] = await Promise.all([plainPicture('bright'), plainPicture('dark')])
const schema = {
  properties: {
    open: { enum: ['yes', 'no', 'unsure'] },
    who: { maxLength: 40 },
    reason: { maxLength: 100 },
    decision: { enum: ['delivery', 'visitor', 'unsure'] },
  },
}

function asked(picture = bright, more: Partial<ChatRequest> = {}): ChatRequest {
  const messages = [{ role: 'user', text: 'never read', pictures: [picture] }] as const
  const task = 'Is the gate open ?'
  return { messages, task, schema, temperature: 0.8, seed: 1, maxTokens: 300, timeoutMs: 60_000, ...more }
}

const modelOf = (inference: Supervisor, model: AnswererModel, clock = systemClock) =>
  new AnswererLanguageModel({ inference, model, clock })

async function failure(call: Promise<unknown>): Promise<[string, string]> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof LanguageError)) throw new Error(`no LanguageError: ${error}`)
  expect(error.message).not.toMatch(/\n/)
  expect(error.message).not.toContain(folders.dir)
  return [error.failure, error.message]
}

const endless = folders.write('endless', { bright: ['so'], dark: ['so'], endless: true, ballast: 512 })
/** Asks for an answer that takes minutes. */
function long(inference: Supervisor, model: AnswererModel, signal?: AbortSignal): Promise<AnswerReply> {
  const request = { model, picture: bright.bytes, questions: ['Who ?'], maxTokens: 1_000_000 }
  return inference.call<AnswerReply>(answerJob, request, { timeoutMs: 300_000, ...(signal && { signal }) })
}

/** Resolves once the child is in the middle of an answer. */
async function busy(pid: number | null): Promise<void> {
  const used = () => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[13])
  const before = used()
  while (used() - before < 10) await new Promise(resolve => setTimeout(resolve, 5))
}

test.each(['smolvlm', 'llava', 'qwen2_vl'] as const)(
  'a %s answers by what is on the picture',
  async family => {
    const model = modelOf(
      folders.supervise(),
      folders.write(family, { family, bright: ['a', 'delivery', 'van'], dark: ['no,', 'one', 'visitor'] }),
    )
    expect(model).toMatchObject({ name: family, sees: true, onlyPictures: true, likelihoods: false })
    const answer = await model.chat(asked(bright))
    expect(JSON.parse(answer.text)).toEqual({
      open: 'unsure',
      who: 'a delivery van',
      decision: 'delivery',
      reason: 'a delivery van',
    })
    expect(answer.tokensOut).toBe(3 * 4)
    expect(answer.tokensIn).toBeGreaterThan(3 * 4)
    // What is denied and named at once is in doubt.
    expect(JSON.parse((await model.chat(asked(dark))).text)).toMatchObject({ open: 'no', decision: 'unsure' })
  },
)

test('is loaded in the child and never here', async () => {
  const inference = folders.supervise()
  await modelOf(inference, folders.write('there')).chat(asked())
  const native = /libonnxruntime/
  expect(readFileSync(`/proc/${inference.status().pid}/maps`, 'utf8')).toMatch(native)
  expect(readFileSync('/proc/self/maps', 'utf8')).not.toMatch(native)
})

test('signs of the model in a question are only left out', async () => {
  const model = modelOf(folders.supervise(), folders.write('signs', { bright: ['yes'], dark: ['no'] }))
  const task = '<image> <end> <answer> Is <image><fake_token_around_image> it open ?'
  expect(JSON.parse((await model.chat(asked(bright, { task }))).text).open).toBe('yes')
  expect(JSON.parse((await model.chat(asked(dark, { task }))).text).open).toBe('no')
})

test('an answer that is called off ends in the child too, which is free for the next one', async () => {
  const inference = folders.supervise()
  const model = modelOf(inference, endless)
  await model.chat(asked())
  const { pid } = inference.status()
  const controller = new AbortController()
  const answer = long(inference, endless, controller.signal).catch(error => error.failure)
  await busy(pid)
  controller.abort()
  expect(await answer).toBe('aborted')
  expect((await model.chat(asked())).tokensOut).toBe(3 * 64)
  expect(inference.status()).toMatchObject({ pid, restarts: 0 })
})

test('an answer that takes too long is ended and costs neither the child nor the model', async () => {
  const clock = new ManualClock(0)
  const inference = folders.supervise({ clock })
  const slow = folders.write('slow', { bright: ['so'], endless: true, ballast: 2048 })
  const model = modelOf(inference, slow, clock)
  const first = model.chat(asked(bright, { schema: { properties: { who: { maxLength: 40 } } } }))
  expect((await first).tokensOut).toBe(64)
  const { pid } = inference.status()
  const answer = failure(model.chat(asked(bright, { timeoutMs: 5000 })))
  await busy(pid)
  clock.advance(5000)
  expect(await answer).toEqual(['timeout', 'slow took longer than 5000 ms'])
  expect(inference.status()).toMatchObject({ pid, restarts: 0 })
})

test('kill -9 in the middle of an answer is down, and the next call is answered', async () => {
  const inference = folders.supervise()
  const model = modelOf(inference, endless)
  await model.chat(asked())
  const { pid } = inference.status()
  const answer = long(inference, endless).catch(error => error.failure)
  await busy(pid)
  process.kill(pid ?? 0, 'SIGKILL')
  expect(await answer).toBe('crashed')
  expect((await model.chat(asked())).tokensOut).toBe(3 * 64)
  expect(inference.status().restarts).toBe(1)
})

test('a folder that was exchanged is loaded anew', async () => {
  const inference = folders.supervise()
  const model = modelOf(inference, folders.write('changed', { bright: ['yes'] }))
  expect(JSON.parse((await model.chat(asked())).text).open).toBe('yes')
  rmSync(folders.path('changed'), { recursive: true })
  folders.write('changed', { bright: ['no'], dark: ['yes'] })
  expect(JSON.parse((await model.chat(asked())).text).open).toBe('no')
})

test('what it cannot take is refused', async () => {
  const model = modelOf(folders.supervise(), folders.write('fine'))
  const none = { messages: [{ role: 'user', text: 'look' }] } as const
  expect((await failure(model.chat(asked(bright, none))))[0]).toBe('refused')
  const { schema: _, ...free } = asked()
  expect((await failure(model.chat(free)))[0]).toBe('refused')
  const damaged = { ...bright, bytes: bright.bytes.slice(0, 300) }
  expect(await failure(model.chat(asked(damaged)))).toEqual(['refused', expect.stringContaining('damaged')])
})

test.each<[string, (name: string) => void, RegExp]>([
  [
    'a part cut off',
    name => truncateSync(folders.path(name, 'onnx/vision_encoder.onnx'), 200),
    /cannot be loaded/,
  ],
  [
    'a part missing',
    name => rmSync(folders.path(name, 'onnx/embed_tokens.onnx')),
    /has no onnx.embed_tokens/,
  ],
  ['no tokenizer', name => rmSync(folders.path(name, 'tokenizer.json')), /cannot be loaded/],
  ['no JSON', name => writeFileSync(folders.path(name, 'config.json'), '{'), /cannot be loaded/],
  [
    'another kind',
    name => writeFileSync(folders.path(name, 'config.json'), '{"model_type":"gpt2"}'),
    /not a kind/,
  ],
  [
    'a link',
    name => {
      rmSync(folders.path(name, 'onnx/embed_tokens.onnx'))
      symlinkSync(
        folders.path('endless/onnx/embed_tokens.onnx'),
        folders.path(name, 'onnx/embed_tokens.onnx'),
      )
    },
    /holds links/,
  ],
])('%s is down in one line, and the child lives', async (what, spoil, words) => {
  const name = what.replaceAll(' ', '-')
  const model = folders.write(name)
  spoil(name)
  const inference = folders.supervise()
  expect(await failure(modelOf(inference, model).chat(asked()))).toEqual([
    'down',
    expect.stringMatching(words),
  ])
  expect(inference.status().restarts).toBe(0)
})

const strace =
  Bun.which('strace') !== null &&
  Bun.spawnSync(['strace', '-o', '/dev/null', 'true'], { stderr: 'ignore' }).exitCode === 0

test.skipIf(!strace)('looks nothing up, connects to nothing and writes nothing', async () => {
  const model = folders.write('quiet')
  // Files that the library would fetch where it may.
  rmSync(folders.path('quiet/generation_config.json'))
  const home = mkdtempSync(folders.path('home-'))
  const trace = folders.path('calls')
  const env = ['env', `HOME=${home}`, `TMPDIR=${home}`, 'BUN_RUNTIME_TRANSPILER_CACHE_PATH=0']
  const tracing = ['strace', '-f', '-o', trace, '-e', 'trace=%network,%file']
  const inference = folders.supervise({ command: [...env, ...tracing, ...childCommand] })
  await modelOf(inference, model).chat(asked())
  await inference.stop()

  expect(readdirSync(home, { recursive: true })).toEqual([])
  const calls = readFileSync(trace, 'utf8').split('\n')
  // It was watched: the model was opened under these eyes.
  expect(calls.some(call => call.includes('decoder_model_merged.onnx'))).toBe(true)
  expect(calls.filter(call => /\bsocket\(AF_(INET6?|NETLINK)|resolv\.conf/.test(call))).toEqual([])
  const writes = calls.filter(call => /O_WRONLY|O_RDWR|O_CREAT|^\d+\s+(mkdir|unlink|rename)/.test(call))
  const written = new Set(writes.map(call => /"([^"]+)"/.exec(call)?.[1] ?? call))
  written.delete('/proc/self/oom_score_adj')
  written.delete('/dev/null')
  expect([...written]).toEqual([])
})
