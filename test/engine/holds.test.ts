import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunView } from '../../src/engine/index.ts'
import { Box } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const ANN = { by: 'session', name: 'Ann' }
const BOB = { by: 'session', name: 'Bob' }
const file = (then = '- webhook: { to: barrier, json: open }', name = 'Residents') => `
contract: workflow.v1
name: ${name}
state: on
limits: { cooldown: 0s, per_hour: 1000, one_at_a_time: plate }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then:
      ${then}
      - log: behind
always:
  - log: end
`
const moved = () => box.sent.filter(({ to }) => to === 'barrier')
const move = (run: RunView | null) => run?.steps.find(({ kind }) => kind === 'webhook')

async function held(): Promise<number> {
  const id = await box.begin(box.event())
  await box.until(id, 'waiting')
  return id
}

describe('while moves are paused', () => {
  beforeEach(async () => {
    await box.save(file())
    await box.engine.holds.pause(true, ANN)
  })

  test('a move that comes due is held, in the run and in the list; everything else goes on', async () => {
    await box.save(file('- webhook: { to: chat, json: hello }', 'Chat'))
    const [first, second] = await box.engine.submit(box.event())
    const run = await box.until(first?.run ?? 0, 'waiting')
    expect(move(run)).toMatchObject({ status: 'held', inputs: { to: 'barrier', json: 'open' } })
    expect((await box.ended(second?.run ?? 0)).status).toBe('done')
    expect(box.sent.map(({ to }) => to)).toEqual(['chat'])
    expect(box.store.intents.ofRun(run.id)).toEqual([])
    expect(box.engine.holds.view()).toMatchObject({
      paused: true,
      by: 'Ann',
      since: '2026-03-10T12:00:00.000Z',
      held: [
        { run: run.id, kind: 'webhook', workflow: { slug: 'residents' }, until: '2026-03-10T12:15:00.000Z' },
      ],
    })
  })

  test('a person has it made, however long it was held, and pause stays on', async () => {
    const id = await held()
    box.clock.advance(10 * 60_000)
    await box.engine.holds.release(id, true, BOB)
    const run = await box.ended(id)
    expect([run.status, moved().length]).toEqual(['done', 1])
    expect(box.store.intents.ofRun(id)).toMatchObject([{ status: 'done' }])
    expect(box.engine.holds.view()).toMatchObject({ paused: true, held: [] })
    await held()
    expect(moved()).toHaveLength(1)
  })

  test('a person has it left: what follows on the path does not run, `always` does', async () => {
    const id = await held()
    await box.engine.holds.release(id, false, BOB)
    const run = await box.ended(id)
    expect(run.status).toBe('failed')
    expect(move(run)?.result).toMatchObject({ code: 'not_released', message: expect.stringContaining('Bob') })
    expect(run.steps.at(-1)).toMatchObject({ path: 'always[0]', status: 'done' })
    expect(moved()).toEqual([])
  })

  test('the first word counts, and the second is told whose that was', async () => {
    const id = await held()
    const words = await Promise.allSettled([
      box.engine.holds.release(id, false, BOB),
      box.engine.holds.release(id, true, ANN),
    ])
    expect(words[0]?.status).toBe('fulfilled')
    expect(words[1]).toMatchObject({
      reason: { code: 'not_held', status: 409, message: expect.stringContaining('Bob') },
    })
    await box.ended(id)
    expect(moved()).toEqual([])
    await expect(box.engine.holds.release(id, true, ANN)).rejects.toMatchObject({ code: 'not_held' })
    await expect(box.engine.holds.release(99, true, ANN)).rejects.toMatchObject({ code: 'run_unknown' })
  })

  test('what a person releases is still asked for its guard', async () => {
    const id = await held()
    await box.engine.setState(1, 'test')
    await box.engine.holds.release(id, true, BOB)
    expect(move(await box.ended(id))?.result).toMatchObject({ code: 'not_on' })
    expect(moved()).toEqual([])
  })

  test('nobody decides for 15 minutes: it expires and says so', async () => {
    const id = await held()
    box.clock.advance(15 * 60_000 - 1)
    expect(box.engine.run(id)?.status).toBe('waiting')
    box.clock.advance(1)
    expect(move(await box.ended(id))?.result).toMatchObject({ code: 'expired' })
    expect(moved()).toEqual([])
  })

  test.each([
    [60_000, 'done', 1],
    [60_001, 'failed', 0],
  ])('the pause ends after %i ms: %s', async (ms, status, times) => {
    const id = await held()
    box.clock.advance(ms)
    await box.engine.holds.pause(false, BOB)
    const run = await box.ended(id)
    expect([run.status, moved().length]).toEqual([status, times])
    if (!times) expect(move(run)?.result).toMatchObject({ code: 'expired' })
  })

  test('a restart keeps the pause, what is held and until when', async () => {
    const id = await held()
    box.clock.advance(14 * 60_000)
    await box.restart()
    expect(box.engine.holds.view()).toMatchObject({ paused: true, by: 'Ann', held: [{ run: id }] })
    expect(move(box.engine.run(id))?.status).toBe('held')
    box.clock.advance(60_000)
    expect(move(await box.ended(id))?.result).toMatchObject({ code: 'expired' })
    const next = await held()
    await box.restart()
    await box.engine.holds.release(next, true, ANN)
    expect((await box.ended(next)).status).toBe('done')
    expect(moved()).toHaveLength(1)
  })

  test('a held run can be stopped', async () => {
    const id = await held()
    const run = await box.engine.stopRun(id)
    expect(run.status).toBe('stopped')
    expect(box.engine.holds.view().held).toEqual([])
    expect(box.store.due.all()).toEqual([])
  })

  test('the first word counts also at the very moment when the time is up', async () => {
    const id = await held()
    const released = box.engine.holds.release(id, true, BOB)
    box.clock.advance(15 * 60_000)
    await released
    expect([(await box.ended(id)).status, moved().length]).toEqual(['done', 1])
    const late = await held()
    box.clock.advance(15 * 60_000)
    await expect(box.engine.holds.release(late, true, BOB)).rejects.toMatchObject({
      code: 'not_held',
      message: expect.stringContaining('time was up'),
    })
    expect(move(await box.ended(late))?.result).toMatchObject({ code: 'expired' })
    expect(moved()).toHaveLength(1)
  })

  test('what a person releases is made though the run was late before it was held', async () => {
    await box.engine.remove(1)
    await box.save(file('- wait: 5s\n      - webhook: { to: barrier, json: open }', 'Waits'))
    const id = await box.begin(box.event())
    await box.until(id, 'waiting')
    await box.restart(10 * 60_000)
    await expect.poll(() => move(box.engine.run(id))?.status).toBe('held')
    await box.engine.holds.release(id, true, BOB)
    expect([(await box.ended(id)).status, moved().length]).toEqual(['done', 1])
  })

  test('in Test nothing is held', async () => {
    await box.engine.setState(1, 'test')
    expect(move(await box.run(box.event()))?.status).toBe('would_have')
  })

  test('who paused, released and resumed is in the audit', async () => {
    const id = await held()
    await box.engine.holds.release(id, true, BOB)
    await box.ended(id)
    await box.engine.holds.pause(false, BOB)
    await box.engine.holds.pause(false, BOB)
    expect(
      box.store.audit.list({ limit: 3 }).map(({ author, action, target }) => [author, action, target]),
    ).toEqual([
      ['Bob', 'moves.unpause', 'system'],
      ['Bob', 'move.do', `run ${id}`],
      ['Ann', 'moves.pause', 'system'],
    ])
  })
})

describe('a pause that comes while the intent of a move is written', () => {
  /** A run whose move is about to be made when moves are paused. */
  async function caught(): Promise<number> {
    await box.save(file())
    const write = box.store.write.bind(box.store)
    box.store.write = (...args) => {
      box.store.write = write
      const written = write(...args)
      box.engine.holds.pause(true, ANN)
      return written
    }
    const id = await box.begin(box.event())
    await box.until(id, 'waiting')
    return id
  }

  test('holds the move: nothing was sent, so nothing has to be found out', async () => {
    const id = await caught()
    expect(move(box.engine.run(id))).toMatchObject({ status: 'held', result: null })
    expect(box.store.intents.ofRun(id)).toEqual([])
    expect(box.engine.holds.view().held).toMatchObject([{ run: id, until: '2026-03-10T12:15:00.000Z' }])
    await box.restart()
    await box.engine.holds.release(id, true, BOB)
    expect([(await box.ended(id)).status, moved().length]).toEqual(['done', 1])
    expect(box.store.intents.ofRun(id)).toMatchObject([{ status: 'done' }])
  })

  test('and ends lets it go', async () => {
    const id = await caught()
    await box.engine.holds.pause(false, BOB)
    expect([(await box.ended(id)).status, moved().length]).toEqual(['done', 1])
  })
})

describe('a snooze', () => {
  const chat = file('- webhook: { to: chat, json: hello }')

  test('of a workflow keeps events out for its time, is counted and shown, and ends by itself', async () => {
    const id = await box.save(chat)
    await box.engine.holds.snoozeWorkflow(id, 60_000, ANN)
    expect(box.engine.workflow('residents')?.snoozed_until).toBe('2026-03-10T12:01:00.000Z')
    expect(await box.refused(box.event())).toBe('snoozed')
    await box.restart()
    expect(await box.refused(box.event())).toBe('snoozed')
    expect(box.engine.shed()).toEqual({ snoozed: 1 })
    expect(box.engine.holds.view().snoozes).toMatchObject([
      { kind: 'workflow', target: String(id), by: 'Ann' },
    ])
    box.clock.advance(60_000)
    expect(box.engine.workflow('residents')?.snoozed_until).toBeNull()
    expect(box.engine.holds.view().snoozes).toEqual([])
    expect((await box.run(box.event())).status).toBe('done')
  })

  test('of a camera concerns what comes from it, and no other', async () => {
    await box.save(chat.replace(', cameras: [gate]', ''))
    await box.engine.holds.snoozeCamera('gate', 60_000, ANN)
    expect(await box.refused(box.event())).toBe('snoozed')
    expect((await box.run(box.event({ cameraId: 'yard-1' }))).status).toBe('done')
    await box.engine.holds.snoozeCamera('gate', 0, ANN)
    expect((await box.run(box.event())).status).toBe('done')
  })

  test('holds no known person’s press', async () => {
    const id = await box.save(
      chat
        .replace(/when:.*/, 'when: { button: {} }')
        .replace(/- if.*\n.*then:/, '- if: [ site_mode: [disarmed] ]\n    then:'),
    )
    await box.engine.holds.snoozeWorkflow(id, 60_000, ANN)
    expect(await box.refused(box.press(id, null))).toBe('snoozed')
    expect((await box.run(box.press(id))).status).toBe('done')
  })

  test('is for a while, and for what there is', async () => {
    const id = await box.save(chat)
    const { holds } = box.engine
    await expect(holds.snoozeWorkflow(id, 32 * 86_400_000, ANN)).rejects.toMatchObject({
      code: 'bad_duration',
    })
    await expect(holds.snoozeWorkflow(99, 1_000, ANN)).rejects.toMatchObject({ code: 'workflow_unknown' })
    await expect(holds.snoozeCamera('moon', 1_000, ANN)).rejects.toMatchObject({ code: 'camera_unknown' })
  })
})
