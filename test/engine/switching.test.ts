import { afterEach, beforeEach, expect, test } from 'vitest'
import { Box } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const file = (text: string, ai = false) => `
contract: workflow.v1
name: Gate
state: on
when: { webhook: {} }
then: [ log: ${text}${ai ? ', ai: { mode: look, prompt: What?, input: event, decision: [a, b], a: [], b: [], unsure: [] }' : ''} ]
`
/** What counts and what is stored, which have to be the same. */
const states = (id: number) => [box.engine.workflow(String(id))?.state, box.store.workflows.get(id)?.state]
const save = (id: number, yaml: string) => box.engine.save(yaml, { id })
/** Everything that is written until this is called again fails. */
function breakDisk(): () => void {
  const { write } = box.store
  box.store.write = () => Promise.reject(new Error('the disk is gone'))
  return () => {
    box.store.write = write
  }
}

test.each([
  ['before', 0],
  ['after', 1],
])('Off counts although a file is saved at the same time, called %s it', async (_, order) => {
  const id = await box.save(file('one'))
  const changes = [() => box.engine.setState(id, 'off'), () => save(id, file('two'))]
  if (order) changes.reverse()
  await Promise.all(changes.map(change => change()))
  expect(states(id)).toEqual(['off', 'off'])
  expect(box.engine.workflow(String(id))?.version).toBe(2)
  expect(await box.refused(box.hook(id))).toBe('off')
})

test('Off counts although the site is read again at the same time', async () => {
  const id = await box.save(file('one'))
  const off = box.engine.setState(id, 'off')
  await Promise.all([off, box.engine.recheck()])
  expect(states(id)).toEqual(['off', 'off'])
  await Promise.all([box.engine.setState(id, 'on'), box.engine.recheck(), box.engine.setState(id, 'off')])
  expect(states(id)).toEqual(['off', 'off'])
})

test('what AI decides anew is in Test from the moment when it is saved, and On again by a later word only', async () => {
  const id = await box.save(file('one'))
  const saving = save(id, file('two', true))
  expect(states(id)[0]).toBe('test')
  await saving
  expect(states(id)).toEqual(['test', 'test'])
  await Promise.all([box.engine.setState(id, 'on'), save(id, file('three', true).replace('What?', 'Who?'))])
  expect(states(id)).toEqual(['test', 'test'])
  await Promise.all([save(id, file('four', true)), box.engine.setState(id, 'on')])
  expect(states(id)).toEqual(['on', 'on'])
  expect(box.store.versions.numbered(id, 4)?.wasOn).toBe(true)
})

test('what cannot be stored is taken back, and what came after it stays', async () => {
  const id = await box.save(file('one'))
  const mend = breakDisk()
  const lost = [box.engine.setState(id, 'off'), save(id, file('two', true))]
  mend()
  const kept = box.engine.setState(id, 'test')
  expect((await Promise.allSettled(lost)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await kept
  expect(states(id)).toEqual(['test', 'test'])
  breakDisk()
  await expect(box.engine.setState(id, 'on')).rejects.toThrow('the disk is gone')
  expect([states(id), box.engine.workflow(String(id))?.version]).toEqual([['test', 'test'], 1])
})

test('of two files that are saved at once both are versions, under one hook', async () => {
  const id = await box.save(file('one').replace('webhook', 'button'))
  await Promise.all([save(id, file('two')), save(id, file('three'))])
  const hook = box.engine.workflow(String(id))?.hook
  expect(box.engine.workflow(String(id))?.version).toBe(3)
  expect(hook).toContain(box.store.workflows.get(id)?.hookId)
  await box.restart()
  expect(box.engine.workflow(String(id))?.hook).toBe(hook)
})

test('of two files that are made from one version the first is saved, the second refused whole', async () => {
  const id = await box.save(file('one'))
  const over = (yaml: string, version: number) => box.engine.save(yaml, { id, over: version })
  const both = await Promise.allSettled([over(file('two'), 1), over(file('three', true), 1)])
  expect(both).toMatchObject([
    { status: 'fulfilled' },
    { reason: { code: 'changed_meanwhile', status: 409 } },
  ])
  expect([box.engine.workflow(String(id))?.version, states(id)]).toEqual([2, ['on', 'on']])
  expect(box.engine.workflowYaml(id)).toBe(file('two'))
  expect(box.store.versions.ofWorkflow(id)).toHaveLength(2)
  expect(await over(file('three'), 2)).toMatchObject({ ok: true, workflow: { version: 3 } })
})
