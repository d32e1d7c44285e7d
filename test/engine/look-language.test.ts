import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LookInput } from '../../src/ai/index.ts'
import { Box, decision } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const file = (input: string, prompt = 'Is anything wrong?') => `
contract: workflow.v1
name: Gate
state: test
limits: { cooldown: 0s, per_hour: 1000, ai_per_hour: 1000 }
when: { event: { schema: plate.recognized.v1, cameras: [yard] } }
then:
  - ai:
      mode: look
      prompt: ${prompt}
      input: ${input}
      decision: [fine, wrong]
      fine: []
      wrong: []
      unsure: []
`
const arrived = () =>
  box.event({
    schema: 'plate.recognized.v1',
    cameraId: 'yard-1',
    payload: { plate_text: 'AB 1', vehicle_label: '{camera}' },
  })
const answered = decision({
  decision: 'fine',
  trace: [
    { kind: 'model', name: 'qwen', startedAt: 0, ms: 1, result: {}, status: 'ok', tokensIn: 9, tokensOut: 2 },
  ],
})
const down = (reason = 'llm answered 503') => decision({ unsureReason: 'llm_down', reason })

describe('what a Look hands on as data', () => {
  test('is the event itself, or the text filled once, with the values that the prompt names', async () => {
    const inputs: LookInput[] = []
    box.look = async (_spec, input) => {
      inputs.push(input)
      return answered
    }
    await box.save(file('event', '"Does {trigger.plate_text} fit?"'))
    await box.run(arrived())
    expect(inputs[0]).toMatchObject({
      text: null,
      pictures: [],
      event: { schema: 'plate.recognized.v1', payload: { plate_text: 'AB 1' } },
    })
    expect(Object.keys(inputs[0]?.values ?? {})[0]).toBe('trigger.plate_text')
    expect(inputs[0]?.values).toMatchObject({ 'trigger.plate_text': 'AB 1', plate: 'AB 1' })
    expect(Object.keys(inputs[0]?.values ?? {}).filter(name => name.includes('.'))).toHaveLength(1)
    await box.save(
      file('{ text: "It says {vehicle_label} at {camera}" }').replace('name: Gate', 'name: Text'),
    )
    await box.engine.submit(arrived())
    await expect.poll(() => inputs.length).toBe(3)
    expect(inputs.find(({ text }) => text !== null)).toMatchObject({ text: 'It says {camera} at yard' })
  })
})

describe('a language model that stays away', () => {
  const attention = (id: number) => box.engine.workflow(String(id))?.needs_attention
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute++) {
      await box.run(arrived())
      box.clock.advance(60_000)
    }
  }

  test('stops the workflows that need it after five minutes; they go on by themselves once it answers', async () => {
    let away = true
    box.language = true
    box.look = async () => (away ? down() : answered)
    const id = await box.save(file('event'))
    await minutes(5)
    expect(attention(id)).toBeNull()
    await box.run(arrived())
    expect(attention(id)).toBe(
      'Its language model did not answer for 5 minutes: llm answered 503. It goes on by itself when that is mended.',
    )
    expect(await box.refused(arrived())).toBe('needs_attention')
    await box.restart()
    expect(attention(id)).toContain('503')
    away = false
    box.clock.advance(15_000)
    await expect.poll(() => attention(id)).toBeNull()
    await box.run(arrived())
  })

  test('is missed over a restart as long as it has stayed away, and is forgiven over one too', async () => {
    let away = true
    box.language = true
    box.look = async () => (away ? down() : answered)
    const id = await box.save(file('event'))
    await minutes(3)
    await box.restart()
    await minutes(2)
    expect(attention(id)).toBeNull()
    await box.crash()
    away = false
    await box.run(arrived())
    away = true
    await box.restart()
    await minutes(3)
    await box.restart()
    await minutes(2)
    expect(attention(id)).toBeNull()
    await box.restart()
    await box.run(arrived())
    expect(attention(id)).toMatch(/^Its language model did not answer for 5 minutes:/)
    await box.engine.setState(id, 'test')
    await box.restart()
    await box.run(arrived())
    expect(attention(id)).toBeNull()
  })

  test('is forgiven by one answer, and is not missed where the site names none', async () => {
    box.language = true
    let looks = 0
    box.look = async () => (++looks === 4 ? answered : down())
    const id = await box.save(file('event'))
    await minutes(8)
    expect(attention(id)).toBeNull()
    box.language = false
    box.look = async () => down('no language model on this box')
    await minutes(10)
    expect(attention(id)).toBeNull()
  })

  test('is no longer waited for once the site names none any more', async () => {
    box.language = true
    box.look = async () => down()
    const id = await box.save(file('event'))
    await minutes(6)
    expect(attention(id)).toContain('language model')
    box.language = false
    await expect
      .poll(() => {
        box.clock.advance(60_000)
        return attention(id)
      })
      .toBeNull()
  })
})
