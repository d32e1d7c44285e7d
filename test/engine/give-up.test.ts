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

describe('a run of which a row cannot be read', () => {
  const BROKEN = '{"who":'
  const twoSteps = file('[ webhook: { to: chat, json: told }, wait: 1m, log: behind ]')

  /** How often anything of a run was told. */
  const told = () => {
    const seen: string[] = []
    box.bus.on('run', ({ status }) => seen.push(status))
    return seen
  }

  test.each(['then[0]', 'then[1]'])('(%s) fails once, says why, and still runs `always`', async path => {
    const id = await box.save(twoSteps)
    const press = await box.begin(box.press(id))
    await box.until(press, 'waiting')
    const { result } = box.engine.run(press)?.steps[0] ?? {}
    expect(result).not.toBeNull()
    meddle(
      `UPDATE workflow_run_steps SET ${path === 'then[0]' ? 'result' : 'inputs'} = '${BROKEN}' WHERE path = '${path}'`,
    )
    // It is in the lists all the same.
    expect(box.engine.runs({ limit: 9 })).toHaveLength(1)
    const seen = told()
    box.clock.advance(60_000)
    const run = await box.ended(press)
    expect([run.status, paths(run)]).toEqual(['failed', ['then[0] done', 'then[1] failed', 'always[0] done']])
    expect(run.error).toContain(`What is stored of ${path} cannot be read`)
    const before = seen.length
    const { jobs } = box.store.counts
    for (let n = 0; n < 6; n++) {
      box.clock.advance(10_000)
      await box.quiet()
    }
    expect([seen.length, box.store.counts.jobs]).toEqual([before, jobs])
    expect(box.sent).toHaveLength(1)
    await box.restart()
    expect(box.engine.run(press)?.status).toBe('failed')
  })

  test.each(['"values"', 'taint', 'event'])('(%s of the run) fails and does nothing more', async column => {
    const id = await box.save(twoSteps)
    const press = await box.begin(box.press(id))
    await box.until(press, 'waiting')
    expect(await box.refused(box.press(id, { by: 'session', name: 'Bob' }))).toBe('queued')
    meddle(`UPDATE workflow_runs SET ${column} = '${BROKEN}'`)
    box.clock.advance(60_000)
    const run = await box.ended(press)
    expect([run.status, paths(run)]).toEqual(['failed', ['then[0] done', 'then[1] failed']])
    expect(run.error).toContain('What is stored of the run cannot be read')
    // Whoever waited for its end has their turn.
    await box.until(press + 1, 'waiting')
  })

  test('keeps no box from starting, and no other run from going on', async () => {
    const id = await box.save(file('[ wait: 1m ]').replace('button', 'webhook'))
    const [first, second] = [await box.begin(box.hook(id, {}, 'a')), await box.begin(box.hook(id, {}, 'b'))]
    await box.until(second, 'waiting')
    await box.until(first, 'waiting')
    meddle(`UPDATE workflow_runs SET "values" = '${BROKEN}' WHERE id = ${first}`)
    meddle(`UPDATE due SET payload = '${BROKEN}'`)
    await box.restart(60_000)
    expect((await box.ended(first)).status).toBe('failed')
    expect((await box.ended(second)).status).toBe('done')
  })

  test('has no message sent that nobody knows the words of', async () => {
    box.answer = () => 503
    const press = await box.run(box.press(await box.save(file('[ webhook: { to: chat, json: told } ]'))))
    expect(box.store.due.all()).toMatchObject([{ kind: 'tell' }])
    meddle(`UPDATE workflow_run_steps SET inputs = '${BROKEN}' WHERE path = 'then[0]'`)
    box.answer = () => 200
    box.clock.advance(1_000)
    await expect.poll(() => box.store.due.all()).toEqual([])
    expect(box.engine.run(press.id)?.steps[0]).toMatchObject({
      status: 'failed',
      result: { code: 'row_broken' },
    })
    expect(box.sent).toHaveLength(1)
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
