import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { IncomingEvent } from '../../src/core/index.ts'
import type { RunView } from '../../src/engine/index.ts'
import { siteClock } from '../../src/kinds/index.ts'
import { Site } from '../../src/site/index.ts'
import type { Vision } from '../../src/vision/index.ts'
import { type Said, Scripted } from '../ai/scripted.ts'
import { seen } from '../kinds/tool-room.ts'
import { Box, picture, SITE } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const ANN = { by: 'session', name: 'Ann' }
const call = (tool: string, args = {}) => ({ tool, args })
const FINISH = call('finish')
const ASK = call('ask_person', { question: 'Do you know the van?', replies: ['Yes', 'No'] })
const decided = (decision: string) => ({ reason: 'the van of the baker', self_reported: 0.9, decision })

const file = (ai = '', rest = '') => `
contract: workflow.v1
name: Who is there
state: test
limits: { cooldown: 0s, per_hour: 1000, ai_per_hour: 60 }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - ai:
      mode: investigate
      goal: Find out whose {plate} is.
      tools: [describe_camera, ask_person, recent_plates, search_footage]
      decision: [known, stranger]
      ${ai}
      known: [ log: "known: {reason}" ]
      stranger: [ alert: { severity: medium, title: "{reason}", attach: [picture] } ]
      unsure: [ log: "unsure: {reason}" ]
always: [ log: "{decision}" ]
${rest}`

const says = (...script: Said[]) => {
  const model = new Scripted(script)
  box.model = model
  return model
}
const vision: Vision = { see: async () => seen(), shrink: async it => it }
const ai = (run: RunView) => run.steps[0] as RunView['steps'][number]
const traced = (run: RunView) =>
  ai(run).tool_calls.map(({ name, status, result }) =>
    [
      name,
      status,
      (result as { limit?: string; code?: string })?.limit ?? (result as { code?: string })?.code,
    ]
      .filter(Boolean)
      .join(' '),
  )

describe('a step that investigates', () => {
  test('uses the tools of the box, keeps what ran and what was seen, and leads on', async () => {
    box.vision = vision
    box.snapshot = async () => picture('gate', box.clock.now() - 3_000)
    const model = says(call('describe_camera', { camera: 'gate' }), FINISH, decided('stranger'))
    await box.save(file(), 'on')
    const run = await box.run(box.event())
    expect(ai(run)).toMatchObject({
      status: 'done',
      outcome: 'stranger',
      reason: 'the van of the baker',
      confidence: null,
      self_reported: 0.9,
      model: 'scripted',
      usage: { model_calls: 3, tool_calls: 1, tokens_in: 300, tokens_out: 60 },
    })
    expect(traced(run)).toEqual(['scripted ok', 'describe_camera ok', 'scripted ok', 'scripted ok'])
    expect(ai(run).tool_calls[1]).toMatchObject({
      args_asked: { camera: 'gate' },
      mode: 'auto',
      result: { camera: 'gate', taken: '3 s old' },
    })
    expect(ai(run).evidence).toMatchObject([{ media: run.pictures[0]?.media, seen: { width: 100 } }])
    expect(box.notices(run.id)).toMatchObject([{ mediaId: run.pictures[0]?.media }])
    expect(model.told(0)).toContain('Find out whose {plate} is.')
    expect(model.told(0)).toContain('"plate":"B-AB 123"')
  })

  test('its trace is on the disk while it thinks', async () => {
    let there: string[] = []
    says(
      call('recent_plates'),
      async () => {
        there = box.store.toolCalls.ofStep(65_536).map(({ name }) => name)
        return { text: JSON.stringify(FINISH), tokensIn: 1, tokensOut: 1, ms: 1 }
      },
      decided('known'),
    )
    await box.save(file(), 'on')
    await box.run(box.event())
    expect(there).toEqual(['scripted', 'recent_plates'])
  })

  test('a tool that this box lacks is refused with the reason, and the file says so', async () => {
    says(call('search_footage', { what: 'a van' }), FINISH, decided('known'))
    const saved = await box.engine.save(file())
    expect(saved.problems).toMatchObject([
      { code: 'investigate_without_rules' },
      {
        code: 'tool_unavailable',
        severity: 'warning',
        line: 11,
        message: expect.stringContaining('search_footage'),
      },
    ])
    const run = await box.run(box.event())
    expect(traced(run)).toContain('search_footage refused unavailable')
  })

  test('remembers the last five decisions of the camera, and not its own run', async () => {
    says(FINISH, decided('known'))
    await box.save(file('memory: camera'), 'on')
    for (let n = 0; n < 6; n++) {
      says(FINISH, decided(n % 2 ? 'known' : 'stranger'))
      await box.run(box.event())
      box.clock.advance(60_000)
    }
    const model = says(FINISH, decided('known'))
    await box.run(box.event())
    const [, lines = ''] = /"earlier_decisions": (\[.*\])/.exec(model.told(0)) ?? []
    const told = JSON.parse(lines) as string[]
    expect(told).toHaveLength(5)
    expect(told[0]).toContain('1 min before: known')
    expect(told[0]).toContain('the van of the baker')
  })

  test('remembers no decision that nobody took: a model that was away crowds none out', async () => {
    says(FINISH, decided('known'))
    await box.save(file('memory: camera'), 'on')
    await box.run(box.event())
    for (const failure of ['down', 'timeout', 'nonsense', 'down', 'down']) {
      says(FINISH, failure)
      expect(ai(await box.run(box.event())).outcome).toBe('unsure')
    }
    const model = says(FINISH, decided('stranger'))
    box.clock.advance(60_000)
    await box.run(box.event())
    const [, lines = ''] = /"earlier_decisions": (\[.*\])/.exec(model.told(0)) ?? []
    expect(JSON.parse(lines)).toEqual(['1 min before: known: the van of the baker'])
  })

  test('knows what the site’s clock shows, with the day of the week', async () => {
    const model = says(FINISH, decided('known'))
    await box.save(file(), 'on')
    await box.run(box.event())
    const [, told] =
      /"time_at_site": "(\w+day \d{4}-\d\d-\d\d \d\d:\d\d[+-]\d\d:\d\d)"/.exec(model.told(0)) ?? []
    expect(told).toBe(siteClock(box.clock.now(), box.site))
  })

  test('each call of its model counts toward the hour, over a restart too', async () => {
    says(call('recent_plates'), FINISH, decided('known'))
    await box.save(file().replace('ai_per_hour: 60', 'ai_per_hour: 4'), 'on')
    expect(ai(await box.run(box.event())).outcome).toBe('known')
    await box.restart()
    says(call('recent_plates'), decided('known'))
    const second = await box.run(box.event())
    expect(traced(second)).toEqual(['limit refused calls_of_the_hour', 'scripted failed', 'scripted ok'])
    says(FINISH)
    expect(ai(await box.run(box.event()))).toMatchObject({ outcome: 'unsure', unsure_reason: 'over_budget' })
    box.clock.advance(3_600_000)
    says(FINISH, decided('known'))
    expect(ai(await box.run(box.event())).outcome).toBe('known')
  })

  test.each([
    ['of the file', 'ai_per_hour: 8', ''],
    ['of the site', 'ai_per_hour: 60', 'ai_per_hour: 8\n'],
  ])('takes half of the calls of an hour at most, %s', async (_, ours, theirs) => {
    box.site = Site.load(`${theirs}${SITE}`, 'site.yaml')
    says(FINISH)
    await box.save(file().replace('ai_per_hour: 60', ours), 'on')
    const astray = [5, 6, 7, 8, 9].map(minutes => call('recent_plates', { minutes }))
    for (const _ of ['first', 'second']) {
      const model = says(...astray.slice(0, 3), decided('known'))
      const run = await box.run(box.event())
      expect([ai(run).outcome, model.asked.length]).toEqual(['known', 4])
      expect(traced(run)).toContain('limit refused model_calls')
    }
    const model = says(...astray)
    expect(ai(await box.run(box.event()))).toMatchObject({ outcome: 'unsure', unsure_reason: 'over_budget' })
    expect(model.asked).toEqual([])
  })

  test('of a very small hour takes what a decision needs', async () => {
    says(call('recent_plates'), FINISH, decided('known'))
    await box.save(file().replace('ai_per_hour: 60', 'ai_per_hour: 3'), 'on')
    const run = await box.run(box.event())
    expect([ai(run).outcome, traced(run).filter(each => each.startsWith('limit'))]).toEqual(['known', []])
  })

  test('needs attention where there is no language model, and goes on when one is there', async () => {
    const id = await box.save(file(), 'on')
    expect(box.engine.workflow(String(id))?.needs_attention).toContain('investigating needs a language model')
    expect(await box.refused(box.event())).toBe('needs_attention')
    says(FINISH, decided('known'))
    await box.engine.recheck()
    expect(box.engine.workflow(String(id))?.needs_attention).toBeNull()
    expect((await box.run(box.event())).status).toBe('done')
  })

  test('whose model is taken away meanwhile is unsure', async () => {
    says(FINISH, decided('known'))
    await box.save(file(), 'on')
    box.model = null
    expect(ai(await box.run(box.event()))).toMatchObject({ outcome: 'unsure', unsure_reason: 'llm_down' })
  })

  test('is stopped while it thinks', async () => {
    const thinking = Promise.withResolvers<void>()
    says(() => {
      thinking.resolve()
      return new Promise<never>(() => undefined)
    })
    await box.save(file(), 'on')
    const id = await box.begin(box.event())
    await thinking.promise
    const run = await box.engine.stopRun(id)
    expect(run).toMatchObject({
      status: 'stopped',
      steps: [{ result: { stopped: true } }, { path: 'always[0]' }],
    })
  })

  test('begins again after a crash, and what ran before stays in its trace', async () => {
    const thinking = Promise.withResolvers<void>()
    says(call('recent_plates'), () => {
      thinking.resolve()
      return new Promise<never>(() => undefined)
    })
    await box.save(file(), 'on')
    const id = await box.begin(box.event())
    await thinking.promise
    says(FINISH, decided('known'))
    await box.crash()
    const run = await box.ended(id)
    expect(ai(run).outcome).toBe('known')
    expect(traced(run)).toEqual(['scripted ok', 'recent_plates ok', 'scripted ok', 'scripted ok'])
  })
})

describe('an investigation that asks', () => {
  async function asked(ai = ''): Promise<number> {
    says(call('recent_plates'), ASK)
    await box.save(file(ai), 'on')
    const id = await box.begin(box.event())
    await box.until(id, 'waiting')
    return id
  }
  const open = () => box.engine.approvals({ open: true })

  test('waits in rows: a question in the words of AI, whose replies move nothing', async () => {
    const id = await asked()
    expect(open()).toMatchObject([
      {
        run: id,
        step: 0,
        message: 'Do you know the van?',
        by_ai: true,
        replies: [
          { reply: 'Yes', effects: [], default: false },
          { reply: 'No', effects: [], default: false },
        ],
        left_ms: 300_000,
      },
    ])
    const run = box.engine.run(id)
    expect(run?.steps).toMatchObject([{ kind: 'ai', status: 'waiting', result: null }])
    expect(JSON.stringify(run)).not.toContain('"turns"')
    expect(box.store.due.ofRun(id)).toMatchObject([{ kind: 'investigate', at: box.clock.now() + 300_000 }])
  })

  test.each(['at once', 'after a restart', 'after a crash and a restart'])(
    'goes on with the answer %s',
    async when => {
      const id = await asked()
      const model = says(FINISH, decided('known'))
      box.clock.advance(60_000)
      if (when === 'after a restart') await box.restart(60_000)
      if (when.startsWith('after a crash')) await box.crash()
      await box.engine.answer(open()[0]?.id ?? 0, 'Yes', ANN)
      const run = await box.ended(id)
      expect(run.status).toBe('done')
      expect(ai(run)).toMatchObject({ outcome: 'known', usage: { model_calls: 4, tool_calls: 2 } })
      expect(traced(run)).toEqual([
        ...['scripted ok', 'recent_plates ok', 'scripted ok', 'ask_person suspended'],
        ...['ask_person ok', 'scripted ok', 'scripted ok'],
      ])
      expect(model.told(0)).toContain('"answer":"Yes"')
      expect(model.asked[0]?.timeoutMs).toBe(90_000)
      expect(box.store.due.all()).toEqual([])
    },
  )

  test('goes on with nobody’s answer at the deadline, also where the box was down then', async () => {
    const id = await asked()
    const model = says(FINISH, decided('stranger'))
    await box.restart(400_000)
    const run = await box.ended(id)
    expect(ai(run).outcome).toBe('stranger')
    expect(model.told(0)).toContain('nobody answered')
    expect(box.engine.approvals()).toMatchObject([{ status: 'expired', answer: null }])
  })

  test('is answered once', async () => {
    const id = await asked()
    says(FINISH, decided('known'))
    const question = open()[0]?.id ?? 0
    const both = await Promise.allSettled([
      box.engine.answer(question, 'Yes', ANN),
      box.engine.answer(question, 'No', { by: 'session', name: 'Bo' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(ai(await box.ended(id)).tool_calls.filter(({ name }) => name === 'ask_person')).toHaveLength(2)
  })

  test('may ask a second question, which is another one', async () => {
    const id = await asked()
    says(call('ask_person', { question: 'Since when?', replies: ['Today', 'Longer'], role: 'guard' }))
    await box.engine.answer(open()[0]?.id ?? 0, 'Yes', ANN)
    for (let i = 0; i < 500 && open()[0]?.message !== 'Since when?'; i++) await Bun.sleep(2)
    expect(open()).toMatchObject([{ message: 'Since when?', who: ['role:guard'], left_ms: 300_000 }])
    const model = says(FINISH, decided('known'))
    await box.restart()
    await box.engine.answer(open()[0]?.id ?? 0, 'Longer', ANN)
    expect(ai(await box.ended(id)).outcome).toBe('known')
    expect(model.told(0)).toContain('"answer":"Yes"')
    expect(model.told(0)).toContain('"answer":"Longer"')
    expect(
      box.engine
        .approvals()
        .map(({ answer }) => answer)
        .sort(),
    ).toEqual(['Longer', 'Yes'])
  })

  test('is stopped while it waits', async () => {
    const id = await asked()
    const run = await box.engine.stopRun(id)
    expect(run.status).toBe('stopped')
    expect(box.engine.approvals()).toMatchObject([{ status: 'stopped' }])
    expect(box.store.due.all()).toEqual([])
  })

  test('is stopped while it thinks after the answer, and begins that again after a crash', async () => {
    const id = await asked()
    const thinking = Promise.withResolvers<void>()
    const hang = () => {
      thinking.resolve()
      return new Promise<never>(() => undefined)
    }
    says(hang)
    await box.engine.answer(open()[0]?.id ?? 0, 'Yes', ANN)
    await thinking.promise
    const again = Promise.withResolvers<void>()
    const model = says(() => {
      again.resolve()
      return new Promise<never>(() => undefined)
    })
    await box.crash()
    await again.promise
    expect(model.told(0)).toContain('"answer":"Yes"')
    expect((await box.engine.stopRun(id)).status).toBe('stopped')
  })

  test('in Test asks nobody, says whom it would have asked, and goes on', async () => {
    const model = says(ASK, FINISH, decided('stranger'))
    await box.save(file())
    const run = await box.run(box.event())
    expect(box.engine.approvals()).toEqual([])
    expect(traced(run)).toEqual([
      'scripted ok',
      'ask_person suspended',
      'ask_person ok',
      'scripted ok',
      'scripted ok',
    ])
    expect(ai(run).tool_calls[2]?.result).toEqual({
      answer: null,
      note: 'nobody answered',
      would_have_asked: true,
    })
    expect(model.told(1)).toContain('would_have_asked')
  })

  test('whose state was written by another version is unsure, and the run goes on', async () => {
    const id = await asked()
    const [due] = box.store.due.ofRun(id)
    await box.store.write(() => box.store.due.move(due?.id ?? 0, due?.at ?? 0, { state: { v: 7 } }))
    says(FINISH, decided('known'))
    await box.engine.answer(open()[0]?.id ?? 0, 'Yes', ANN)
    expect(ai(await box.ended(id))).toMatchObject({ outcome: 'unsure', unsure_reason: 'invalid_output' })
  })

  test('whose wait is lost is unsure, and does not stand for ever', async () => {
    const id = await asked()
    await box.store.write(() => box.store.due.removeOfRun(id))
    says(FINISH, decided('known'))
    await box.restart()
    expect(ai(await box.ended(id)).outcome).toBe('unsure')
  })

  test('a repeat of the trigger joins its question', async () => {
    const id = await asked()
    expect(await box.refused(box.event())).toBe('joined')
    expect(box.engine.run(id)?.seen_again).toBe(1)
  })

  test('a tool that the site lets be used only with consent is used once somebody agreed', async () => {
    await box.stop()
    const site = `
cameras: { gate: { roles: [gate] } }
tools: { recent_plates: ask }`
    box = await new Box({ site }).start()
    says(call('recent_plates', { plate: 'B-AB 123' }))
    await box.save(file(), 'on')
    const id = await box.begin(box.event())
    await box.until(id, 'waiting')
    expect(open()).toMatchObject([{ message: 'May the AI use recent_plates (plate: B-AB 123)?' }])
    const model = says(FINISH, decided('known'))
    await box.engine.answer(open()[0]?.id ?? 0, 'Allow', ANN)
    expect(traced(await box.ended(id))).toContain('recent_plates ok')
    expect(model.told(0)).toContain('"times_read":1')
  })
})

describe('what tools find', () => {
  const other = (patch: Partial<IncomingEvent>) => box.event({ ...patch, cameraId: 'yard-1' })

  test('events and plates that started nothing are kept for them', async () => {
    says(FINISH)
    await box.save(file().replace('recent_plates', 'recent_plates, recent_events'), 'on')
    await box.engine.submit(other({ payload: { plate_text: 'X-YZ 9', confidence: 0.5 } }))
    await box.engine.submit(other({ schema: 'door.opened.v1', payload: { door: 'back' } }))
    // What a detector tells five times a second is none of the events that anybody asks for.
    await box.engine.submit(other({ schema: 'detection.observed.v1', payload: { tracks: [] } }))
    box.clock.advance(30_000)
    const model = says(
      call('recent_plates'),
      call('recent_events', { all_cameras: true }),
      FINISH,
      decided('known'),
    )
    await box.run(box.event())
    expect(model.told(1)).toContain(
      '"plate":"X-YZ 9","when":"30 s ago","camera":"yard-1","note":"read with little certainty"',
    )
    expect(model.told(2)).toContain(
      '"what":"door.opened.v1","when":"30 s ago","camera":"yard-1","data":{"door":"back"}',
    )
    expect(model.told(2)).not.toContain('detection.observed.v1')
  })

  test('decisions with what people said of them', async () => {
    says(FINISH)
    await box.save(file().replace('recent_plates', 'search_history'), 'on')
    says(FINISH, decided('stranger'))
    await box.run(box.event())
    box.clock.advance(7_200_000)
    const model = says(call('search_history', { word: 'BAKER' }), FINISH, decided('known'))
    await box.run(box.event())
    expect(model.told(1)).toContain(
      '"when":"2 h ago","camera":"gate","workflow":"Who is there","decision":"stranger"',
    )
  })

  test('pictures of the last minutes', async () => {
    box.vision = vision
    says(FINISH)
    await box.save(file().replace('recent_plates', 'describe_window'), 'on')
    says(FINISH, decided('stranger'))
    await box.run(box.event({ pictures: [picture('one', box.clock.now())] }))
    box.clock.advance(120_000)
    const model = says(call('describe_window', { minutes: 5 }), FINISH, decided('known'))
    await box.run(box.event())
    expect(model.told(1)).toContain('"kept_pictures":1,"taken":"2 min old"')
  })
})
