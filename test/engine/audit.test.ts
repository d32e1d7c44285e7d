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
/** Who did what, oldest first; what the test itself put there aside. */
const audit = () =>
  box.engine
    .audit({ limit: 50 })
    .reverse()
    .filter(({ by, action }) => by !== 'this box' || action !== 'workflow.save')

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
  expect(box.engine.audit({ limit: 9, before: last?.id ?? 0 })).toHaveLength(4)
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

test('what was saved, answered and marked is written down with it, once', async () => {
  const yaml = `
contract: workflow.v1
name: Ask
state: on
when: { webhook: {} }
then:
  - ask_person: { who: role:guard, message: "Open?", replies: ["Yes", "No"], timeout: 10m, default: "No" }
    "Yes": []
`
  const id = await box.save(yaml)
  const again = yaml.replace('10m', '11m')
  await box.engine.save(again, { id, by: 'Ann' })
  await box.engine.save(again, { id, by: 'Ann' })
  await box.engine.rollback(id, 1, 'Bob')
  const run = await box.begin(box.hook(id))
  await box.until(run, 'waiting')
  const [question] = box.engine.approvals({ open: true })
  const answer = () => box.engine.answer(question?.id ?? 0, 'Yes', { by: 'session', name: 'Ann' })
  await answer()
  await expect(answer()).rejects.toMatchObject({ code: 'already_decided' })
  await box.ended(run)
  await box.engine.learning.mark(run, false, null, 'Bob')
  expect(audit().map(({ by, action, target }) => [by, action, target])).toEqual([
    ['Ann', 'workflow.save', 'workflow ask, version 2'],
    ['Bob', 'workflow.save', 'workflow ask, version 3'],
    ['Ann', 'question.answer', `question ${question?.id} of run ${run}: Yes`],
    ['Bob', 'run.wrong', `run ${run}`],
  ])
})
