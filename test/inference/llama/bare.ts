/** The library alone, as its own documentation uses it: what our way through it is compared with. */
import type { LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp'
import type { Job } from '../../../src/inference/index.ts'

interface Bare {
  model: LlamaModel
  sequence: LlamaContextSequence
}

async function open(file: string, threads: number): Promise<Bare> {
  const { getLlama, LlamaLogLevel } = await import('node-llama-cpp')
  const llama = await getLlama({
    build: 'never',
    gpu: false,
    logLevel: LlamaLogLevel.disabled,
    maxThreads: threads,
  })
  const model = await llama.loadModel({ modelPath: file })
  const context = await model.createContext({ contextSize: 2048, threads })
  return { model, sequence: context.getSequence() }
}

export interface BruteForce {
  file: string
  /** The conversation, the tokens of the template included. */
  prompt: string
  /** What the answer says before the value, in one token. */
  begin: string
  options: readonly string[]
  /** What the grammar demands after the value. */
  after: string
}

function spellings(model: LlamaModel): Map<Token, string> {
  const spelt = new Map<Token, string>()
  for (const token of model.iterateAllTokens()) {
    const text = model.detokenize([token], false)
    if (text && !text.includes('\u{fffd}')) spelt.set(token, text)
  }
  return spelt
}

function readBefore(model: LlamaModel, { prompt, begin }: BruteForce): Token[] {
  const token = [...spellings(model)].find(([, text]) => text === begin)?.[0]
  if (token === undefined) throw new Error(`no token says ${begin}`)
  return [...model.tokenize(prompt, true), token]
}

/**
 * Probability of each option by brute force: every way to spell it in tokens, each step read anew from the beginning
 * and held against everything that was allowed there.
 */
const bruteForce: Job = async (payload, { resource, threads }) => {
  const { file, options, after } = payload as BruteForce
  const { model, sequence } = await resource(
    `bare ${file}`,
    () => open(file, threads),
    async () => {},
  )
  const spelt = spellings(model)
  const before = readBefore(model, payload as BruteForce)
  const texts = options.map(option => `${option}"${after}`)
  const sums = options.map(() => 0)
  const explore = async (said: string, tokens: Token[], mass: number): Promise<void> => {
    const [only, ...more] = texts.flatMap((text, index) => (text.startsWith(said) ? [index] : []))
    if (only === undefined) return
    if (more.length === 0) {
      sums[only] = (sums[only] ?? 0) + mass
      return
    }
    await sequence.clearHistory()
    const all = [...before, ...tokens]
    const read = await sequence.controlledEvaluate(
      all
        .map((token, i) => [token, { generateNext: { probabilities: i === all.length - 1 } }] as const)
        .map(([token, options]): [Token, typeof options] => [token, options]),
    )
    const next = read.at(-1)?.next.probabilities
    const allowed = [...spelt].filter(([, text]) => texts.some(whole => whole.startsWith(said + text)))
    const sum = allowed.reduce((total, [token]) => total + (next?.get(token) ?? 0), 0)
    for (const [token, text] of allowed)
      await explore(said + text, [...tokens, token], (mass * (next?.get(token) ?? 0)) / sum)
  }
  await explore('', [], 1)
  return sums
}

/** The first step as llama.cpp's own grammar allows it: probability of each text that may come. */
const firstStep: Job = async (payload, { resource, threads }) => {
  const { file, options, after } = payload as BruteForce
  const { LlamaGrammarEvaluationState } = await import('node-llama-cpp')
  const { model, sequence } = await resource(
    `bare ${file}`,
    () => open(file, threads),
    async () => {},
  )
  const quoted = options.map(option => JSON.stringify(`${option}"${after}`)).join(' | ')
  const grammar = await model.llama.createGrammar({ grammar: `root ::= ${quoted}` })
  const grammarEvaluationState = new LlamaGrammarEvaluationState({ model, grammar })
  await sequence.clearHistory()
  const steps = sequence.evaluateWithMetadata(
    readBefore(model, payload as BruteForce),
    { probabilities: true },
    { temperature: 0, grammarEvaluationState },
  )
  const { value } = await steps.next()
  await steps.return()
  const likely = [...(value?.probabilities ?? [])].filter(([, probability]) => probability > 0)
  return likely.map(([token, probability]) => [model.detokenize([token], false), probability])
}

export interface BareRun {
  file: string
  /** The conversation, the tokens of the template included. */
  prompt: string
  tokens: number
  /** Forget everything first. */
  fresh: boolean
}

/** Milliseconds for reading a conversation and for generating so many tokens, by the shortest way that there is. */
const bareRun: Job = async (payload, { resource, threads }) => {
  const { file, prompt, tokens, fresh } = payload as BareRun
  const { model, sequence } = await resource(
    `bare ${file}`,
    () => open(file, threads),
    async () => {},
  )
  const all = model.tokenize(prompt, true)
  const last = all.slice(-1)
  if (fresh) await sequence.clearHistory()
  const started = performance.now()
  await sequence.adaptStateToTokens(all.slice(0, -1), false)
  const left = all.slice(sequence.nextTokenIndex, -1)
  if (left.length) await sequence.evaluateWithoutGeneratingNewTokens(left)
  const read = performance.now()
  let count = 0
  for await (const _ of sequence.evaluate(last, { temperature: 0.8, seed: 1 })) if (++count === tokens) break
  return { read: read - started, generate: performance.now() - read, tokensIn: all.length, count }
}

/** How many tokens the texts have together. */
const countTokens: Job = async (payload, { resource, threads }) => {
  const { file, texts } = payload as { file: string; texts: readonly string[] }
  const { model } = await resource(
    `bare ${file}`,
    () => open(file, threads),
    async () => {},
  )
  return texts.reduce((sum, text) => sum + model.tokenize(text, false).length, 0)
}

export const bareJobs: Readonly<Record<string, Job>> = { bruteForce, firstStep, bareRun, countTokens }
