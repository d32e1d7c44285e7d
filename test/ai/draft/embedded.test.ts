/** The real embedded model, a tiny random one, under the grammar of drafts: nonsense that can be read as a file. */
import { afterAll, expect, test } from 'vitest'
import { formOf, TIGHT } from '../../../src/ai/draft/form.ts'
import { grammarOf } from '../../../src/ai/draft/grammar.ts'
import { readDraft } from '../../../src/ai/draft/read.ts'
import { EmbeddedModel } from '../../../src/ai/index.ts'
import { eventSchemas, registry } from '../../../src/contract/index.ts'
import { check } from '../../../src/engine/index.ts'
import { Models } from '../../inference/llama/model.ts'
import { site } from './world.ts'

const models = new Models()
afterAll(() => models.close())
const context = 8_192
const file = models.write('tiny.gguf', { context })
const model = new EmbeddedModel({
  name: 'tiny',
  inference: models.supervise(),
  model: { file, contextTokens: context },
})
const schemas = eventSchemas().map(({ schema }) => schema)
const names = { cameras: ['gate', 'yard'], lists: ['residents'], roles: ['guard'], destinations: ['chat'] }
const grammar = grammarOf(formOf(registry(), names, schemas, TIGHT), { ascii: true })

test.each([1, 2, 3])('what comes is a file of the right shape: %i', async seed => {
  const { text } = await model.chat({
    messages: [{ role: 'user', text: 'Tell the guard when somebody is in the yard.' }],
    grammar,
    temperature: 0.8,
    seed,
    maxTokens: 6_000,
    timeoutMs: 110_000,
  })
  const yaml = readDraft(text)
  expect(yaml, text).toMatch(/^contract: workflow.v1\nname: /)
  const { problems } = check(yaml ?? '', { site })
  const shape = ['unknown_key', 'missing_key', 'unknown_kind', 'value_one_test', 'wrong_mode']
  expect(problems.filter(({ code }) => shape.includes(code))).toEqual([])
})
