import { describe, expect, test } from 'vitest'
import { Scripted } from '../scripted.ts'
import { call, decided, FINISH, tool, World } from './world.ts'

const GATE = call('describe_camera', { camera: 'gate' })
const YARD = call('describe_camera', { camera: 'yard' })

describe('an investigation', () => {
  test('calls tools, then decides in a call of its own that knows no tool', async () => {
    const world = new World()
    const model = new Scripted([GATE, FINISH, decided('known')])
    const decision = await world.decide(model, [tool()])
    expect(decision).toMatchObject({
      decision: 'known',
      reason: 'a van of the baker',
      selfReported: 0.9,
      confidence: null,
      unsureReason: null,
      model: 'scripted',
      usage: { modelCalls: 3, toolCalls: 1, tokensIn: 300, tokensOut: 60 },
    })
    expect(world.told).toEqual(['scripted ok', 'describe_camera ok', 'scripted ok', 'scripted ok'])
    expect(world.traced).toEqual(decision.trace)
    expect(world.traced[1]).toMatchObject({ argsAsked: { camera: 'gate' }, mode: 'auto' })
    const [first, , last] = model.asked
    expect(first?.grammar).toContain('describe_camera')
    expect(JSON.stringify(first?.schema)).toContain('"enum":["gate","yard"]')
    expect(last?.grammar).not.toContain('describe_camera')
    expect(last?.schema).toMatchObject({
      properties: { decision: { enum: ['known', 'stranger', 'unsure'] } },
    })
  })

  test('tells the same beginning each time, and what was found behind it', async () => {
    const world = new World()
    const model = new Scripted([GATE, FINISH, decided('known')])
    await world.decide(model, [tool()])
    const [first, second, third] = model.asked.map(({ messages }) => messages)
    expect(second?.slice(0, 2)).toEqual(first)
    expect(third?.slice(0, 4)).toEqual(second)
    expect(model.told(0)).toContain('Find out who {plate} is.')
    expect(model.told(0)).toContain('"site_facts": "The baker comes at six."')
    expect(model.told(1)).toContain('"things":["van"]')
  })

  test('has rules decide over the fields that it was asked for', async () => {
    const world = new World()
    const model = new Scripted([FINISH, { who: 'driver', reason: 'a van', self_reported: 1 }])
    const rules = [{ when: { who: 'staff' }, then: 'known' }, { then: 'stranger' }]
    const decision = await world.decide(model, [tool()], {
      fields: { who: { ask: ['staff', 'driver'] } },
      rules,
    })
    expect(decision).toMatchObject({ decision: 'stranger', rule: 1, fields: { who: 'driver' } })
  })

  test('takes what the trigger carries for a field, and asks for the rest', async () => {
    const world = new World()
    const fields = { plate: { ask: 'text' as const }, who: { ask: ['staff', 'driver'] } }
    const model = new Scripted([FINISH, { who: 'staff', reason: 'r', self_reported: 1, decision: 'known' }])
    const decision = await world.decide(model, [tool()], { fields })
    expect(decision.fields).toEqual({ plate: 'B-AB 123', who: 'staff' })
    expect(Object.keys(model.asked[1]?.schema?.properties ?? {})).not.toContain('plate')
  })

  test('without a tool that may be used goes to its decision at once', async () => {
    const world = new World()
    const model = new Scripted([decided('stranger')])
    const decision = await world.decide(model, [tool({ mode: 'unavailable', why: 'it is off' })])
    expect(decision.decision).toBe('stranger')
    expect(model.asked).toHaveLength(1)
  })

  test('a decision that cannot be told is unsure', async () => {
    const decision = await new World().decide(new Scripted([FINISH, decided('unsure')]), [tool()])
    expect(decision).toMatchObject({ decision: 'unsure', unsureReason: 'below_floor' })
  })

  test('knows how likely its decision is where the model measures it, and keeps the floor', async () => {
    const options = { known: 0.7, stranger: 0.2, unsure: 0.1 }
    const model = () => new Scripted([FINISH, { say: decided('known'), options }], { likelihoods: true })
    const sure = await new World().decide(model(), [tool()], { floor: 0.6 })
    expect(sure).toMatchObject({ decision: 'known', confidence: 0.7, confidenceSource: 'likelihood' })
    const below = await new World().decide(model(), [tool()], { floor: 0.8 })
    expect(below).toMatchObject({ decision: 'unsure', unsureReason: 'below_floor', confidence: 0.7 })
  })
})

describe('an investigation that rules decide', () => {
  const rules = [{ when: { who: 'driver' }, then: 'known' }, { then: 'stranger' }]
  const fields = { note: { ask: 'text' as const }, who: { ask: ['staff', 'driver'] } }
  const said = { note: '', who: 'driver', reason: 'a van', self_reported: 1 }
  const options = { staff: 0.3, driver: 0.6, unsure: 0.1 }
  const came = (floor: number) => {
    const model = new Scripted([FINISH, { say: said, options }], { likelihoods: true })
    return new World()
      .decide(model, [tool()], { fields, rules, floor })
      .then(decision => ({ decision, model }))
  }

  test('is as sure as the field that they read, where the model measures it', async () => {
    const { decision, model } = await came(0.5)
    expect(model.asked[1]?.likelihood).toEqual({ key: 'who', options: ['staff', 'driver', 'unsure'] })
    expect(decision).toMatchObject({ decision: 'known', confidence: 0.6, confidenceSource: 'likelihood' })
  })

  test('and keeps the floor', async () => {
    const { decision } = await came(0.7)
    expect(decision).toMatchObject({ decision: 'unsure', unsureReason: 'below_floor', confidence: 0.6 })
  })
})

describe('a call that is none', () => {
  test('is answered once, and the second ends the phase', async () => {
    const world = new World()
    const model = new Scripted(['what?', call('describe_camera', { camera: 'roof' }), decided('stranger')])
    const decision = await world.decide(model, [tool()])
    expect(decision.decision).toBe('stranger')
    expect(world.told).toEqual([
      'scripted failed',
      'scripted failed',
      'limit refused malformed_calls',
      'scripted ok',
    ])
    expect(model.told(1)).toContain('it is not one JSON object and nothing else')
    expect(world.traced[1]?.result).toMatchObject({ problem: expect.stringContaining('one of gate, yard') })
  })

  test.each([
    ['{"tool": "describe_camera", "args": {"camera": "gate", "zoom": 3}}', 'camera'],
    ['{"tool": "describe_camera", "args": []}', 'no object'],
    ['{"tool": 3, "args": {}}', 'no text'],
    ['[1]', 'no JSON object'],
    ['{"tool": "describe_camera", "args": {}, "then": "open the gate"}', 'other keys'],
    [`{"tool": "${'x'.repeat(9_000)}"}`, 'too long'],
  ])('%s', async (said, why) => {
    const world = new World()
    await world.decide(new Scripted([said, FINISH, decided('known')]), [tool()])
    expect(world.traced[0]).toMatchObject({
      status: 'failed',
      result: { problem: expect.stringContaining(why) },
    })
  })

  test('of a tool that the step does not have, or may not use, is refused and traced', async () => {
    const world = new World()
    let used = 0
    const off = tool({
      name: 'search_footage',
      mode: 'unavailable',
      why: 'nothing searches',
      handler: () => ({ result: ++used }),
    })
    const model = new Scripted([
      call('open_gate', { now: true }),
      call('search_footage'),
      FINISH,
      decided('known'),
    ])
    await world.decide(model, [tool(), off])
    expect(world.told.filter(each => each.includes('refused'))).toEqual([
      'open_gate refused unlisted',
      'search_footage refused unavailable',
    ])
    expect(world.traced[1]).toMatchObject({ argsAsked: { now: true } })
    expect(used).toBe(0)
    expect(model.asked[0]?.grammar).not.toContain('search_footage')
    expect(model.told(2)).toContain('nothing searches')
  })

  test('of what there is not, made again and again, ends the phase', async () => {
    const world = new World()
    const open = call('open_gate', { now: true })
    const decision = await world.decide(new Scripted([open, open, open, decided('known')]), [tool()])
    expect(decision).toMatchObject({ decision: 'known', usage: { modelCalls: 4 } })
    expect(world.told.filter(each => each.includes('unlisted'))).toHaveLength(3)
  })

  test('that was made before is answered from before, and not made again', async () => {
    const world = new World()
    let used = 0
    const counted = tool({ handler: () => ({ result: ++used }) })
    const model = new Scripted([GATE, GATE, GATE, decided('known')])
    const decision = await world.decide(model, [counted])
    expect(used).toBe(1)
    expect(decision.usage.toolCalls).toBe(1)
    expect(world.told.filter(each => each.includes('repeated'))).toHaveLength(2)
    expect(model.asked).toHaveLength(4)
  })
})

describe('a tool that', () => {
  const came = async (handler: Parameters<typeof tool>[0]) => {
    const world = new World()
    const model = new Scripted([GATE, FINISH, decided('known')])
    const decision = await world.decide(model, [tool(handler)], { floor: 0.6 })
    return { world, decision, model }
  }
  const circle: { self?: unknown } = {}
  circle.self = circle

  test.each([
    [
      'throws',
      () => {
        throw new Error('the camera is away')
      },
      'the camera is away',
    ],
    ['rejects', () => Promise.reject(new Error('the camera is away')), 'the camera is away'],
    ['answers an error text', () => ({ result: 'Error: the camera is away' }), 'the camera is away'],
    [
      'answers an error in an object',
      () => ({ result: { error: 'the camera is away' } }),
      'the camera is away',
    ],
    ['answers a circle', () => ({ result: circle as never }), 'runs in a circle'],
    ['answers too much', () => ({ result: 'x'.repeat(50_000) }), 'too much'],
    ['answers too many', () => ({ result: Array.from({ length: 5_000 }, () => 0) }), 'too much'],
    ['answers what is no data', () => ({ result: (() => 1) as never }), 'no data'],
    [
      'answers with a trap',
      () => ({
        result: {
          get x() {
            throw new Error('a trap')
          },
        } as never,
      }),
      'could not be read',
    ],
    ['answers nothing at all', () => undefined as never, ''],
    [
      'asks a person although it reads',
      () => ({ ask: { message: 'x', replies: ['a', 'b'], role: null } }),
      'may not ask',
    ],
  ])('%s has failed, and what it is decided by is capped', async (_, handler, why) => {
    const { world, decision, model } = await came({ handler })
    const entry = world.traced.find(({ name }) => name === 'describe_camera')
    expect(entry?.status).toBe('failed')
    expect(JSON.stringify(entry?.result)).toContain(why)
    expect(model.told(1)).toContain('"status":"failed"')
    expect(decision).toMatchObject({
      decision: 'unsure',
      unsureReason: 'below_floor',
      confidence: 0.59,
      confidenceSource: 'evidence',
      reason: expect.stringContaining('describe_camera failed'),
    })
  })

  test('fails and then answers caps nothing', async () => {
    const world = new World()
    let n = 0
    const flaky = tool({ handler: () => ({ result: ++n === 1 ? 'error: away' : 'a van' }) })
    const decision = await world.decide(new Scripted([GATE, GATE, FINISH, decided('known')]), [flaky], {
      floor: 0.6,
    })
    expect(n).toBe(2)
    expect(decision).toMatchObject({ decision: 'known', confidence: null })
  })

  test('hangs is given up, is told so, and ends no process when it fails late', async () => {
    const world = new World()
    let signal: AbortSignal | undefined
    const late = Promise.withResolvers<never>()
    const hanging = tool({
      handler: (_, ctx) => {
        signal = ctx.signal
        queueMicrotask(() => world.clock.advance(31_000))
        return late.promise
      },
    })
    const decision = await world.decide(new Scripted([GATE, FINISH, decided('known')]), [hanging])
    expect(signal?.aborted).toBe(true)
    expect(world.told[1]).toBe('describe_camera failed')
    expect(decision).toMatchObject({ decision: 'known', confidence: 0.5, confidenceSource: 'evidence' })
    late.reject(new Error('much too late'))
    await new Promise<void>(resolve => setImmediate(resolve))
  })
})

describe('a limit', () => {
  test('of tool calls', async () => {
    const world = new World()
    const limits = { toolCalls: 1, ms: 120_000, modelCalls: 8, tokens: 40_000 }
    const decision = await world.decide(new Scripted([GATE, decided('known')]), [tool()], { limits })
    expect(decision.decision).toBe('known')
    expect(world.told).toContain('limit refused tool_calls')
  })

  test('of model calls keeps one for the decision', async () => {
    const world = new World()
    const limits = { toolCalls: 9, ms: 120_000, modelCalls: 3, tokens: 40_000 }
    const decision = await world.decide(new Scripted([GATE, YARD, decided('known')]), [tool()], { limits })
    expect(decision).toMatchObject({ decision: 'known', usage: { modelCalls: 3 } })
    expect(world.told).toContain('limit refused model_calls')
  })

  test('of tokens keeps enough for the decision', async () => {
    const world = new World()
    const limits = { toolCalls: 9, ms: 120_000, modelCalls: 9, tokens: 300 }
    const decision = await world.decide(new Scripted([GATE, decided('known')]), [tool()], { limits })
    expect(world.told).toContain('limit refused tokens')
    expect(decision.usage.tokensIn + decision.usage.tokensOut).toBeLessThanOrEqual(300)
  })

  test('of seconds leaves time for the decision', async () => {
    const world = new World()
    let n = 0
    const slow = tool({
      handler: () => {
        world.clock.advance(n++ ? 1_500 : 29_000)
        return { result: 'slow' }
      },
    })
    const limits = { toolCalls: 9, ms: 40_000, modelCalls: 9, tokens: 40_000 }
    const model = new Scripted([GATE, YARD, decided('known')])
    const decision = await world.decide(model, [slow], { limits })
    expect(world.told.filter(each => each.startsWith('limit'))).toEqual(['limit refused seconds'])
    expect(decision.decision).toBe('known')
    expect(model.asked.at(-1)?.timeoutMs).toBeGreaterThan(0)
    expect(model.asked.at(-1)?.timeoutMs).toBeLessThanOrEqual(11_000)
  })

  test('of the hour, before it begins and on the way', async () => {
    const none = new World()
    none.left = 0
    const model = new Scripted([GATE])
    expect(await none.decide(model, [tool()])).toMatchObject({
      decision: 'unsure',
      unsureReason: 'over_budget',
    })
    expect(model.asked).toEqual([])
    const some = new World()
    some.left = 2
    expect((await some.decide(new Scripted([GATE, decided('known')]), [tool()])).decision).toBe('known')
    expect(some.told).toContain('limit refused calls_of_the_hour')
  })
})

describe('a model that', () => {
  test.each([
    ['down', 'llm_down'],
    ['overloaded', 'llm_down'],
    ['refused', 'llm_down'],
    ['aborted', 'over_budget'],
  ] as const)('is %s while it uses tools', async (failure, unsureReason) => {
    const world = new World()
    const decision = await world.decide(new Scripted([GATE, failure]), [tool()])
    expect(decision).toMatchObject({ decision: 'unsure', unsureReason, usage: { toolCalls: 1 } })
  })

  test.each([
    ['down', 'llm_down'],
    ['timeout', 'over_budget'],
    ['malformed', 'invalid_output'],
    ['{"decision": "open the gate"}', 'invalid_output'],
    ['', 'invalid_output'],
  ] as const)('says %j for its decision', async (said, unsureReason) => {
    const decision = await new World().decide(new Scripted([FINISH, said]), [tool()])
    expect(decision).toMatchObject({ decision: 'unsure', unsureReason })
  })

  test('says an invalid decision is told what was wrong, once', async () => {
    const model = new Scripted([FINISH, decided('open'), decided('known')])
    expect(await new World().decide(model, [tool()])).toMatchObject({ decision: 'known' })
    expect(model.told(2)).toContain('is none of known, stranger, unsure')
  })

  test('takes too long over a call is asked for its decision in what is left', async () => {
    const world = new World()
    const decision = await world.decide(new Scripted(['timeout', decided('known')]), [tool()])
    expect(decision.decision).toBe('known')
    expect(world.told).toEqual(['scripted failed', 'limit refused seconds', 'scripted ok'])
  })

  test('answers an unfinished call counts as one that is none', async () => {
    const world = new World()
    await world.decide(new Scripted(['malformed', FINISH, decided('known')]), [tool()])
    expect(world.told).toEqual(['scripted failed', 'scripted ok', 'scripted ok'])
  })

  test.each(['tools', 'decision'])('never answers (%s) is given up', async phase => {
    const world = new World()
    const hang = () => {
      queueMicrotask(() => world.clock.advance(200_000))
      return new Promise<never>(() => undefined)
    }
    const script = phase === 'tools' ? [hang] : [FINISH, hang]
    const decision = await world.decide(new Scripted(script), [tool()])
    expect(decision).toMatchObject({ decision: 'unsure', unsureReason: 'over_budget' })
  })

  test('throws what it may not throw', async () => {
    const broken = () => {
      throw new TypeError('no such thing')
    }
    expect(await new World().decide(new Scripted([broken]), [tool()])).toMatchObject({
      unsureReason: 'llm_down',
    })
    expect(await new World().decide(new Scripted([FINISH, broken]), [tool()])).toMatchObject({
      unsureReason: 'llm_down',
    })
  })

  test('is broken off while it thinks, and while a tool is at work', async () => {
    const thinking = new World()
    const hang = () => {
      queueMicrotask(() => thinking.abort.abort())
      return new Promise<never>(() => undefined)
    }
    expect(await thinking.decide(new Scripted([hang]), [tool()])).toMatchObject({
      unsureReason: 'over_budget',
    })
    const working = new World()
    const stopped = tool({
      handler: () => {
        queueMicrotask(() => working.abort.abort())
        return new Promise<never>(() => undefined)
      },
    })
    expect(await working.decide(new Scripted([GATE]), [stopped])).toMatchObject({
      decision: 'unsure',
      unsureReason: 'over_budget',
      reason: expect.stringContaining('broken off'),
    })
  })
})

test('a trace that cannot be kept ends it: what ran has to be known', async () => {
  const world = new World()
  const model = new Scripted([GATE, FINISH, decided('known')])
  const ports = { ...world.ports([tool()]), onTrace: () => Promise.reject(new Error('the disk is full')) }
  const { runInvestigate } = await import('../../../src/ai/index.ts')
  const { spec, input } = await import('./world.ts')
  const came = await runInvestigate(model, spec(), input(), ports)
  expect(came).toMatchObject({ decision: 'unsure', reason: expect.stringContaining('the disk is full') })
  expect(model.asked).toHaveLength(1)
})
