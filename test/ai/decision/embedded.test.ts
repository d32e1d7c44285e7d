/** The real embedded model, a tiny random one, under the grammars of decisions: it talks nonsense of the right form. */
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { askDecision } from '../../../src/ai/decision/ask.ts'
import { questionOf } from '../../../src/ai/decision/question.ts'
import { EmbeddedModel, runLook, type TraceEntry } from '../../../src/ai/index.ts'
import { Models } from '../../inference/llama/model.ts'
import { eyes, gate, input } from '../looking.ts'
import { questions } from './questions.ts'

const models = new Models()
afterAll(() => models.close())
const file = models.write('tiny.gguf', { context: 8192 })
const model = new EmbeddedModel({
  name: 'tiny',
  inference: models.supervise(),
  model: { file, contextTokens: 8192 },
})
/** As many in one go as `GENERATIONS` says. */
const GENERATIONS = Number(process.env.GENERATIONS ?? '25')

test('whatever is asked, its answer has the form of a decision', async () => {
  let asked = 0
  let calls = 0
  for (const question of fc.sample(questions, { numRuns: GENERATIONS, seed: 7 })) {
    // Reports are read elsewhere: a random model writes them to their last letter.
    const short = Object.entries(question.fields).filter(([, { ask }]) => ask !== 'long_text')
    const trace: TraceEntry[] = []
    const outcome = await askDecision({
      language: model,
      question: { ...question, fields: Object.fromEntries(short) },
      messages: () => [{ role: 'user', text: `Question ${++asked}` }],
      now: () => Date.now(),
      deadline: Date.now() + 100_000,
      trace,
    })
    expect(outcome, JSON.stringify(trace)).toMatchObject({ ok: true })
    // One that writes byte by byte may write no letter at all; asked again it writes ASCII.
    calls += trace.length
    if (outcome.ok && question.options && trace.length === 1)
      expect(outcome.decision.source).toBe('likelihood')
  }
  expect(calls).toBeLessThan(1.5 * GENERATIONS)
})

test('a Look with it is as sure as its likelihoods say, and the same twice', async () => {
  const look = () =>
    runLook({ ...gate, floor: null }, input({ pictures: [], text: 'A van stops.' }), {
      ...eyes(null).tools,
      now: () => Date.now(),
      timeoutMs: 100_000,
      language: model,
    })
  const first = await look()
  expect(['delivery', 'visitor', 'unsure']).toContain(first.decision)
  const { result, tokensIn, tokensOut } = first.trace[0] ?? {}
  const { options } = result as { options: { [option: string]: number } }
  expect(Object.keys(options)).toEqual(['delivery', 'visitor', 'unsure'])
  expect(Object.values(options).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 6)
  if (first.decision !== 'unsure')
    expect(first).toMatchObject({ confidence: options[first.decision], confidenceSource: 'likelihood' })
  expect([tokensIn, tokensOut].every(tokens => (tokens ?? 0) > 10)).toBe(true)
  const second = await look()
  expect([second.decision, second.confidence, second.reason]).toEqual([
    first.decision,
    first.confidence,
    first.reason,
  ])
})

test('asked for agreement it draws three times', async () => {
  const question = questionOf({ ...gate, fields: {} }, new Set())
  if (!question) throw new Error('nothing to ask')
  const trace: TraceEntry[] = []
  const outcome = await askDecision({
    language: model,
    question,
    messages: () => [{ role: 'user', text: 'Who?' }],
    now: () => Date.now(),
    deadline: Date.now() + 100_000,
    trace,
    weighing: 'agreement',
  })
  expect(trace).toHaveLength(3)
  expect(outcome).toMatchObject({ ok: true, decision: { source: 'agreement' } })
  if (outcome.ok) expect([1 / 3, 2 / 3, 1]).toContain(outcome.decision.confidence)
})
