import { afterEach, beforeEach, expect, test } from 'vitest'
import { Box } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const GATE = `
contract: workflow.v1
name: Gate
state: on
when: { webhook: {} }
then: [ wait: 1h, log: after ]
`
/** Who did what, oldest first. */
const audit = () => box.engine.audit({ limit: 50 }).reverse()

test('who switched, stopped and removed is written down, in the order in which it counted', async () => {
  const id = await box.save(GATE)
  const run = await box.begin(box.hook(id))
  await box.until(run, 'waiting')
  await box.engine.setState(id, 'off', 'Ann')
  box.clock.advance(1_000)
  await box.engine.setState(id, 'on', 'Bob')
  await box.engine.stopRun(run, 'Ann')
  await box.engine.remove(id, 'Bob')
  expect(audit()).toMatchObject([
    { by: 'Ann', action: 'workflow.off', target: 'workflow gate', at: '2026-03-10T12:00:00.000Z' },
    { by: 'Bob', action: 'workflow.on', target: 'workflow gate', at: '2026-03-10T12:00:01.000Z' },
    { by: 'Ann', action: 'run.stop', target: `run ${run}` },
    { by: 'Bob', action: 'workflow.remove', target: 'workflow gate' },
  ])
  const [last] = box.engine.audit({ limit: 1 })
  expect(box.engine.audit({ limit: 9, before: last?.id ?? 0 })).toHaveLength(3)
})

test('a stop of a run at work is written down with the commit that answers it', async () => {
  const answered = Promise.withResolvers<number>()
  box.answer = () => answered.promise
  const id = await box.save(GATE.replace('wait: 1h', 'webhook: { to: chat }'))
  const run = await box.begin(box.hook(id))
  await expect.poll(() => box.sent.length).toBe(1)
  const stopped = box.engine.stopRun(run, 'Ann')
  await expect.poll(audit).toMatchObject([{ by: 'Ann', action: 'run.stop', target: `run ${run}` }])
  expect(box.engine.run(run)?.ended_at).toBeNull()
  answered.resolve(200)
  await stopped
})

test('what could not be stored was not done, and is not said', async () => {
  const id = await box.save(GATE)
  const { write } = box.store
  box.store.write = () => Promise.reject(new Error('the disk is gone'))
  await expect(box.engine.setState(id, 'off', 'Ann')).rejects.toThrow('the disk is gone')
  box.store.write = write
  expect(audit()).toEqual([])
  await expect(box.engine.setState(99, 'off', 'Ann')).rejects.toMatchObject({ code: 'workflow_unknown' })
  expect(audit()).toEqual([])
})

test('what nobody did by name says so', async () => {
  const id = await box.save(GATE)
  await box.engine.setState(id, 'test')
  expect(audit()).toMatchObject([{ by: 'this box', action: 'workflow.test' }])
})
