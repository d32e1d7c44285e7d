import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunView } from '../../src/engine/index.ts'
import { Box } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

/** A button that moves, then what always follows. */
const file = (always: string) => `
contract: workflow.v1
name: Gate
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: { button: {} }
then:
  - webhook: { to: barrier, json: open }
    name: gate
  - log: behind
always: ${always}
`
const paths = (run: RunView | null) => run?.steps.map(({ path, status }) => `${path} ${status}`)

/** A run whose move nobody knows of, while its `always` goes on. */
async function unknown(always: string): Promise<number> {
  const id = await box.save(file(always))
  box.answer = ({ to }) => (to === 'barrier' ? 502 : 200)
  const run = await box.begin(box.press(id))
  await box.until(run, 'waiting')
  return run
}

describe('a move that is settled while its run goes on', () => {
  const ALWAYS = '[ wait: 10m, log: one, wait: 10m, log: two ]'

  test.each([
    [true, 'done', null],
    [false, 'failed', 'Ann says that it did not happen.'],
  ])(
    '(it happened: %s) leaves the run on its way, whatever comes between',
    async (happened, status, error) => {
      const id = await unknown(ALWAYS)
      const settled = await box.engine.settle(id, happened, 'Ann')
      expect(settled).toMatchObject({ status: 'waiting', ended_at: null })
      box.clock.advance(10 * 60_000)
      await expect.poll(() => box.engine.run(id)?.steps.length).toBe(4)
      await box.until(id, 'waiting')
      await box.restart(10 * 60_000)
      const run = await box.ended(id)
      expect([run.status, run.error]).toEqual([status, error])
      expect(paths(run)).toEqual([`then[0] ${status}`, ...[0, 1, 2, 3].map(n => `always[${n}] done`)])
      await expect(box.engine.settle(id, true, 'Bob')).rejects.toMatchObject({ code: 'nothing_unknown' })
    },
  )

  test('counts in a run that is at work at that moment', async () => {
    const id = await box.save(file('[ webhook: { to: chat, json: x }, log: end ]'))
    const answer = Promise.withResolvers<number>()
    box.answer = ({ to }) => (to === 'barrier' ? 502 : answer.promise)
    const ended = new Promise<string>(resolve =>
      box.bus.on('run', run => run.ended_at !== null && resolve(run.status)),
    )
    const run = await box.begin(box.press(id))
    await expect.poll(() => box.sent.length).toBe(2)
    await box.engine.settle(run, true, 'Ann')
    answer.resolve(200)
    expect(await ended).toBe('done')
    expect(await box.ended(run)).toMatchObject({ status: 'done', error: null })
  })

  test('is what `always` waits for', async () => {
    const id = await unknown(
      '[ wait_for: { until: { step_succeeded: gate }, every: 5s, timeout: 1h }, log: end ]',
    )
    box.clock.advance(5_000)
    await box.quiet()
    expect(box.engine.run(id)?.status).toBe('waiting')
    await box.engine.settle(id, true, 'Ann')
    box.clock.advance(5_000)
    const run = await box.ended(id)
    expect([run.status, run.steps[1]?.outcome]).toEqual(['done', 'met'])
  })

  test('does not hide that the run was stopped', async () => {
    const id = await box.save(file('[ wait: 10m ]'))
    const answer = Promise.withResolvers<number>()
    box.answer = () => answer.promise
    const run = await box.begin(box.press(id))
    await expect.poll(() => box.sent.length).toBe(1)
    const stopping = box.engine.stopRun(run)
    answer.resolve(502)
    await box.until(run, 'waiting')
    await box.engine.settle(run, true, 'Ann')
    box.clock.advance(10 * 60_000)
    await stopping
    const stopped = await box.ended(run)
    expect([stopped.status, paths(stopped)]).toEqual(['stopped', ['then[0] done', 'always[0] done']])
  })
})

test('what is settled after the end says nothing any more of what nobody knew', async () => {
  const id = await box.save(file('[]'))
  box.answer = () => 502
  const run = await box.run(box.press(id))
  expect([run.status, run.error]).toEqual(['unknown', expect.stringContaining('502')])
  expect(await box.engine.settle(run.id, true, 'Ann')).toMatchObject({ status: 'done', error: null })
})
