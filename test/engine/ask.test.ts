import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Identified, IncomingEvent } from '../../src/core/index.ts'
import type { ApprovalView } from '../../src/engine/index.ts'
import { Site } from '../../src/site/index.ts'
import { Box, decision, picture, SITE } from './box.ts'

const ann: Identified = { by: 'session', name: 'Ann' }
const bob: Identified = { by: 'token', name: 'Bob' }

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

/** A gate that asks; `extra` are further keys of the Ask. */
const asks = (extra = 'timeout: 60s, default: Refuse', paths = '    no_answer: [ log: nobody ]') => `
contract: workflow.v1
name: Gate
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - log: before
  - ask_person: { who: role:guard, message: "{plate} at {camera}?", replies: [Let in, Refuse], ${extra} }
    Let in: [ webhook: { to: barrier, json: { action: open } }, log: opened ]
    Refuse: [ log: refused ]
${paths}
  - log: "{answer} by {answered_by}"
always:
  - log: end
`

/** Begins a run that asks; answers with the question. */
async function asked(event: IncomingEvent = box.event()): Promise<ApprovalView> {
  const id = await box.begin(event)
  await box.until(id, 'waiting')
  const open = box.engine.approvals({ open: true }).find(({ run }) => run === id)
  if (!open) throw new Error('nobody was asked')
  return open
}

const logs = (id: number) =>
  box.engine
    .run(id)
    ?.steps.filter(({ kind }) => kind === 'log')
    .map(({ inputs }) => inputs)

describe('a question', () => {
  test('waits with its message, its replies and what each will move', async () => {
    await box.save(asks())
    const heard: unknown[] = []
    box.bus.on('approval', ({ status }) => heard.push(status))
    const question = await asked()
    expect(question).toMatchObject({
      who: ['role:guard'],
      message: 'B-AB 123 at gate?',
      by_ai: false,
      status: 'open',
      left_ms: 60_000,
      camera: 'gate',
      camera_name: 'Main gate',
      workflow: { slug: 'gate', name: 'Gate' },
      deadline: new Date(box.clock.now() + 60_000).toISOString(),
    })
    expect(question.replies).toEqual([
      {
        reply: 'Let in',
        default: false,
        effects: [
          {
            path: 'then[1]["Let in"][0]',
            effect: 'move',
            action: 'webhook',
            target: 'barrier',
            detail: '{"action":"open"}',
            certain: true,
          },
        ],
      },
      { reply: 'Refuse', default: true, effects: [] },
    ])
    expect(heard).toEqual(['open'])
    expect(box.engine.run(question.run)?.steps.at(-1)).toMatchObject({
      kind: 'ask_person',
      status: 'waiting',
      inputs: { message: 'B-AB 123 at gate?' },
    })
    expect(box.store.due.all()).toMatchObject([{ kind: 'ask_person' }])
  })

  test('says beside the reply what cannot be made at this site', async () => {
    await box.stop()
    box = await new Box({ site: SITE.replace('192.0.2.9', 'localhost') }).start()
    await box.save(asks())
    const [open] = (await asked()).replies
    expect(open?.effects[0]?.detail).toMatch(/^cannot be made: .* must not be on this box itself/)
  })

  test('is answered: the reply moves, and says who', async () => {
    await box.save(asks())
    const question = await asked()
    box.clock.advance(10_000)
    const answered = await box.engine.answer(question.id, 'Let in', ann)
    expect(answered).toMatchObject({
      status: 'answered',
      answer: 'Let in',
      answered_by: 'Ann',
      left_ms: null,
    })
    const run = await box.ended(question.run)
    expect(run.status).toBe('done')
    expect(box.sent).toMatchObject([{ to: 'barrier', json: { action: 'open' } }])
    expect(logs(run.id)).toEqual(['before', 'opened', 'Let in by Ann', 'end'])
    expect(run.values).toMatchObject({ answer: 'Let in', answered_by: 'Ann' })
    expect(run.steps[1]).toMatchObject({
      outcome: 'Let in',
      status: 'done',
      ms: 10_000,
      result: { answered_by: 'Ann', identified_by: 'session' },
    })
    expect(box.store.due.all()).toEqual([])
    expect(box.engine.approvals({ open: true })).toEqual([])
    expect(box.engine.approvals()).toMatchObject([{ id: question.id, answered_by: 'Ann' }])
  })

  test('takes the first answer, and tells the second who was first', async () => {
    await box.save(asks())
    const { id, run } = await asked()
    const both = await Promise.allSettled([
      box.engine.answer(id, 'Refuse', bob),
      box.engine.answer(id, 'Let in', ann),
    ])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(both[1]).toMatchObject({
      reason: {
        code: 'already_decided',
        status: 409,
        message: expect.stringContaining('Bob answered “Refuse”'),
      },
    })
    await box.ended(run)
    expect(box.sent).toEqual([])
    await expect(box.engine.answer(id, 'Let in', ann)).rejects.toMatchObject({ code: 'already_decided' })
  })

  test('knows its replies and no others', async () => {
    await box.save(asks())
    const { id } = await asked()
    await expect(box.engine.answer(id, 'let in', ann)).rejects.toMatchObject({
      code: 'bad_reply',
      message: 'Answer with one of “Let in”, “Refuse”.',
    })
    await expect(box.engine.answer(id + 1, 'Let in', ann)).rejects.toMatchObject({ code: 'approval_unknown' })
  })

  test.each([
    ['a default and no_answer', asks(), 'no_answer', 'Refuse', ['before', 'nobody', 'Refuse by ', 'end']],
    ['a default', asks(undefined, ''), 'Refuse', 'Refuse', ['before', 'refused', 'Refuse by ', 'end']],
    ['no_answer', asks('timeout: 60s'), 'no_answer', null, ['before', 'nobody', ' by ', 'end']],
    ['neither', asks('timeout: 60s', ''), 'no_answer', null, ['before', ' by ', 'end']],
  ])('that nobody answers ends at its time with %s', async (_, file, outcome, answer, lines) => {
    await box.save(file)
    const question = await asked()
    box.clock.advance(59_999)
    await Bun.sleep(5)
    expect(box.engine.run(question.run)?.status).toBe('waiting')
    box.clock.advance(1)
    const run = await box.ended(question.run)
    expect(run.status).toBe('done')
    expect(run.steps[1]).toMatchObject({ outcome, result: { answer, answered_by: '' } })
    expect(logs(run.id)).toEqual(lines)
    expect(box.engine.approvals()[0]).toMatchObject({ status: 'expired', answer, answered_by: null })
    expect(box.sent).toEqual([])
    await expect(box.engine.answer(question.id, 'Let in', ann)).rejects.toMatchObject({
      code: 'already_decided',
      message: expect.stringContaining('nobody had answered'),
    })
    // It stands in nobody's way.
    expect((await asked()).status).toBe('open')
  })

  test('takes no answer behind its deadline, though nothing has rung yet', async () => {
    await box.save(asks())
    const { id, run } = await asked()
    const answering = (() => {
      // The clock is past the deadline in the very turn in which the answer comes.
      box.store.write(() => undefined)
      const late = box.clock.now() + 60_000
      box.clock.now = () => late
      return box.engine.answer(id, 'Let in', ann)
    })()
    await expect(answering).rejects.toMatchObject({ code: 'already_decided' })
    expect(box.engine.run(run)?.status).toBe('waiting')
  })

  test('is decided once when answer, deadline and stop come together', async () => {
    await box.save(asks())
    for (const first of ['answer', 'deadline', 'stop'] as const) {
      const { id, run } = await asked()
      box.clock.advance(59_999)
      box.sent.length = 0
      const ways = {
        answer: () => box.engine.answer(id, 'Let in', ann),
        deadline: () => box.clock.advance(1),
        stop: () => box.engine.stopRun(run),
      }
      const order = [first, ...(['answer', 'deadline', 'stop'] as const).filter(way => way !== first)]
      await Promise.allSettled(order.map(way => ways[way]()))
      const view = await box.ended(run)
      const question = box.engine.approvals().find(each => each.id === id)
      expect(['answered', 'expired', 'stopped']).toContain(question?.status)
      expect(view.steps.filter(({ kind }) => kind === 'ask_person')).toHaveLength(1)
      expect(view.steps.filter(({ path }) => path.startsWith('always'))).toHaveLength(1)
      // Whoever won, the run was stopped before anything moved, or had nothing to move.
      if (question?.status !== 'answered') expect(box.sent).toEqual([])
      expect(view.status).toBe('stopped')
      expect(box.store.due.all()).toEqual([])
    }
  })

  test('of a run that is stopped is closed with it', async () => {
    await box.save(asks())
    const { id, run } = await asked()
    const heard: string[] = []
    box.bus.on('approval', ({ status }) => heard.push(status))
    expect((await box.engine.stopRun(run)).status).toBe('stopped')
    expect(heard).toEqual(['stopped'])
    expect(logs(run)).toEqual(['before', 'end'])
    await expect(box.engine.answer(id, 'Let in', ann)).rejects.toMatchObject({
      message: expect.stringContaining('stopped'),
    })
    box.clock.advance(60_000)
    await Bun.sleep(5)
    expect(box.engine.approvals()).toMatchObject([{ status: 'stopped', answer: null }])
  })

  test('inside of a reply, and in `always`, is asked in its turn', async () => {
    await box.save(`
contract: workflow.v1
name: Twice
state: on
when: { event: { schema: plate.recognized.v1 } }
then:
  - ask_person: { who: role:guard, message: first?, replies: ["yes", "no"], timeout: 1m }
    "yes":
      - ask_person: { who: [ role:guard, person:ann ], message: second?, replies: [go, stop], timeout: 1m }
        go: [ webhook: { to: barrier, json: open } ]
always:
  - ask_person: { who: role:guard, message: last?, replies: [ok], timeout: 1m }
`)
    const first = await asked()
    // The second question speaks for its own replies.
    expect(first.replies.map(({ effects }) => effects.length)).toEqual([0, 0])
    const next = async (reply: string) => {
      const [open] = box.engine.approvals({ open: true })
      if (!open) throw new Error('nothing is open')
      await box.engine.answer(open.id, reply, ann)
      return open
    }
    await next('yes')
    await expect.poll(() => box.engine.approvals({ open: true })[0]?.message).toBe('second?')
    const second = await next('go')
    expect(second).toMatchObject({
      who: ['role:guard', 'person:ann'],
      replies: [{ effects: [{ target: 'barrier' }] }, {}],
    })
    await expect.poll(() => box.engine.approvals({ open: true })[0]?.message).toBe('last?')
    await next('ok')
    expect((await box.ended(first.run)).status).toBe('done')
    expect(box.sent).toHaveLength(1)
  })
})

describe('over a restart a question', () => {
  /** The answer is on the disk, and nothing after it. */
  async function answeredLast(id: number) {
    const write = box.store.write.bind(box.store)
    box.store.write = async (...args) => {
      const result = await write(...args)
      box.store.write = () => new Promise(() => {})
      return result
    }
    box.engine.answer(id, 'Let in', ann).catch(() => undefined)
    await expect.poll(() => box.store.approvals.get(id)?.status).toBe('answered')
    await Bun.sleep(5)
    expect(box.sent).toEqual([])
  }

  /** The box is away for so long, more than 10 s: what hangs is given up. */
  async function down(ms: number) {
    const restarting = box.restart()
    box.clock.advance(ms)
    await restarting
  }

  test('keeps its deadline', async () => {
    await box.save(asks())
    const { run } = await asked()
    box.clock.advance(40_000)
    await box.restart()
    expect(box.engine.approvals({ open: true })).toMatchObject([{ left_ms: 20_000 }])
    box.clock.advance(19_999)
    await Bun.sleep(5)
    expect(box.engine.run(run)?.status).toBe('waiting')
    box.clock.advance(1)
    expect((await box.ended(run)).steps[1]).toMatchObject({ outcome: 'no_answer', ms: 60_000 })
  })

  test('whose time was up meanwhile ends at once', async () => {
    await box.save(asks())
    const { id, run } = await asked()
    await box.engine.stop()
    box.clock.advance(3_600_000)
    await box.restart()
    expect((await box.ended(run)).steps[1]?.outcome).toBe('no_answer')
    await expect(box.engine.answer(id, 'Let in', ann)).rejects.toMatchObject({ code: 'already_decided' })
  })

  test('can be answered, and the answer holds over the next', async () => {
    await box.save(asks())
    const { id, run } = await asked()
    await box.restart()
    await answeredLast(id)
    await down(11_000)
    expect((await box.ended(run)).status).toBe('done')
    expect(box.sent).toHaveLength(1)
  })

  test('that was answered long before the box came back moves nothing any more', async () => {
    await box.save(asks())
    const { id, run } = await asked()
    await answeredLast(id)
    await down(70_000)
    const ended = await box.ended(run)
    expect(ended.steps.at(-2)?.result).toMatchObject({ code: 'expired' })
    expect(box.sent).toEqual([])
  })

  test('that was asked late is not late itself once it is answered', async () => {
    await box.save(asks().replace('- log: before', '- wait: 10s'))
    const run = await box.begin(box.event())
    await box.until(run, 'waiting')
    await box.engine.stop()
    box.clock.advance(600_000)
    await box.restart()
    await expect.poll(() => box.engine.approvals({ open: true }).length).toBe(1)
    await box.engine.answer(box.engine.approvals()[0]?.id ?? 0, 'Let in', ann)
    expect((await box.ended(run)).status).toBe('done')
    expect(box.sent).toHaveLength(1)
  })
})

describe('a move behind a reply', () => {
  const result = async (by: Identified, change: (run: number) => unknown = () => undefined) => {
    const { id, run } = await asked()
    await box.engine.answer(id, 'Let in', by)
    await change(run)
    const ended = await box.ended(run)
    return (ended.steps.find(({ kind }) => kind === 'webhook')?.result as { code?: string } | null)?.code
  }

  test.each(['session', 'token', 'loopback', 'link', 'keypad'])(
    'is made for somebody known by %s',
    async by => {
      await box.save(asks())
      expect(await result({ by, name: 'Ann' })).toBeUndefined()
      expect(box.sent).toHaveLength(1)
    },
  )

  test('is not for a bare button, a model or somebody without a name', async () => {
    await box.save(asks())
    const { id } = await asked()
    for (const by of [
      { by: 'mqtt', name: 'Button 1' },
      { by: 'model', name: 'x' },
      { by: 'session', name: ' ' },
    ])
      await expect(box.engine.answer(id, 'Let in', by)).rejects.toMatchObject({
        code: 'not_identified',
        status: 403,
      })
    // What moves nothing they may answer.
    expect(await box.engine.answer(id, 'Refuse', { by: 'mqtt', name: 'Button 1' })).toMatchObject({
      answer: 'Refuse',
      identified_by: 'mqtt',
    })
  })

  test('is refused where the row says that an unknown one answered', async () => {
    await box.save(asks())
    const { id, run } = await asked()
    await box.store.write(() => {
      const end = { status: 'answered', answer: 'Let in', answeredBy: 'x', identifiedBy: 'mqtt' } as const
      box.store.approvals.decide(id, end, box.clock.now())
    })
    box.clock.advance(60_000)
    const ended = await box.ended(run)
    expect(ended.steps.find(({ kind }) => kind === 'webhook')?.result).toMatchObject({ code: 'unidentified' })
    expect(box.sent).toEqual([])
  })

  const later = (wait: string) =>
    asks().replace('[ webhook: { to: barrier', `[ wait: ${wait}, webhook: { to: barrier`)

  test('holds through 15 minutes of waiting, and the file cannot say longer', async () => {
    await box.save(later('15m'))
    const made = result(ann, async run => {
      await expect.poll(() => box.engine.run(run)?.steps.at(-1)?.kind).toBe('wait')
      await box.until(run, 'waiting')
      box.clock.advance(15 * 60_000)
    })
    expect(await made).toBeUndefined()
    expect(box.sent).toHaveLength(1)
    expect(await box.engine.save(later('16m'))).toMatchObject({ ok: false })
  })

  test('is refused for another answer, for none, and in a run that is not On any more', async () => {
    const id = await box.save(later('10s'))
    const stopped = await result(ann, async run => {
      await expect.poll(() => box.engine.run(run)?.steps.at(-1)?.kind).toBe('wait')
      await box.until(run, 'waiting')
      await box.engine.setState(id, 'test')
      box.clock.advance(10_000)
    })
    expect(stopped).toBe('not_on')
    expect(box.sent).toEqual([])
  })

  test('holds also in a run that AI led to: a person said so', async () => {
    await box.save(asks())
    const { id, run } = await asked(box.event({ chain: ['other'], correlationId: 'run_x_1' }))
    await box.engine.answer(id, 'Let in', ann)
    expect((await box.ended(run)).status).toBe('done')
    expect(box.sent).toHaveLength(1)
  })

  test('is refused where it was no move when people were asked', async () => {
    const site = (kind: string) =>
      Site.load(
        `cameras: { gate: { roles: [gate] } }
people: { ann: { roles: [guard] } }
destinations: { barrier: { url: "http://127.0.0.1:9/", class: ${kind} } }`,
        'site.yaml',
      )
    box.site = site('tell')
    await box.save(asks())
    const { id, run, replies } = await asked()
    expect(replies[0]?.effects).toMatchObject([{ effect: 'tell' }])
    box.site = site('move')
    await box.engine.answer(id, 'Let in', ann)
    const ended = await box.ended(run)
    expect(ended.steps.find(({ kind }) => kind === 'webhook')?.result).toMatchObject({ code: 'not_stated' })
    expect(box.sent).toEqual([])
  })
})

describe('what is said with a question', () => {
  test('marks what AI or an outsider may have written', async () => {
    await box.save(
      asks()
        .replace(
          '- log: before',
          `- ai:
      mode: look
      prompt: What is it?
      input: picture
      decision: [delivery]
      delivery: []
      unsure: []`,
        )
        .replace('"{plate} at {camera}?"', '"{plate} at {camera}: {reason}?"'),
      'on',
    )
    box.look = async () =>
      decision({ decision: 'delivery', reason: 'a \u202e{plate} \u0007van', confidence: 0.9 })
    const question = await asked(box.event({ pictures: [picture('one'), picture('two')] }))
    expect(question.message).toBe('B-AB 123 at gate: a {plate} van?')
    expect(question.by_ai).toBe(true)
    expect(question.parts.filter(part => part.by_ai)).toEqual([{ text: 'a {plate} van', by_ai: true }])
    const judged = box.engine.run(question.run)?.pictures
    expect(question.pictures).toEqual([judged?.at(-1)?.media])
  })

  test('marks a plate that was read with too little confidence', async () => {
    await box.save(asks())
    const unsure = await asked(box.event({ payload: { plate_text: 'X 1', confidence: 0.5 } }))
    expect(unsure.parts.filter(part => part.by_ai)).toEqual([{ text: 'X 1', by_ai: true }])
    expect(unsure.by_ai).toBe(true)
  })

  test('is cut where it has no end', async () => {
    await box.save(asks().replace('"{plate} at {camera}?"', '"{vehicle_label}!"'))
    const { message } = await asked(
      box.event({ payload: { plate_text: 'X', vehicle_label: 'é'.repeat(9_000) } }),
    )
    expect(message.length).toBe(2_000)
  })

  test('has the picture of its event, as the first step of a run too', async () => {
    await box.save(asks().replace('  - log: before\n', ''))
    const question = await asked(box.event({ pictures: [picture('one')] }))
    expect(question.pictures).toEqual(box.engine.run(question.run)?.pictures.map(({ media }) => media))
    expect(question.pictures).toHaveLength(1)
  })

  test('has a fresh picture where one is asked for and there is none; a dead camera keeps nobody waiting', async () => {
    await box.save(asks('timeout: 60s, attach: [picture]').replace('  - log: before\n', ''))
    const without = await asked()
    expect(without.pictures).toEqual([])
    await box.engine.stopRun(without.run)
    box.snapshot = async () => picture('fresh')
    const question = await asked()
    expect(box.engine.run(question.run)?.pictures).toMatchObject([{ media: question.pictures[0], step: 0 }])
    await box.engine.stopRun(question.run)
    let asking = 0
    box.snapshot = (_, { signal }) =>
      new Promise((_, reject) => {
        asking++
        signal.addEventListener('abort', () => reject(new Error('too late')))
      })
    const id = box.begin(box.event())
    await expect.poll(() => asking).toBe(1)
    box.clock.advance(5_000)
    await box.until(await id, 'waiting')
  })

  test('with `frames` has all of the run’s pictures', async () => {
    await box.save(asks('timeout: 60s, attach: [frames]'))
    const question = await asked(box.event({ pictures: ['a', 'b', 'c'].map(text => picture(text)) }))
    expect(question.pictures).toHaveLength(3)
  })

  test('names what only may happen, and what merely informs', async () => {
    await box.save(
      asks()
        .replace(
          'Refuse: [ log: refused ]',
          `Refuse:
      - notify: { who: role:guard, message: "{plate} refused" }
      - if: [ in_list: { list: residents, value: "{plate}" } ]
        then: [ webhook: { to: barrier, method: PUT, json: "{plate}" } ]
        else: [ site_mode: { to: armed_home } ]`,
        )
        .replace(', default: Refuse', ''),
    )
    const { replies } = await asked()
    expect(
      replies[1]?.effects.map(({ effect, action, target, detail, certain }) => [
        effect,
        action,
        target,
        detail,
        certain,
      ]),
    ).toEqual([
      ['tell', 'notify', 'role:guard', 'B-AB 123 refused', true],
      ['move', 'webhook', 'barrier', 'PUT B-AB 123', false],
      ['move', 'site_mode', 'armed_home', null, false],
    ])
  })
})

describe('in Test a question', () => {
  test.each([
    ['its default', asks(undefined, ''), 'Refuse', 'Refuse', 'refused'],
    ['no_answer', asks(), 'no_answer', 'Refuse', 'nobody'],
  ])('takes %s at once, and asks nobody', async (_, file, outcome, answer, line) => {
    await box.save(file, 'test')
    const run = await box.run(box.event())
    expect(run.status).toBe('done')
    expect(run.steps[1]).toMatchObject({
      kind: 'ask_person',
      status: 'would_have',
      outcome,
      inputs: { message: 'B-AB 123 at gate?' },
      result: { answer, answered_by: '', would_ask: ['role:guard'] },
    })
    expect(logs(run.id)).toContain(line)
    expect(box.engine.approvals()).toEqual([])
  })
})

describe('a repeat of the trigger while people are asked', () => {
  test('joins the question, once per repeat', async () => {
    await box.save(asks())
    const question = await asked()
    const heard: number[] = []
    box.bus.on('approval', ({ seen_again }) => heard.push(seen_again))
    for (let i = 0; i < 3; i++) expect(await box.refused(box.event())).toBe('joined')
    expect(box.engine.approvals()).toMatchObject([{ id: question.id, seen_again: 3 }])
    expect(box.engine.run(question.run)?.seen_again).toBe(3)
    expect(heard).toEqual([1, 2, 3])
    await box.engine.answer(question.id, 'Refuse', ann)
    await box.ended(question.run)
    expect(box.engine.runs({ limit: 9 })).toHaveLength(1)
  })

  test('of another plate does not join it, and is told why it does not start', async () => {
    await box.save(asks())
    const { run } = await asked()
    const other = box.event({ payload: { plate_text: 'X 9', confidence: 0.97 } })
    const [admission] = await box.engine.submit(other)
    expect(admission).toMatchObject({ run: null, reason: { code: 'busy' } })
    expect(admission?.reason?.message).toContain('one_at_a_time to plate')
    expect(box.engine.run(run)?.seen_again).toBe(0)
    expect(box.engine.approvals()).toMatchObject([{ seen_again: 0 }])
  })

  test('is a run of its own where the file runs one per plate; from another camera it joins nothing', async () => {
    await box.save(
      asks()
        .replace('per_hour: 1000', 'per_hour: 1000, one_at_a_time: plate')
        .replace('cameras: [gate]', 'cameras: [gate, yard]'),
    )
    const first = await asked()
    const second = await asked(box.event({ payload: { plate_text: 'X 9', confidence: 0.97 } }))
    expect(second.run).not.toBe(first.run)
    expect(await box.refused(box.event({ cameraId: 'yard-1' }))).toBe('busy')
    expect(await box.refused(box.event({ payload: { plate_text: ' x 9 ', confidence: 0.97 } }))).toBe(
      'joined',
    )
    expect(box.engine.approvals().map(({ seen_again }) => seen_again)).toEqual([0, 1])
  })

  test('by another presser waits its turn; by the same it joins', async () => {
    const id = await box.save(
      asks()
        .replace(/when: .*/, 'when: { button: {} }')
        .replace('"{plate} at {camera}?"', 'Open?'),
    )
    const question = await asked(box.press(id))
    expect(await box.refused(box.press(id))).toBe('joined')
    expect(await box.refused(box.press(id, bob))).toBe('queued')
    await box.engine.answer(question.id, 'Refuse', ann)
    await box.ended(question.run)
    await expect.poll(() => box.engine.approvals({ open: true }).length).toBe(1)
    expect(box.engine.runs({ limit: 9 })).toHaveLength(2)
  })

  test('in a flood yields one run and one question', async () => {
    await box.save(asks())
    const codes = await Promise.all(Array.from({ length: 200 }, () => box.engine.submit(box.event())))
    const runs = codes.flat().filter(({ run }) => run !== null)
    expect(runs).toHaveLength(1)
    await box.until(runs[0]?.run ?? 0, 'waiting')
    const more = await Promise.all(Array.from({ length: 100 }, () => box.engine.submit(box.event())))
    const all = [...codes, ...more].flat().map(({ reason }) => reason?.code)
    const [joined, busy] = ['joined', 'busy'].map(code => all.filter(each => each === code).length)
    expect(Number(joined) + Number(busy)).toBe(299)
    expect(joined).toBeGreaterThanOrEqual(100)
    // What joined was not left out.
    expect(box.engine.shed()).toEqual(busy ? { busy } : {})
    expect(box.engine.approvals()).toMatchObject([{ seen_again: joined }])
  })
})

test('no more than 500 questions are open: what is asked beyond that is answered by nobody, and counted', async () => {
  await box.save(asks())
  const count = box.store.approvals.countOpen.bind(box.store.approvals)
  box.store.approvals.countOpen = () => count() + 500
  const run = await box.run(box.event())
  expect(run.steps[1]).toMatchObject({
    outcome: 'no_answer',
    result: { code: 'questions_full', answer: 'Refuse' },
  })
  expect(box.engine.shed()).toMatchObject({ questions_full: 1 })
})
