import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunView } from '../../src/engine/index.ts'
import { Box, decision } from './box.ts'

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
const HANGS = '[ webhook: { to: chat, json: hello }, webhook: { to: barrier, json: open } ]'
const paths = (run: RunView) => run.steps.map(({ path, status }) => `${path} ${status}`)
const sent = () => box.sent.map(({ to }) => to)
const never = () => new Promise<number>(() => {})

/** A run that hangs in its first call, and a stop of it that somebody was told of. */
async function stopped(then = HANGS): Promise<number> {
  const id = await box.begin(box.press(await box.save(file(then))))
  await expect.poll(() => box.sent.length).toBe(1)
  const stopping = box.engine.stopRun(id)
  await box.quiet()
  box.clock.advance(10_000)
  expect((await stopping).status).toBe('running')
  box.answer = () => 200
  return id
}

describe('a stop that was answered', () => {
  beforeEach(() => {
    box.answer = never
  })

  test('holds after a pulled plug: nothing is done again, nothing moves, `always` runs', async () => {
    const id = await stopped()
    await box.crash()
    const run = await box.ended(id)
    expect([run.status, paths(run)]).toEqual(['stopped', ['then[0] failed', 'always[0] done']])
    expect(run.steps[0]?.result).toMatchObject({ stopped: true, message: 'The run was stopped.' })
    expect(sent()).toEqual(['chat'])
  })

  test('holds after a shutdown, and is carried out once', async () => {
    const id = await stopped()
    const restarted = box.restart()
    box.clock.advance(60_000)
    await restarted
    expect((await box.ended(id)).status).toBe('stopped')
    expect(sent()).toEqual(['chat'])
    expect(box.store.runs.get(id)?.stopAt).toBeNull()
  })

  test('holds for a move: nobody knows whether it happened, and nothing behind it runs', async () => {
    const id = await stopped('[ webhook: { to: barrier, json: open }, log: behind ]')
    await box.crash()
    const run = await box.ended(id)
    expect([run.status, paths(run)]).toEqual(['unknown', ['then[0] unknown', 'always[0] done']])
    expect(run.error).toContain('look whether it happened')
    expect(sent()).toEqual(['barrier'])
    expect((await box.engine.settle(id, true, 'Ann')).status).toBe('stopped')
  })

  test('holds for a look that was going on: nobody looks again', async () => {
    let looks = 0
    box.look = () => {
      looks++
      return new Promise(() => {})
    }
    const yaml = file(
      '[ ai: { mode: look, prompt: What?, input: event, decision: [a, b], a: [], b: [], unsure: [] } ]',
    )
    const id = await box.begin(box.press(await box.save(yaml, 'on')))
    await expect.poll(() => looks).toBe(1)
    const stopping = box.engine.stopRun(id)
    await box.quiet()
    box.clock.advance(10_000)
    await stopping
    box.look = async () => {
      looks++
      return decision({ decision: 'a' })
    }
    await box.crash()
    expect([(await box.ended(id)).status, looks]).toEqual(['stopped', 1])
  })
})

test('a stop in the seconds after a failed write is carried out, and asks for a disk that holds it', async () => {
  const id = await box.save(file('[ webhook: { to: chat, json: x }, webhook: { to: barrier, json: open } ]'))
  const answer = Promise.withResolvers<number>()
  box.answer = () => answer.promise
  const run = await box.begin(box.press(id))
  await expect.poll(() => box.sent.length).toBe(1)
  const { write } = box.store
  box.store.write = () => Promise.reject(new Error('the disk is gone'))
  answer.resolve(200)
  await box.quiet()
  // Nobody is told that it was stopped while that cannot be kept.
  await expect(box.engine.stopRun(run)).rejects.toThrow('the disk is gone')
  box.store.write = write
  const view = await box.engine.stopRun(run)
  expect([view.status, sent()]).toEqual(['stopped', ['chat']])
})

test('a stop that comes as all was done lets `always` run', async () => {
  const id = await box.save(
    file('[ webhook: { to: chat, json: x } ]', '[ webhook: { to: chat, json: y }, log: z ]'),
  )
  const [run, stopping] = await duringNextCommit(id)
  const view = await box.ended(run)
  await stopping
  expect([view.status, paths(view)]).toEqual(['done', ['then[0] done', 'always[0] done', 'always[1] done']])
})

/** A run that is stopped in the very commit with which its first step ends and its second one begins. */
async function duringNextCommit(id: number): Promise<[number, Promise<RunView>]> {
  const answer = Promise.withResolvers<number>()
  box.answer = () => answer.promise
  const run = await box.begin(box.press(id))
  await expect.poll(() => box.sent.length).toBe(1)
  const write = box.store.write.bind(box.store)
  const stopping = new Promise<RunView>(resolve => {
    box.store.write = (...args) => {
      box.store.write = write
      const written = write(...args)
      resolve(box.engine.stopRun(run))
      return written
    }
  })
  answer.resolve(200)
  return [run, stopping]
}

test.each(['webhook: { to: chat, json: y }', 'webhook: { to: barrier, json: open }'])(
  'a stop while a step is written keeps it from beginning: %s',
  async second => {
    const id = await box.save(file(`[ webhook: { to: chat, json: x }, ${second}, log: z ]`))
    const [run, stopping] = await duringNextCommit(id)
    expect(paths(await stopping)).toEqual(['then[0] done', 'then[1] failed', 'always[0] done'])
    expect([box.engine.run(run)?.status, sent()]).toEqual(['stopped', ['chat']])
    expect(box.store.intents.ofRun(run).map(({ status }) => status)).not.toContain('intended')
  },
)
