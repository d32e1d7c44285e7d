import { describe, expect, it } from 'vitest'
import { type DecisionSpec, type LookInput, type LookTools, runLook } from '../../src/ai/index.ts'
import type { Picture } from '../../src/core/index.ts'
import { type Seen, VisionError } from '../../src/vision/index.ts'
import { Scripted } from './scripted.ts'

const NOW = 1_800_000_000_000
const picture = (source = 'camera gate'): Picture => ({ bytes: new Uint8Array([1]), takenAt: NOW, source })
const seen: Seen = {
  width: 100,
  height: 100,
  detections: [{ label: 'truck', score: 0.9, box: [0, 0, 50, 50] }],
  below: {},
  lines: [{ text: 'DHL', confidence: 0.9, quad: [0, 0, 10, 0, 10, 10, 0, 10] }],
  cut: false,
  ms: { decode: 1, detect: 2, read: 3 },
  models: { detector: 'nanodet', reader: 'ppocr' },
}

interface Eyes {
  want: unknown[]
  shrunk: number[]
  tools: LookTools
}

function eyes(
  language: Scripted | null,
  over: Partial<LookTools> = {},
  fails: (it: Picture) => Error | null = () => null,
): Eyes {
  const want: unknown[] = []
  const shrunk: number[] = []
  const throwing = (it: Picture) => {
    const error = fails(it)
    if (error) throw error
  }
  const tools: LookTools = {
    vision: {
      see: async (it, what) => {
        want.push(what)
        throwing(it)
        return seen
      },
      shrink: async (it, side) => {
        shrunk.push(side)
        throwing(it)
        return { ...it, bytes: new Uint8Array([9]) }
      },
    },
    measure: () => ({ value: 1, confidence: 0.8 }),
    now: () => NOW,
    timeoutMs: 1000,
    language,
    selfReport: false,
    ...over,
  }
  return { want, shrunk, tools }
}

const gate: DecisionSpec = {
  options: ['delivery', 'visitor'],
  prompt: 'What does {plate} want?',
  fields: { company: { ask: ['dhl', 'none'] } },
  floor: 0.7,
  rules: null,
  maxAgeMs: 30_000,
}
const ruled: DecisionSpec = {
  ...gate,
  fields: {
    vehicles: { measure: 'count', of: 'vehicle' },
    company: { ask: ['dhl', 'none'] },
    note: { ask: 'text' },
  },
  rules: [
    { when: { vehicles: { at_most: 0 } }, then: 'visitor' },
    { when: { company: 'dhl' }, then: 'delivery' },
    { then: 'visitor' },
  ],
}
const input = (over: Partial<LookInput> = {}): LookInput => ({
  pictures: [picture()],
  values: { plate: 'AB 12' },
  facts: 'A farm.',
  text: null,
  ...over,
})
const good = { company: 'dhl', reason: 'letters on the van', decision: 'delivery' }
const fields = { company: 'dhl', note: '', reason: 'yellow van' }

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

describe('how sure a language model is', () => {
  const weighing = { likelihoods: true, backend: 'cpu' } as const

  it('is the likelihood of what it said', async () => {
    const model = new Scripted(
      [{ say: good, options: { delivery: 0.9, visitor: 0.08, unsure: 0.02 } }],
      weighing,
    )
    expect(await runLook(gate, input(), eyes(model).tools)).toMatchObject({
      decision: 'delivery',
      confidence: 0.9,
      confidenceSource: 'likelihood',
    })
    expect(model.asked[0]?.likelihood).toEqual({
      key: 'decision',
      options: ['delivery', 'visitor', 'unsure'],
    })
    const split = new Scripted([{ say: good, options: { delivery: 0.5, visitor: 0.5, unsure: 0 } }], weighing)
    expect(await runLook(gate, input(), eyes(split).tools)).toMatchObject({
      decision: 'unsure',
      unsureReason: 'below_floor',
      confidence: 0.5,
      reason: 'letters on the van: 50 % sure, 70 % needed',
    })
  })

  it('is that of the field that the rules read, or of what was measured if that is less', async () => {
    const sure = new Scripted([{ say: fields, options: { dhl: 0.95, none: 0.05, unsure: 0 } }], weighing)
    expect(await runLook(ruled, input(), eyes(sure).tools)).toMatchObject({
      decision: 'delivery',
      confidence: 0.8,
      confidenceSource: 'measured',
    })
    expect(sure.asked[0]?.likelihood).toEqual({ key: 'company', options: ['dhl', 'none', 'unsure'] })
    const less = new Scripted([{ say: fields, options: { dhl: 0.75, none: 0.25, unsure: 0 } }], weighing)
    expect(await runLook(ruled, input(), eyes(less).tools)).toMatchObject({
      confidence: 0.75,
      confidenceSource: 'likelihood',
    })
    const noted = { ...ruled, rules: [{ when: { company: 'dhl', note: { is_not: 'x' } }, then: 'delivery' }] }
    const both = new Scripted(
      [{ say: { ...fields, note: 'y' }, options: { dhl: 0.95, none: 0.05 } }],
      weighing,
    )
    expect(await runLook(noted, input(), eyes(both).tools)).toMatchObject({
      decision: 'delivery',
      confidence: null,
    })
  })

  it('is not measured where likelihoods are missing or no shares', async () => {
    for (const options of [{ visitor: 1 }, { delivery: Number.NaN }, { delivery: 7 }, {}]) {
      const model = new Scripted([{ say: good, options }], weighing)
      expect(await runLook(gate, input(), eyes(model).tools)).toMatchObject({
        decision: 'delivery',
        confidence: null,
        confidenceSource: null,
      })
    }
  })

  it('is the share of three draws on a GPU', async () => {
    const other = { ...good, decision: 'visitor', company: 'none', reason: 'a guest' }
    const model = new Scripted([other, good, good], { backend: 'gpu' })
    const relaxed = { ...gate, floor: 0.6 }
    expect(await runLook(relaxed, input(), eyes(model).tools)).toMatchObject({
      decision: 'delivery',
      fields: { company: 'dhl' },
      reason: 'letters on the van',
      confidence: 2 / 3,
      confidenceSource: 'agreement',
      usage: { modelCalls: 4 },
    })
    expect(new Set(model.asked.map(({ seed }) => seed)).size).toBe(3)
    expect(model.asked.every(({ temperature }) => temperature > 0)).toBe(true)
    expect(await runLook(gate, input(), eyes(new Scripted([good], { backend: 'gpu' })).tools)).toMatchObject({
      confidence: 1,
    })
    const torn = await runLook(
      gate,
      input(),
      eyes(new Scripted([good, other, 'nonsense'], { backend: 'gpu' })).tools,
    )
    expect(torn).toMatchObject({ decision: 'unsure', unsureReason: 'below_floor', confidence: 1 / 3 })
    const alone = new Scripted([good, 'down'], { backend: 'gpu' })
    expect(await runLook(gate, input(), eyes(alone).tools)).toMatchObject({
      decision: 'delivery',
      confidence: null,
    })
    expect(alone.asked).toHaveLength(2)
  })

  it('is, under rules, the share of each field, and can be asked for anywhere', async () => {
    const none = { ...fields, company: 'none', note: 'n' }
    const model = new Scripted([fields, none, fields], weighing)
    const { tools } = eyes(model, { weighing: 'agreement' })
    expect(await runLook({ ...ruled, floor: null }, input(), tools)).toMatchObject({
      decision: 'delivery',
      confidence: 2 / 3,
      confidenceSource: 'agreement',
    })
    expect(model.asked.every(request => request.likelihood === undefined)).toBe(true)
  })

  it('is capped where a picture of several could not be looked at', async () => {
    const damaged = (it: Picture) => (it.source === 'bad' ? new VisionError('no_picture', 'damaged') : null)
    const three = input({ pictures: [picture(), picture('bad'), picture()] })
    const model = new Scripted([good], { sees: true })
    expect(await runLook(gate, three, eyes(model, {}, damaged).tools)).toMatchObject({
      decision: 'unsure',
      unsureReason: 'below_floor',
      confidence: 0.69,
      confidenceSource: 'evidence',
      reason: 'letters on the van: a picture of 3 could not be looked at',
    })
    expect(model.asked[0]?.messages[1]?.pictures).toHaveLength(2)
    const free = { ...gate, floor: null }
    expect(await runLook(free, three, eyes(model, {}, damaged).tools)).toMatchObject({
      decision: 'delivery',
      confidence: 0.5,
      confidenceSource: 'evidence',
    })
    const all = input({ pictures: [picture('bad'), picture('bad')] })
    expect(await runLook(gate, all, eyes(model, {}, damaged).tools)).toMatchObject({
      unsureReason: 'no_picture',
    })
    const shut = () => new VisionError('vision_down', 'shut')
    expect(await runLook(gate, three, eyes(model, {}, shut).tools)).toMatchObject({
      unsureReason: 'vision_down',
    })
  })
})
