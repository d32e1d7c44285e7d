import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DecisionSpec, LookInput } from '../../src/ai/index.ts'
import { GatehouseError } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { Box, decision, picture, SITE } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const file = (parts: { ai?: string; limits?: string } = {}) => `
contract: workflow.v1
name: Yard
state: test
limits: ${parts.limits ?? '{ cooldown: 0s, per_hour: 1000, ai_per_hour: 1000 }'}
when: { event: { schema: picture.arrived.v1, cameras: [yard] } }
then:
  - ai:
      mode: look
      prompt: What is {camera} showing?
      input: picture
      ${parts.ai ?? ''}
      fields:
        persons: { measure: count, of: person }
        company: [dhl, none]
      decision: [person, clear]
      rules:
        - { when: { persons: { at_least: 1 } }, then: person }
        - { then: clear }
      sure: 0.6
      person: [ alert: { severity: high, title: "{reason} {persons}", attach: [picture] } ]
      clear: [ log: "{decision}" ]
      unsure: [ alert: { severity: high, title: "unsure: {reason}" } ]
    name: look
  - log: "{look.persons} {decision}"
`
const seen = { decision: 'person', fields: { persons: 2 }, reason: 'two persons', confidence: 0.9, rule: 0 }
const arrived = (patch: Parameters<Box['event']>[0] = {}) =>
  box.event({
    schema: 'picture.arrived.v1',
    cameraId: 'yard-1',
    payload: { file: 'a.jpg' },
    pictures: [picture('one')],
    ...patch,
  })

describe('a Look', () => {
  test('is asked what the file says, about the event’s picture, and its decision leads on', async () => {
    const asked: { spec: DecisionSpec; input: LookInput }[] = []
    box.look = async (spec, input) => {
      asked.push({ spec, input })
      const boxes = { width: 8, height: 8, detections: [], below: {}, lines: null } as never
      return decision({
        ...seen,
        confidenceSource: 'measured',
        evidence: { pictures: [{ index: 0, seen: boxes }] },
      })
    }
    await box.save(file(), 'on')
    const run = await box.run(arrived())
    expect(asked[0]?.spec).toEqual({
      options: ['person', 'clear'],
      prompt: 'What is {camera} showing?',
      fields: { persons: { measure: 'count', of: 'person' }, company: { ask: ['dhl', 'none'] } },
      floor: 0.6,
      rules: [{ when: { persons: { at_least: 1 } }, then: 'person' }, { then: 'clear' }],
      maxAgeMs: 30_000,
    })
    expect(asked[0]?.input.values).toMatchObject({ camera: 'yard', file: 'a.jpg' })
    expect(asked[0]?.input.pictures).toHaveLength(1)
    expect(run.steps[0]).toMatchObject({
      outcome: 'person',
      status: 'done',
      fields: { persons: 2 },
      reason: 'two persons',
      confidence: 0.9,
      confidence_source: 'measured',
      rule: 0,
      evidence: [{ media: run.pictures[0]?.media, seen: { width: 8 } }],
    })
    expect(run.steps.map(({ path }) => path)).toEqual(['then[0]', 'then[0].person[0]', 'then[1]'])
    expect(run.steps[2]?.inputs).toBe('2 person')
    expect(run.values).toMatchObject({ decision: 'person', persons: 2, camera: 'yard' })
    expect(box.notices(run.id)).toMatchObject([{ title: 'two persons 2', severity: 'medium' }])
    expect(box.notices(run.id)[0]?.mediaId).toBe(run.pictures[0]?.media)
    expect(box.engine.runs({ limit: 1 })[0]).toMatchObject({ decision: 'person', reason: 'two persons' })
  })

  test('finds its picture on the disk before it looks, and keeps each model call', async () => {
    let stored = 0
    box.look = async () => {
      stored = box.store.media.ofRun(1).length
      const call = {
        kind: 'model',
        name: 'nanodet',
        startedAt: box.clock.now(),
        ms: 12,
        result: { objects: 2 },
        status: 'ok',
      } as const
      return decision({ ...seen, trace: [call] })
    }
    box.snapshot = async () => picture('live', box.clock.now())
    await box.save(file())
    const run = await box.run(arrived({ pictures: [] }))
    expect(stored).toBe(1)
    expect(run.pictures).toMatchObject([{ step: 0, type: 'image/jpeg', taken_at: expect.any(String) }])
    expect(run.steps[0]?.tool_calls).toMatchObject([{ name: 'nanodet', kind: 'model', ms: 12, status: 'ok' }])
  })

  test('looks at another camera where the file says so', async () => {
    const asked: string[] = []
    box.snapshot = async cameraId => {
      asked.push(cameraId)
      return picture(cameraId)
    }
    await box.save(file({ ai: 'look_at: gate' }))
    await box.run(arrived())
    expect(asked).toEqual(['gate'])
  })

  test('takes frames over a time', async () => {
    let frames = 0
    box.snapshot = async () => picture(`frame ${++frames}`)
    let given = 0
    box.look = async (_, input) => {
      given = input.pictures.length
      return decision(seen)
    }
    await box.save(file().replace('input: picture', 'input: { frames: { count: 3, over: 2s } }'))
    const id = await box.begin(arrived({ pictures: [] }))
    for (let i = 0; i < 2; i++) {
      await expect.poll(() => box.store.media.ofRun(id).length).toBe(i + 1)
      box.clock.advance(1_000)
    }
    await box.ended(id)
    expect([frames, given]).toEqual([3, 3])
  })

  test.each([
    ['that rejects', () => Promise.reject(new Error('boom')), 'vision_down', 'boom'],
    [
      'that decides what nobody offered',
      async () => decision({ ...seen, decision: 'alert' }),
      'invalid_output',
      'alert',
    ],
    ['without rules that fit', async () => decision({ reason: 'no rule' }), 'no_rule', 'no rule'],
  ])('%s is unsure, and the run goes on', async (_, look, why, reason) => {
    box.look = look
    await box.save(file())
    const run = await box.run(arrived())
    expect(run.status).toBe('done')
    expect(run.steps[0]).toMatchObject({ outcome: 'unsure', status: 'done', unsure_reason: why })
    expect(run.steps[0]?.reason).toContain(reason)
    expect(run.steps.map(({ path }) => path)).toEqual(['then[0]', 'then[0].unsure[0]', 'then[1]'])
  })

  test('of a camera that gives no picture is unsure', async () => {
    await box.save(file())
    const run = await box.run(arrived({ pictures: [] }))
    expect(run.steps[0]).toMatchObject({
      outcome: 'unsure',
      unsure_reason: 'no_picture',
      reason: 'yard-1 gives no picture',
    })
  })

  test('that never answers is given up', async () => {
    let looking = false
    box.look = () => {
      looking = true
      return new Promise(() => {})
    }
    await box.save(file({ ai: 'limits: { seconds: 10 }' }))
    const id = await box.begin(arrived())
    await expect.poll(() => looking).toBe(true)
    box.clock.advance(16_000)
    expect((await box.ended(id)).steps[0]).toMatchObject({ outcome: 'unsure', unsure_reason: 'over_budget' })
  })

  test('over the hour’s budget is unsure without looking', async () => {
    let looks = 0
    box.look = async () => {
      looks++
      return decision(seen)
    }
    await box.save(file({ limits: '{ cooldown: 0s, ai_per_hour: 2 }' }))
    for (let i = 0; i < 2; i++) await box.run(arrived())
    await box.restart()
    const run = await box.run(arrived())
    expect(run.steps[0]).toMatchObject({ outcome: 'unsure', unsure_reason: 'over_budget' })
    expect(looks).toBe(2)
  })

  test('is told what the site’s clock shows, with the day of the week', async () => {
    const clocks: unknown[] = []
    box.look = async (_, { clock }) => {
      clocks.push(clock)
      return decision(seen)
    }
    box.clock.advance(Date.parse('2027-07-04T22:30:40Z') - box.clock.now())
    await box.save(file())
    await box.run(arrived())
    expect(clocks).toEqual(['Monday 2027-07-05 00:30+02:00'])
  })

  test('over the hour of the whole site, too, whichever workflow asks, over a change of a file and a restart', async () => {
    box.site = Site.load(`ai_per_hour: 3\n${SITE}`, 'site.yaml')
    const looks: string[] = []
    box.look = async ({ prompt }) => {
      looks.push(prompt)
      return decision(seen)
    }
    const id = await box.save(file())
    await box.save(file().replace(/^name: .*$/m, 'name: Another'))
    const outcomes = async () => {
      const event = arrived()
      const runs = (await box.engine.submit(event)).map(({ run }) => run ?? 0)
      const ended = await Promise.all(runs.map(run => box.ended(run)))
      return ended.map(({ steps: [first] }) => first?.unsure_reason ?? first?.outcome).sort()
    }
    expect(await outcomes()).toEqual(['person', 'person'])
    expect(await outcomes()).toEqual(['over_budget', 'person'])
    await box.engine.save(file({ ai: 'limits: { seconds: 9 }' }), { id })
    expect(await outcomes()).toEqual(['over_budget', 'over_budget'])
    await box.restart()
    expect(await outcomes()).toEqual(['over_budget', 'over_budget'])
    box.clock.advance(3_600_000)
    expect(await outcomes()).toEqual(['person', 'person'])
    expect(looks).toHaveLength(5)
  })

  test('that nobody vouched for keeps alerts at medium; an unsure one says what the file says', async () => {
    await box.save(file(), 'on')
    const severity = async (look: Parameters<typeof decision>[0]) => {
      box.look = async () => decision(look)
      return box.notices((await box.run(arrived())).id)[0]?.severity
    }
    expect(await severity({ ...seen, confidence: null })).toBe('medium')
    expect(await severity({ ...seen, confidence: 0.7 })).toBe('medium')
    expect(await severity({ reason: 'no idea' })).toBe('high')
  })

  test('keeps every call behind it, with the tokens that it took', async () => {
    const at = box.clock.now()
    const asked = { kind: 'model', name: 'qwen', startedAt: at, ms: 900, status: 'ok' } as const
    const tool = { kind: 'tool', name: 'site_lookup', startedAt: at, ms: 2, status: 'refused' } as const
    box.look = async () =>
      decision({
        ...seen,
        trace: [
          { ...asked, result: { answer: '{}' }, tokensIn: 812, tokensOut: 40 },
          { ...tool, result: 'not listed', argsAsked: { list: 'staff' }, mode: 'auto' },
        ],
        usage: { modelCalls: 1, toolCalls: 1, ms: 905, tokensIn: 812, tokensOut: 40 },
      })
    await box.save(file())
    const [step] = (await box.run(arrived())).steps
    expect(step?.usage).toEqual({ model_calls: 1, tool_calls: 1, ms: 905, tokens_in: 812, tokens_out: 40 })
    expect(step?.tool_calls).toMatchObject([
      {
        kind: 'model',
        name: 'qwen',
        status: 'ok',
        tokens_in: 812,
        tokens_out: 40,
        args_asked: null,
        mode: null,
      },
      { kind: 'tool', status: 'refused', args_asked: { list: 'staff' }, mode: 'auto', tokens_in: null },
    ])
  })

  test('uses zones as they are drawn, and says when one is not', async () => {
    await box.save(file().replace('of: person }', 'of: person, region: lane }'))
    const run = await box.run(arrived())
    expect(run.steps[0]).toMatchObject({ outcome: 'unsure' })
    expect(run.steps[0]?.reason).toContain('lane')
  })
})

describe('eyes that stay shut', () => {
  test('stop the workflow after five minutes, until its owner sets it going again', async () => {
    box.look = async () => decision({ unsureReason: 'vision_down', reason: 'the child is gone' })
    const id = await box.save(file())
    for (let minute = 0; minute < 5; minute++) {
      await box.run(arrived())
      box.clock.advance(60_000)
    }
    expect(box.engine.workflow(String(id))?.needs_attention).toBeNull()
    await box.run(arrived())
    expect(box.engine.workflow(String(id))?.needs_attention).toContain('the child is gone')
    expect(box.store.notices.list({ limit: 9 })).toMatchObject([
      { title: 'Yard stands still', kind: 'alert' },
    ])
    expect(await box.refused(arrived())).toBe('needs_attention')
    await box.engine.setState(id, 'test')
    await box.run(arrived())
  })

  test('are tried in the background: the workflow goes on by itself as what it was, also over a restart', async () => {
    let shut = true
    let tries = 0
    box.look = async (_spec, input) => {
      if (input.pictures[0]?.source === 'a test picture') tries++
      return shut ? decision({ unsureReason: 'vision_down', reason: 'the child is gone' }) : decision(seen)
    }
    const id = await box.save(file(), 'on')
    const attention = () => box.engine.workflow(String(id))?.needs_attention
    for (let minute = 0; minute <= 5; minute++) {
      await box.run(arrived())
      box.clock.advance(60_000)
    }
    expect(attention()).toContain('by itself')
    // Each try follows the end of the one before.
    const after = async (ms: number) => {
      box.clock.advance(ms)
      await Bun.sleep(10)
      return tries
    }
    expect(await after(0)).toBe(1)
    expect(await after(29_000)).toBe(1)
    expect(await after(1_000)).toBe(2)
    await box.engine.recheck()
    await box.restart()
    expect(attention()).toContain('the child is gone')
    expect(await after(15_000)).toBe(3)
    shut = false
    expect(await after(29_000)).toBe(3)
    expect(await after(1_000)).toBe(4)
    await expect.poll(attention).toBeNull()
    expect(box.engine.workflow(String(id))?.state).toBe('on')
    await expect
      .poll(() => box.store.notices.list({ limit: 1 }))
      .toMatchObject([{ title: 'Yard goes on', severity: 'low', runId: null }])
    await box.run(arrived())
    expect(await after(600_000)).toBe(4)
  })

  test('that open in between do not', async () => {
    const id = await box.save(file())
    for (let minute = 0; minute < 12; minute++) {
      box.look = async () => decision(minute === 4 ? seen : { unsureReason: 'vision_down' })
      await box.run(arrived())
      box.clock.advance(50_000)
      if (minute === 9) break
    }
    expect(box.engine.workflow(String(id))?.needs_attention).toBeNull()
  })
})

describe('a restart in the middle of a Look', () => {
  test('looks again at the same picture, in the same row', async () => {
    box.look = (_spec, _input, { signal }) =>
      new Promise(resolve =>
        signal.addEventListener('abort', () => resolve(decision({ reason: 'broken off' }))),
      )
    await box.save(file())
    const id = await box.begin(arrived())
    await expect.poll(() => box.engine.run(id)?.steps.length).toBe(1)
    let looked = 0
    const next = async (_spec: DecisionSpec, input: LookInput) => {
      looked++
      expect(new TextDecoder().decode(input.pictures[0]?.bytes).slice(-3)).toBe('one')
      return decision(seen)
    }
    await box.engine.stop()
    box.look = next
    await box.restart()
    const run = await box.ended(id)
    expect(looked).toBe(1)
    expect(run.steps[0]).toMatchObject({ outcome: 'person', seq: 0 })
    expect(run.steps).toHaveLength(3)
  })
})

test('a disk that is full stores nothing of an event and says so', async () => {
  await box.save(file())
  const write = box.store.write.bind(box.store)
  box.store.write = () =>
    Promise.reject(new GatehouseError('disk_full', 'The disk is full.', { status: 507 }))
  await expect(box.engine.submit(arrived())).rejects.toMatchObject({ code: 'disk_full' })
  box.store.write = write
  expect(box.engine.runs({ limit: 1 })).toEqual([])
  await box.run(arrived())
})
