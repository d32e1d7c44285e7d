import { describe, expect, it } from 'vitest'
import { runLook } from '../../src/ai/index.ts'
import type { Picture } from '../../src/core/index.ts'
import { VisionError } from '../../src/vision/index.ts'
import { eyes, fields, gate, good, input, picture, ruled } from './looking.ts'
import { Scripted } from './scripted.ts'

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
