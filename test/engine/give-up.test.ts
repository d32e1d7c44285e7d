import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunView } from '../../src/engine/index.ts'
import { Box } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const file = (then: string, always = '[ log: end ]') => `
contract: workflow.v1
name: Gate
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: { button: {} }
then: ${then}
always: ${always}
`
const paths = (run: RunView) => run.steps.map(({ path, status }) => `${path} ${status}`)

/** Changes rows from outside, as no Gatehouse would. */
function meddle(sql: string): void {
  const database = new Database(join(box.dir, 'gatehouse.db'))
  database.run(sql)
  database.close()
}
const MISLEAD = "UPDATE workflow_run_steps SET path = 'then[9]'"

describe('a run whose rows are not understood any more', () => {
  test('closes its question for everybody, runs `always`, and lets the next press begin', async () => {
    const ask = '- ask_person: { who: role:guard, message: Open?, replies: [A, B], timeout: 1m }'
    const id = await box.save(file(`\n  ${ask}\n`))
    const first = await box.begin(box.press(id))
    await box.until(first, 'waiting')
    expect(await box.refused(box.press(id, { by: 'session', name: 'Bob' }))).toBe('queued')
    const asked: string[] = []
    box.bus.on('approval', ({ status }) => asked.push(status))
    meddle(MISLEAD)
    box.clock.advance(60_000)
    const run = await box.ended(first)
    expect([run.status, paths(run)]).toEqual(['failed', ['then[9] failed', 'always[0] done']])
    expect(run.error).toContain('has no step at then[9]')
    expect(asked[0]).toBe('stopped')
    await box.until(first + 1, 'waiting')
  })

  test('says of a move that had begun that nobody knows; when that is settled it has failed all the same', async () => {
    const id = await box.save(file('[ webhook: { to: barrier, json: open }, log: behind ]'))
    box.answer = () => new Promise(() => {})
    const press = await box.begin(box.press(id))
    await expect.poll(() => box.sent.length).toBe(1)
    meddle(MISLEAD)
    await box.crash()
    const run = await box.ended(press)
    expect([run.status, paths(run)]).toEqual(['unknown', ['then[9] unknown', 'always[0] done']])
    expect(box.engine.notices({ unsettled: true, limit: 9 })).toMatchObject([{ run: press }])
    expect(await box.engine.settle(press, true, 'Ann')).toMatchObject({ status: 'failed' })
    expect(box.sent).toHaveLength(1)
  })

  test('runs `always` once, whenever the box goes down', async () => {
    const id = await box.save(file('[ wait: 1m ]', '[ wait: 1m, log: end ]'))
    const press = await box.begin(box.press(id))
    await box.until(press, 'waiting')
    meddle(MISLEAD)
    await box.restart(60_000)
    await expect.poll(() => box.engine.run(press)?.steps.at(-1)?.path).toBe('always[0]')
    await box.restart(60_000)
    const run = await box.ended(press)
    expect([run.status, run.steps.filter(({ path }) => path.startsWith('always'))]).toEqual([
      'failed',
      [expect.objectContaining({ path: 'always[0]' })],
    ])
  })

  test('ends where its whole file is not understood', async () => {
    const id = await box.save(file('[ wait: 1m ]'))
    const press = await box.begin(box.press(id))
    await box.until(press, 'waiting')
    meddle("UPDATE workflow_versions SET yaml = 'what'")
    await box.restart(60_000)
    const run = await box.ended(press)
    expect([run.status, paths(run), run.error]).toEqual([
      'failed',
      ['then[0] failed'],
      expect.stringContaining('not understood'),
    ])
  })
})

test.each(['read', 'written'])(
  'a run whose rows cannot be %s for a while goes on when they can',
  async what => {
    const id = await box.save(file('[ wait: 1m, log: behind ]'))
    const press = await box.begin(box.press(id))
    await box.until(press, 'waiting')
    const { write } = box.store
    const { ofRun } = box.store.steps
    const failure = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' })
    if (what === 'written') box.store.write = () => Promise.reject(failure)
    else
      box.store.steps.ofRun = () => {
        throw failure
      }
    for (const ms of [60_000, 10_000, 10_000]) {
      box.clock.advance(ms)
      await box.quiet()
    }
    box.store.write = write
    box.store.steps.ofRun = ofRun
    box.clock.advance(10_000)
    const run = await box.ended(press)
    expect([run.status, paths(run)]).toEqual(['done', ['then[0] done', 'then[1] done', 'always[0] done']])
  },
)
