/** What a run answers to the message that started it. */
import { afterEach, describe, expect, test } from 'vitest'
import type { GatehouseError } from '../../src/core/index.ts'
import { Box } from './box.ts'

let box: Box
afterEach(() => box?.stop())

const file = (then: string, more = '') => `
contract: workflow.v1
name: Asked
limits: { cooldown: 0s, per_hour: 1000 }
when: { message: {} }
then:
${then}
${more}`

async function started(then: string, more?: string, state: 'on' | 'test' = 'on'): Promise<number> {
  box = await new Box().start()
  return box.save(file(then, more), state)
}
const say = (workflowId: number, message: unknown = 'What is up?', more: object = {}) =>
  box.event({
    kind: 'message',
    workflowId,
    schema: null,
    source: null,
    cameraId: null,
    payload: { message: message as string, from: 'Bo', channel: 'chat', ...more },
  })
const texts = (run: number, after?: number) => box.engine.replies(run, after).replies.map(({ text }) => text)
const codeOf = (work: () => unknown): string => {
  try {
    work()
    return 'nothing was thrown'
  } catch (error) {
    return (error as GatehouseError).code
  }
}

describe('a message', () => {
  test('is answered with what its replies say, in order; what came in is filled in once', async () => {
    const id = await started(`
  - reply: "{from} by {channel}: {message}"
  - log: between
  - reply: second`)
    const { id: run, status } = await box.run(say(id, 'I am {from}'))
    expect(status).toBe('done')
    const view = box.engine.replies(run)
    expect(view).toMatchObject({ run, status: 'done', ended: true, would_have: [], note: null })
    expect(view.replies).toMatchObject([
      { seq: 0, text: 'Bo by chat: I am {from}', at: '2026-03-10T12:00:00.000Z' },
      { seq: 2, text: 'second' },
    ])
    expect(texts(run, 0)).toEqual(['second'])
    expect(box.engine.replies(run, 2)).toMatchObject({ replies: [], ended: true, note: null })
  })

  test('has all of its run tainted, whoever handed it in', async () => {
    const id = await started('  - reply: x')
    const event = { ...say(id), by: { by: 'session', name: 'Ann' } }
    expect(box.store.runs.get(await box.begin(event))?.taint).toEqual(['*'])
  })

  test.each([[null], [7], [''], [' \n'], [['x']], [{ text: 'x' }]])(
    'is none where it says %j',
    async text => {
      const id = await started('  - reply: x')
      expect(await box.refused(say(id, text))).toBe('no_match')
    },
  )

  test('that does not say who wrote gives nothing for it', async () => {
    const id = await started('  - reply: "[{from}{channel}]"')
    const { id: run } = await box.run(say(id, 'x', { from: null, channel: 7 }))
    expect(texts(run)).toEqual(['[]'])
  })

  test('counts whatever its sender’s clock says', async () => {
    const id = await started('  - reply: x')
    const { id: run } = await box.run({ ...say(id), at: box.clock.now() - 3_600_000 })
    expect(texts(run)).toEqual(['x'])
  })

  test('of somebody else joins no question: it is told that a run is going on', async () => {
    const id = await started(`
  - ask_person: { who: role:guard, message: "{message}", replies: [Fine, Bad], timeout: 60s, default: Fine }
    Fine: [ reply: fine ]
    Bad: [ reply: bad ]`)
    const run = await box.begin(say(id, 'Is all well?'))
    await box.until(run, 'waiting')
    const [second] = await box.engine.submit(say(id, 'What stands at the gate?'))
    expect(second?.reason).toEqual({ code: 'busy', message: 'A run of Asked is going on.' })
    expect(box.engine.replies(run)).toMatchObject({
      status: 'waiting',
      ended: false,
      replies: [],
      note: null,
    })
    const [question] = box.engine.approvals({ open: true })
    expect(question).toMatchObject({ by_ai: true, seen_again: 0 })
    await box.engine.answer(question?.id ?? 0, 'Bad', { by: 'session', name: 'Ann' })
    await box.ended(run)
    expect(texts(run)).toEqual(['bad'])
  })
})

describe('a run', () => {
  test('answers before it waits, and behind it, over a restart', async () => {
    const id = await started(`
  - reply: I am looking
  - wait: 5m
  - reply: nothing there`)
    const run = await box.begin(say(id))
    await box.until(run, 'waiting')
    expect(texts(run)).toEqual(['I am looking'])
    await box.restart(60_000)
    box.clock.advance(4 * 60_000)
    await box.ended(run)
    expect(texts(run)).toEqual(['I am looking', 'nothing there'])
  })

  test('of many answers is read piece by piece', async () => {
    const list = Array.from({ length: 20 }, (_, n) => `M ${n}`)
    box = await new Box({ site: `cameras: {}\nlists: { many: [${list.join(', ')}] }` }).start()
    const loop = '  - for_each: { list: many, do: [ log: x, reply: "{item}" ] }\n  - reply: end'
    const { id: run } = await box.run(say(await box.save(file(loop), 'on')))
    const first = box.engine.replies(run)
    expect(first.replies.map(({ text }) => text)).toEqual(list)
    expect([first.status, first.ended]).toEqual(['done', false])
    const rest = box.engine.replies(run, first.replies.at(-1)?.seq)
    expect(rest).toMatchObject({ ended: true, replies: [{ text: 'end' }], note: null })
  })

  test('in Test sends nothing, and says what it would have answered', async () => {
    const id = await started('  - reply: "{message}!"', '', 'test')
    const { id: run } = await box.run(say(id, 'Hey'))
    expect(box.engine.replies(run)).toMatchObject({
      ended: true,
      replies: [],
      would_have: [{ seq: 0, text: 'Hey!' }],
      note: expect.stringContaining('in Test'),
    })
  })

  test('that ends without an answer says so', async () => {
    const id = await started('  - log: x')
    const { id: run } = await box.run(say(id))
    expect(box.engine.replies(run)).toMatchObject({
      ended: true,
      replies: [],
      note: 'The run has ended without an answer.',
    })
  })

  test('that is stopped says so; what always runs still answers', async () => {
    const wait = '  - wait: 5m\n  - reply: never'
    const id = await started(wait)
    const run = await box.begin(say(id))
    await box.until(run, 'waiting')
    await box.engine.stopRun(run)
    expect(box.engine.replies(run)).toMatchObject({
      status: 'stopped',
      ended: true,
      replies: [],
      note: 'The run was stopped before it answered.',
    })
    const other = await box.save(file(wait, 'always: [ reply: sorry ]').replace('Asked', 'Other'), 'on')
    const second = await box.begin(say(other))
    await box.until(second, 'waiting')
    await box.engine.stopRun(second)
    expect(box.engine.replies(second)).toMatchObject({
      status: 'stopped',
      replies: [{ text: 'sorry' }],
      note: null,
    })
  })

  test('that nobody wrote to has no answers', async () => {
    const id = await started('  - reply: x')
    const pressed = await box.save(
      'contract: workflow.v1\nname: B\nwhen: { button: {} }\nthen: [ log: x ]',
      'on',
    )
    const { id: run } = await box.run(box.press(pressed))
    expect(codeOf(() => box.engine.replies(run))).toBe('not_a_message')
    expect(codeOf(() => box.engine.replies(99))).toBe('run_unknown')
    expect(await box.refused(box.press(id))).toBe('no_match')
  })
})
