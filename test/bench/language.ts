/**
 * A language model through our way to it, against the bare library in a process of its own. The model is random: it
 * tells how quick it is and nothing of how good.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChatRequest, EmbeddedModel } from '../../src/ai/index.ts'
import { noLog } from '../../src/core/index.ts'
import {
  type ChatReply,
  chatJob,
  type LanguageChat,
  loadLanguageJob,
  Supervisor,
} from '../../src/inference/index.ts'
import type { BareRun } from '../inference/llama/bare.ts'
import { big, writeModel } from '../inference/llama/gguf.ts'
import { askedBy } from '../inference/llama/grammars.ts'
import { longestBlock } from './event-loop.ts'
import { type Measure, measured, median } from './measure.ts'

const child = join(import.meta.dirname, '../inference/llama/child.ts')
const patient = { timeoutMs: 300_000 }
const contextTokens = 2048

/** As an answer to a step looks. */
const options = ['delivery', 'visitor_known', 'visitor_unknown', 'cab', 'nobody']
const decision = `root ::= "{\\"decision\\":\\"" (${options.map(name => `"${name}"`).join(' | ')}) "\\"}"`

export async function bench(): Promise<Measure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-language-'))
  writeModel(join(dir, 'big.gguf'), big)
  writeModel(join(dir, 'tiny.gguf'))
  const start = () => new Supervisor({ command: [process.execPath, child], modelsDir: dir, log: noLog })
  const bench = new LanguageBench(dir, start(), start())
  try {
    return [
      ...(await bench.speed()),
      await bench.draws(),
      await bench.likelihood(),
      await bench.calledOff(),
      await bench.loop(),
      await bench.valid(),
    ]
  } finally {
    await bench.stop()
    rmSync(dir, { recursive: true })
  }
}

class LanguageBench {
  readonly #dir: string
  readonly #ours: Supervisor
  readonly #bare: Supervisor
  readonly #model: EmbeddedModel
  readonly #file = { file: 'big.gguf', contextTokens }
  #count = 0

  constructor(dir: string, ours: Supervisor, bare: Supervisor) {
    this.#dir = dir
    this.#ours = ours
    this.#bare = bare
    this.#model = new EmbeddedModel({ name: 'random', inference: ours, model: this.#file })
  }

  async stop(): Promise<void> {
    await Promise.all([this.#ours.stop(), this.#bare.stop()])
  }

  /** Turn by turn, so that a busy moment falls on both; each has the model in its own memory. */
  async speed(): Promise<Measure[]> {
    const [rounds, tokens] = [30, 24]
    const ours: number[] = []
    const bare: number[] = []
    const text = this.#text(100)
    for (let round = -3; round < rounds; round++) {
      const { count, generate } = await this.#runBare(text, tokens, false)
      const answer = await this.#model.chat(this.#request(text, { maxTokens: tokens }))
      if (round < 0) continue
      bare.push((count / generate) * 1000)
      ours.push((answer.tokensOut / answer.ms) * 1000)
    }
    const generating = measured('language tokens', median(ours), 'tokens/s', { atLeast: 0.95 }, median(bare))
    return [generating, await this.#reading()]
  }

  /** Ours reads in short pieces, so that it can be called off; the library in pieces of 512 tokens. */
  async #reading(): Promise<Measure> {
    const ours: number[] = []
    const bare: number[] = []
    for (let round = 0; round < 5; round++) {
      const text = this.#text(500)
      const { read, tokensIn } = await this.#runBare(text, 1, true)
      const said = await this.#say(text, { maxTokens: 1 })
      bare.push((tokensIn / read) * 1000)
      ours.push((said.readTokens / said.ms.read) * 1000)
    }
    return measured('language reading', median(ours), 'tokens/s', { atLeast: 0.75 }, median(bare))
  }

  async draws(): Promise<Measure> {
    const one: number[] = []
    const three: number[] = []
    for (let round = 0; round < 5; round++) {
      for (const [draws, times] of [
        [1, one],
        [3, three],
      ] as const) {
        const text = this.#text(1000)
        const started = performance.now()
        for (let seed = 1; seed <= draws; seed++)
          await this.#model.chat(this.#request(text, { grammar: decision, seed }))
        times.push(performance.now() - started)
      }
    }
    return measured('language three draws', median(three), 'ms', { atMost: 1.3 }, median(one))
  }

  async likelihood(): Promise<Measure> {
    const likelihood = { key: 'decision', options }
    const said = await this.#say(this.#text(100), { grammar: decision, likelihood })
    const texts = options.map(option => `${option}"`)
    const request = { file: join(this.#dir, 'big.gguf'), texts }
    const tokens = await this.#bare.call<number>('countTokens', request, patient)
    return measured('language likelihood', said.likelihoodTokens, 'tokens', { atMost: 1 }, tokens)
  }

  /** From calling off to the answer to the next job: while it reads, and while it generates. */
  async calledOff(): Promise<Measure> {
    const times: number[] = []
    for (let round = 0; round < 40; round++) {
      const controller = new AbortController()
      const { signal } = controller
      const text = this.#text(round % 2 ? 1000 : 10)
      const answer = this.#model.chat(this.#request(text, { maxTokens: 800, signal })).catch(() => {})
      await Bun.sleep(200 + 23 * round)
      const started = performance.now()
      controller.abort()
      await this.#ours.call(loadLanguageJob, this.#file, patient)
      times.push(performance.now() - started)
      await answer
    }
    const sorted = times.sort((a, b) => a - b)
    const worst = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN
    return measured('language called off, p95', worst, 'ms', { atMost: 100 })
  }

  async loop(): Promise<Measure> {
    const block = await longestBlock(async () => {
      const likelihood = { key: 'decision', options }
      const asked = this.#request(this.#text(1000), { grammar: decision, likelihood })
      for (let seed = 1; seed <= 3; seed++) await this.#model.chat({ ...asked, seed })
    })
    return measured('language event loop', block, 'ms', { atMost: 20 })
  }

  async valid(): Promise<Measure> {
    let wrong = 0
    const model = { file: 'tiny.gguf', contextTokens }
    for (let seed = 1; seed <= 1000; seed++) {
      const { grammar, wrong: why } = askedBy(seed)
      const { text } = await this.#say('Who is there?', { model, grammar, seed, maxTokens: 300 })
      if (why(text) !== null) wrong++
    }
    return measured('language answers out of 1000', wrong, 'invalid', { atMost: 0 })
  }

  /** About so many tokens that were never read before, from the first on. */
  #text(tokens: number): string {
    return `${++this.#count} `.repeat(Math.ceil(tokens / (String(this.#count).length + 1)))
  }

  #request(text: string, more: Partial<ChatRequest> = {}): ChatRequest {
    const messages = [{ role: 'user', text }] as const
    return { messages, temperature: 0.8, seed: 1, maxTokens: 64, ...patient, ...more }
  }

  /** Our way with what the child tells of it. */
  async #say(text: string, more: Partial<LanguageChat> = {}) {
    const { messages, temperature, seed, maxTokens } = this.#request(text)
    const texts = messages.map(({ role, text }) => ({ role, text }))
    const request: LanguageChat = {
      model: this.#file,
      messages: texts,
      temperature,
      seed,
      maxTokens,
      ...more,
    }
    const reply = await this.#ours.call<ChatReply>(chatJob, request, patient)
    if (!reply.ok) throw new Error(reply.message)
    return reply.said
  }

  #runBare(text: string, tokens: number, fresh: boolean) {
    const prompt = `<|endoftext|><|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`
    const run: BareRun = { file: join(this.#dir, 'big.gguf'), prompt, tokens, fresh }
    return this.#bare.call<{ read: number; generate: number; tokensIn: number; count: number }>(
      'bareRun',
      run,
      patient,
    )
  }
}
