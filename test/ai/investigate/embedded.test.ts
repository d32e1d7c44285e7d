/** The real embedded model, a tiny random one, in the tool loop: whatever nonsense it talks has the form of a call. */
import { afterAll, expect, test } from 'vitest'
import { EmbeddedModel, ToolBox } from '../../../src/ai/index.ts'
import { callForm, readCall } from '../../../src/ai/investigate/call.ts'
import { makeTool } from '../../../src/kinds/index.ts'
import { Models } from '../../inference/llama/model.ts'
import { roomOf } from '../../kinds/tool-room.ts'
import { World } from './world.ts'

const models = new Models()
afterAll(() => models.close())
const file = models.write('tiny.gguf', { context: 8192 })
const model = new EmbeddedModel({
  name: 'tiny',
  inference: models.supervise(),
  model: { file, contextTokens: 8192 },
})
const tools = (...names: string[]) => names.flatMap(name => makeTool(name, roomOf()) ?? [])

test('says calls that are read, of every tool without a free text', async () => {
  const box = new ToolBox(
    tools('describe_camera', 'detect_objects', 'recent_events', 'describe_event', 'describe_window'),
  )
  const { grammar, schema, maxTokens } = callForm(box.offered)
  const names = new Set<string>()
  for (let seed = 1; seed <= 20; seed++) {
    const { text } = await model.chat({
      messages: [{ role: 'user', text: 'Call a tool.' }],
      ...{ grammar, schema, maxTokens, temperature: 1.5, seed, timeoutMs: 60_000 },
    })
    const call = readCall(text, name => box.get(name))
    expect(['call', 'finish'], text).toContain(call.is)
    names.add(call.is === 'call' ? call.name : call.is)
  }
  expect(names.size).toBeGreaterThan(1)
})

test('comes to a decision of the step’s own, with a likelihood', async () => {
  const world = new World()
  const limits = { toolCalls: 3, ms: 120_000, modelCalls: 8, tokens: 60_000 }
  const decision = await world.decide(model, tools('describe_camera', 'detect_objects', 'recent_events'), {
    limits,
  })
  expect(['known', 'stranger', 'unsure']).toContain(decision.decision)
  expect(decision.unsureReason === null || decision.unsureReason === 'below_floor').toBe(true)
  if (decision.decision !== 'unsure') expect(decision.confidence).not.toBeNull()
  const calls = world.traced.filter(({ kind }) => kind === 'model')
  expect(calls.length).toBeGreaterThan(1)
  expect(calls.every(({ tokensIn = 0, tokensOut = 0 }) => tokensIn > 100 && tokensOut > 3)).toBe(true)
})
