import { describe, expect, it } from 'vitest'
import { runLook } from '../../src/ai/index.ts'
import { eyes, fields, gate, good, input, NOW, picture, ruled } from './looking.ts'
import { Scripted } from './scripted.ts'

describe('a Look with a language model', () => {
  it('asks fields and decision in one call, of the scene where the model does not see', async () => {
    const model = new Scripted([good])
    const { tools, want, shrunk } = eyes(model)
    expect(await runLook(gate, input(), tools)).toMatchObject({
      decision: 'delivery',
      fields: { company: 'dhl' },
      reason: 'letters on the van',
      confidence: null,
      confidenceSource: null,
      unsureReason: null,
      rule: null,
      model: 'nanodet + ppocr + scripted',
      usage: { modelCalls: 2, ms: 0, tokensIn: 100, tokensOut: 20 },
      trace: [
        { name: 'nanodet + ppocr', status: 'ok' },
        {
          kind: 'model',
          name: 'scripted',
          status: 'ok',
          tokensIn: 100,
          tokensOut: 20,
          result: { given: 'scene facts', pictures: 0, temperature: 0, answer: JSON.stringify(good) },
        },
      ],
    })
    expect([want, shrunk, model.asked.length]).toEqual([[{ objects: true, text: true }], [], 1])
    expect(model.told()).toContain('"scenes": [{"things":[{"label":"truck"')
    expect(model.told()).toContain('"site_facts": "A farm."')
    expect(model.told()).toContain('"values": {"plate":"AB 12"}')
    expect(model.told()).toContain('What does {plate} want?')
    expect(model.asked[0]).toMatchObject({
      temperature: 0,
      timeoutMs: 1000,
      schema: { type: 'object' },
      grammar: expect.stringContaining('root ::='),
    })
    expect(model.asked[0]).not.toHaveProperty('likelihood')
  })

  it('hands smaller pictures to a model that sees, and has nothing else looked at', async () => {
    const model = new Scripted([good], { sees: true })
    const { tools, want, shrunk } = eyes(model)
    const decision = await runLook(gate, input(), tools)
    expect(decision).toMatchObject({
      decision: 'delivery',
      model: 'scripted',
      trace: [{ result: { given: 'pictures', pictures: 1 } }],
    })
    expect(model.asked[0]?.messages[1]?.pictures).toEqual([{ ...picture(), bytes: new Uint8Array([9]) }])
    expect([want, shrunk]).toEqual([[], [1280]])
    const frames = eyes(model)
    await runLook(gate, input({ pictures: [picture(), picture()] }), frames.tools)
    expect(frames.shrunk).toEqual([768, 768])
  })

  it('judges a text or an event without any picture', async () => {
    const model = new Scripted([good])
    const { tools, want } = eyes(model)
    expect(await runLook(gate, input({ pictures: [], text: 'all calm' }), tools)).toMatchObject({
      decision: 'delivery',
      model: 'scripted',
    })
    expect(
      await runLook(gate, input({ pictures: [], event: { payload: { title: 'Van' } } }), tools),
    ).toMatchObject({ decision: 'delivery' })
    expect(model.told(0)).toContain('"text": "all calm"')
    expect(model.told(1)).toContain('"event": {"payload":{"title":"Van"}}')
    expect(want).toEqual([])
  })

  it('does not judge pictures that are missing or old, and asks nobody', async () => {
    const model = new Scripted([good], { sees: true })
    const { tools } = eyes(model)
    expect(await runLook(gate, input({ pictures: [] }), tools)).toMatchObject({ unsureReason: 'no_picture' })
    const old = { ...picture(), takenAt: NOW - 60_000 }
    expect(await runLook(gate, input({ pictures: [old] }), tools)).toMatchObject({
      unsureReason: 'stale_picture',
    })
    expect(model.asked).toHaveLength(0)
  })

  it('never asks for what is measured or carried', async () => {
    const model = new Scripted([{ note: 'x', reason: 'y' }])
    const { tools } = eyes(model)
    const decision = await runLook(ruled, input({ values: { company: 'dhl' } }), tools)
    expect(decision).toMatchObject({
      decision: 'delivery',
      fields: { vehicles: 1, company: 'dhl', note: 'x' },
    })
    expect(Object.keys(model.asked[0]?.schema?.properties ?? {})).toEqual(['note', 'reason'])
    expect(model.told()).toContain('"known_fields": {"company":"dhl","vehicles":1}')
    const all = await runLook(ruled, input({ values: { company: 'none', note: 'z' } }), tools)
    expect(all).toMatchObject({
      decision: 'visitor',
      confidence: 0.8,
      confidenceSource: 'measured',
      model: 'nanodet' + ' + ppocr',
    })
    expect(model.asked).toHaveLength(1)
  })

  it('lets rules decide over what the model told, and says nothing was measured of that', async () => {
    const { tools } = eyes(new Scripted([fields]))
    expect(await runLook(ruled, input(), tools)).toMatchObject({
      decision: 'delivery',
      rule: 1,
      confidence: null,
      confidenceSource: null,
      fields: { vehicles: 1, company: 'dhl', note: null },
      reason: '1 vehicle, company dhl',
    })
  })

  it('is unsure where the model says that it cannot tell', async () => {
    const { tools } = eyes(new Scripted([{ ...good, decision: 'unsure' }]))
    expect(await runLook(gate, input(), tools)).toMatchObject({
      decision: 'unsure',
      unsureReason: 'below_floor',
      reason: 'it cannot be told: letters on the van',
    })
    const open = eyes(new Scripted([{ ...fields, company: 'unsure' }]))
    expect(await runLook(ruled, input(), open.tools)).toMatchObject({
      decision: 'unsure',
      unsureReason: 'no_rule',
      fields: { company: null },
      reason: '“company” cannot be told: yellow van',
    })
  })

  it('stores what the model says of itself and never uses it', async () => {
    const { tools } = eyes(
      new Scripted([{ company: 'dhl', reason: 'x', self_reported: 0.01, decision: 'delivery' }]),
      { selfReport: true },
    )
    expect(await runLook(gate, input(), tools)).toMatchObject({
      decision: 'delivery',
      selfReported: 0.01,
      confidence: null,
    })
  })
})

describe('a language model that fails', () => {
  it.each([
    ['down', 'llm_down', 1],
    ['overloaded', 'llm_down', 1],
    ['refused', 'llm_down', 1],
    ['timeout', 'over_budget', 1],
    ['aborted', 'over_budget', 1],
    ['malformed', 'invalid_output', 2],
  ] as const)('by %s is unsure (%s)', async (failure, unsureReason, calls) => {
    const model = new Scripted([failure])
    const { tools } = eyes(model)
    const decision = await runLook(gate, input(), tools)
    expect(decision).toMatchObject({
      decision: 'unsure',
      unsureReason,
      reason: `it is ${failure}`,
      confidence: null,
    })
    expect(decision.trace.slice(1)).toHaveLength(calls)
    expect(decision.trace.at(-1)).toMatchObject({ name: 'scripted', status: 'failed', result: { failure } })
    expect(decision.usage).toMatchObject({ modelCalls: 1 + calls, tokensIn: 0 })
    expect(model.asked).toHaveLength(calls)
  })

  it('is asked once more where its answer has another form, and told what was wrong', async () => {
    const model = new Scripted([{ ...good, decision: 'open the gate' }, good])
    const { tools } = eyes(model)
    const decision = await runLook(gate, input(), tools)
    expect(decision).toMatchObject({
      decision: 'delivery',
      usage: { modelCalls: 3, tokensIn: 200, tokensOut: 40 },
    })
    expect(decision.trace[1]).toMatchObject({
      status: 'failed',
      tokensIn: 100,
      result: { problem: expect.stringContaining('“decision”') },
    })
    expect(model.told(1)).toContain('refused because “decision” is none of delivery, visitor, unsure')
    expect(model.told(1)).not.toContain('open the gate')
    const never = eyes(new Scripted(['I think it is a delivery.']))
    expect(await runLook(gate, input(), never.tools)).toMatchObject({
      unsureReason: 'invalid_output',
      reason: expect.stringContaining('not one JSON object'),
    })
  })

  it('is not asked when there is no time left', async () => {
    let now = NOW
    const slow = new Scripted([
      async () => {
        now += 2000
        return { text: 'nonsense', tokensIn: 1, tokensOut: 1, ms: 1 }
      },
    ])
    const { tools } = eyes(slow, { now: () => now })
    expect(await runLook(gate, input(), tools)).toMatchObject({ unsureReason: 'invalid_output' })
    expect(slow.asked).toHaveLength(1)
    let late = NOW
    const model = new Scripted([good])
    const spent = eyes(model, { now: () => (late += 600) })
    expect(await runLook(gate, input(), spent.tools)).toMatchObject({ unsureReason: 'over_budget' })
    expect(model.asked).toHaveLength(0)
  })

  it('and breaks its word never throws', async () => {
    const broken = new Scripted([async () => Promise.reject(new TypeError('x is undefined'))])
    expect(await runLook(gate, input(), eyes(broken).tools)).toMatchObject({ unsureReason: 'llm_down' })
  })

  it('leaves to the rules what they decide without it', async () => {
    const none = {
      ...ruled,
      rules: [
        { when: { vehicles: { at_least: 1 } }, then: 'delivery' },
        { when: { company: 'dhl' }, then: 'visitor' },
      ],
    }
    expect(await runLook(none, input(), eyes(new Scripted(['down'])).tools)).toMatchObject({
      decision: 'delivery',
      confidence: 0.8,
      confidenceSource: 'measured',
    })
    expect(await runLook(ruled, input(), eyes(new Scripted(['timeout'])).tools)).toMatchObject({
      decision: 'unsure',
      unsureReason: 'over_budget',
    })
  })
})
