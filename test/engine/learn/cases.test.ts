/** Marked runs are the cases of a workflow: what a new way of judging makes of them. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LookInput } from '../../../src/ai/index.ts'
import { CasesFlipped } from '../../../src/engine/index.ts'
import { Box, decision, picture } from '../box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
  // The picture is a word; the prompt says which words are a person.
  box.look = async (spec, input) =>
    decision({ decision: spec.prompt.includes(wordOf(input)) ? 'person' : 'clear', confidence: 0.9 })
})
afterEach(() => box.stop())

const wordOf = ({ pictures }: LookInput) =>
  pictures.map(({ bytes }) => new TextDecoder().decode(bytes.slice(3))).join('+')

const file = (prompt: string, title = 'Somebody') => `
contract: workflow.v1
name: Yard
state: test
limits: { cooldown: 0s, per_hour: 1000, ai_per_hour: 1000 }
when: { event: { schema: picture.arrived.v1, cameras: [yard] } }
then:
  - ai:
      mode: look
      prompt: ${prompt}
      input: picture
      decision: [person, clear]
      person: [ alert: { severity: low, title: ${title} } ]
      clear: []
      unsure: []
`

async function ran(word: string): Promise<number> {
  box.clock.advance(60_000)
  const pictures = [picture(word, box.clock.now())]
  const { id } = await box.run(
    box.event({ schema: 'picture.arrived.v1', cameraId: 'yard-1', payload: { file: word }, pictures }),
  )
  return id
}

test('what was right and comes out differently is worse, what was wrong is better', async () => {
  const id = await box.save(file('ann bob shadow'))
  const { learning } = box.engine
  const runs = {
    ann: await ran('ann'),
    bob: await ran('bob'),
    shadow: await ran('shadow'),
    cat: await ran('cat'),
  }
  await learning.mark(runs.ann, true, null, 'Ann')
  await learning.mark(runs.bob, true, null, 'Ann')
  await learning.mark(runs.shadow, false, null, 'Ann')
  // Judged as it is judged now: there is nothing to find out.
  expect(await learning.cases(id)).toEqual({ tried: [], worse: 0, better: 0 })

  await box.engine.save(file('ann'), { id })
  const cases = await learning.cases(id)
  expect([cases.worse, cases.better]).toEqual([1, 1])
  expect(
    cases.tried.map(({ event, marked, then, now, flipped }) => [
      event.run,
      marked,
      then?.decision,
      now?.decision,
      flipped,
    ]),
  ).toEqual([
    [runs.shadow, 'wrong', 'person', 'clear', true],
    [runs.bob, 'right', 'person', 'clear', true],
    [runs.ann, 'right', 'person', 'person', false],
  ])
  // Who takes a mark back by the other word changes what the case is.
  await learning.mark(runs.bob, false, null, 'Ann')
  expect(await learning.cases(id)).toMatchObject({ worse: 0, better: 2 })
  // Nothing of it stays.
  expect(box.engine.runs({ limit: 50 })).toHaveLength(4)
})

test('a change that no AI step decides by has no cases to run', async () => {
  const id = await box.save(file('ann'))
  await box.engine.learning.mark(await ran('ann'), true, null, 'Ann')
  await box.engine.save(file('ann', 'Hello'), { id })
  expect(await box.engine.learning.cases(id)).toEqual({ tried: [], worse: 0, better: 0 })
})

const stateOf = (id: number) => box.store.workflows.get(id)?.state

/** A workflow with a run that is marked as right, and changed so that it comes out differently. */
async function flipping(): Promise<number> {
  const id = await box.save(file('ann bob'))
  await box.engine.setState(id, 'on')
  await box.engine.learning.mark(await ran('bob'), true, null, 'Ann')
  await box.engine.save(file('ann'), { id })
  expect(stateOf(id)).toBe('test')
  return id
}

test('every way to On passes the cases, and is open to who confirms that something flips', async () => {
  const id = await flipping()
  const refused = await box.engine.setState(id, 'on', 'Ann').catch(error => error)
  expect(refused).toBeInstanceOf(CasesFlipped)
  expect(refused).toMatchObject({ code: 'cases_flipped', status: 409, cases: { worse: 1, better: 0 } })
  expect(stateOf(id)).toBe('test')
  expect(await box.engine.setState(id, 'on', 'Ann', { confirmed: true })).toMatchObject({ state: 'on' })
  // Where it is On already nothing is run anew.
  expect(await box.engine.setState(id, 'on', 'Ann')).not.toHaveProperty('cases')
})

test('where nothing flips it goes On, and says what was run', async () => {
  const id = await flipping()
  await box.engine.save(file('bob and others'), { id })
  const switched = await box.engine.setState(id, 'on', 'Ann')
  expect(switched).toMatchObject({ state: 'on', cases: { worse: 0, tried: [{ flipped: false }] } })
})

test('a version of before stays On only where its cases hold', async () => {
  const id = await flipping()
  await box.engine.setState(id, 'on', 'Ann', { confirmed: true })
  // Back to what was On once, and holds.
  expect(await box.engine.rollback(id, 1, 'Ann')).toMatchObject({ ok: true, workflow: { state: 'on' } })
  // And to what was On, too, and does not.
  expect(await box.engine.rollback(id, 2, 'Ann')).toMatchObject({ ok: true, workflow: { state: 'test' } })
})

test('what is saved while its cases are run does not go On with them', async () => {
  const id = await flipping()
  await box.engine.save(file('bob'), { id })
  const look = box.look
  box.look = async (...asked) => {
    box.look = look
    await box.engine.save(file('nobody'), { id })
    return look(...asked)
  }
  await expect(box.engine.setState(id, 'on', 'Ann')).rejects.toMatchObject({ code: 'changed_meanwhile' })
  expect(stateOf(id)).toBe('test')
})

test('a workflow that is not there is said', async () => {
  await expect(box.engine.learning.cases(99)).rejects.toMatchObject({ code: 'workflow_unknown' })
})
