import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Box, decision } from '../box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
  box.look = async () => decision({ decision: 'person', fields: {}, reason: 'one person', confidence: 0.9 })
})
afterEach(() => box.stop())

const file = (parts: { prompt?: string; title?: string; severity?: string; before?: string } = {}) => `
contract: workflow.v1
name: Yard
state: test
limits: { cooldown: 0s, per_hour: 1000, ai_per_hour: 1000 }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
${parts.before ?? ''}  - ai:
      mode: look
      prompt: ${parts.prompt ?? 'Who?'}
      input: event
      decision: [person, clear]
      person: [ alert: { severity: ${parts.severity ?? 'high'}, title: "${parts.title ?? 'Somebody'}" } ]
      clear: []
      unsure: []
    name: look
`
const save = async (yaml: string, id: number) => {
  const saved = await box.engine.save(yaml, { id, by: 'Ann' })
  if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
  return saved.workflow
}
const said = async () => {
  const run = await box.run(box.event())
  return { run, severity: box.notices(run.id)[0]?.severity, alert: run.steps.at(-1) }
}
const markMany = async (many: number, right = true) => {
  for (let i = 0; i < many; i++)
    await box.engine.learning.mark((await box.run(box.event())).id, right, null, 'Ann')
}

describe('a mark', () => {
  test('of a run whose version is not understood any more takes nothing else with it', async () => {
    const id = await box.save(file(), 'on')
    const [{ run: old }] = [await said()]
    await save(file({ prompt: 'Anybody?' }), id)
    const { run } = await said()
    const database = new Database(join(box.dir, 'gatehouse.db'))
    database.run("UPDATE workflow_versions SET yaml = 'what' WHERE number = 1")
    database.close()
    const marks = [old, run].map(each => box.engine.learning.mark(each.id, true, null, 'Ann'))
    expect(await Promise.allSettled(marks)).toMatchObject([
      { status: 'rejected', reason: { code: 'version_broken' } },
      { status: 'fulfilled', value: { marks: [{ by: 'Ann' }] } },
    ])
  })

  test('counts for the AI step; the same person’s later word replaces it and the first is kept', async () => {
    const id = await box.save(file(), 'on')
    const { run } = await said()
    await box.engine.learning.mark(run.id, true, null, 'Ann')
    expect(box.engine.workflow(String(id))?.accuracy).toEqual([
      { path: 'then[0]', name: 'look', marks: 1, right: 1, share: 1, low: 0.207, high: 1 },
    ])
    box.clock.advance(1_000)
    const view = await box.engine.learning.mark(run.id, false, 'a cat', 'Ann')
    expect(view.marks).toEqual([{ by: 'Ann', right: false, note: 'a cat', at: '2026-03-10T12:00:01.000Z' }])
    expect(box.engine.workflow(String(id))?.accuracy).toMatchObject([{ marks: 1, right: 0, share: 0 }])
    expect(
      box.store.marks.ofRun(run.id).map(({ correct, replacedAt }) => [correct, replacedAt !== null]),
    ).toEqual([
      [true, true],
      [false, false],
    ])
  })

  test('of two people who disagree is a wrong one, and the run counts once', async () => {
    const id = await box.save(file(), 'on')
    const { run } = await said()
    await box.engine.learning.mark(run.id, false, null, 'Ann')
    const view = await box.engine.learning.mark(run.id, true, null, 'Bob')
    expect(view.marks.map(({ by, right }) => [by, right])).toEqual([
      ['Ann', false],
      ['Bob', true],
    ])
    expect(box.engine.workflow(String(id))?.accuracy).toMatchObject([{ marks: 1, right: 0 }])
    await box.engine.learning.mark(run.id, true, null, 'Ann')
    expect(box.engine.workflow(String(id))?.accuracy).toMatchObject([{ marks: 1, right: 1 }])
  })

  test('on an unsure run says nothing of the step’s decisions', async () => {
    box.look = async () => decision({ reason: 'no idea' })
    const id = await box.save(file(), 'on')
    const view = await box.engine.learning.mark((await box.run(box.event())).id, true, null, 'Ann')
    expect(view.marks).toHaveLength(1)
    expect(box.engine.workflow(String(id))?.accuracy).toMatchObject([{ marks: 0, share: null }])
  })

  test('is told at once, survives a restart, and is refused where it makes no sense', async () => {
    const id = await box.save(file().replace('clear: []', 'clear: [ wait: 1h ]'), 'on')
    const told: string[] = []
    box.bus.on('run', ({ id: run }) => told.push(`run ${run}`))
    box.bus.on('workflow', ({ accuracy }) => told.push(`${accuracy[0]?.marks} marks`))
    const { run } = await said()
    told.length = 0
    await box.engine.learning.mark(run.id, true, null, 'Ann')
    expect(told).toEqual([`run ${run.id}`, '1 marks'])
    await box.restart()
    expect(box.engine.run(run.id)?.marks).toHaveLength(1)
    expect(box.engine.workflow(String(id))?.accuracy).toMatchObject([{ marks: 1 }])
    const refused = (doing: Promise<unknown>) =>
      doing.then(
        () => 'taken',
        error => error.code,
      )
    expect(await refused(box.engine.learning.mark(99, true, null, 'Ann'))).toBe('run_unknown')
    expect(await refused(box.engine.learning.mark(run.id, true, 'x'.repeat(1001), 'Ann'))).toBe(
      'note_too_long',
    )
    box.look = async () => decision({ decision: 'clear', confidence: 0.9 })
    const waits = await box.begin(box.event())
    await box.until(waits, 'waiting')
    expect(await refused(box.engine.learning.mark(waits, true, null, 'Ann'))).toBe('run_not_ended')
  })
})

describe('the severity of what AI decided', () => {
  test('is medium until 20 marks of that step say right, and the run says why', async () => {
    const id = await box.save(file(), 'on')
    await markMany(19)
    const before = await said()
    expect(before.severity).toBe('medium')
    expect(before.alert?.result).toEqual({
      severity: 'medium',
      asked: 'high',
      capped: '19 of 19 marks say right; above medium it takes 20 of 20 right, or 37 of 40',
    })
    await box.engine.learning.mark(before.run.id, true, null, 'Ann')
    const after = await said()
    expect([after.severity, after.alert?.result]).toEqual(['high', { severity: 'high' }])
    // One wrong is 20 of 21: not enough any more.
    await box.engine.learning.mark(after.run.id, false, null, 'Ann')
    expect((await said()).severity).toBe('medium')
    expect(box.engine.learning.trust(id)).toMatchObject({
      above_medium: '20 of 20 right, or 37 of 40',
      steps: [{ marks: 21, right: 20, alerts: { most: 'medium', why: expect.stringContaining('20 of 21') } }],
    })
  })

  test('starts anew with another prompt, and not with another title', async () => {
    const id = await box.save(file(), 'on')
    await markMany(20)
    expect((await save(file({ title: 'There' }), id)).state).toBe('on')
    expect((await said()).severity).toBe('high')
    expect((await save(file({ title: 'There', prompt: 'What?' }), id)).state).toBe('test')
    const test_ = await box.run(box.event())
    expect(test_.steps.at(-1)).toMatchObject({
      status: 'would_have',
      result: { severity: 'medium', asked: 'high' },
    })
    await box.engine.setState(id, 'on')
    expect((await said()).severity).toBe('medium')
  })

  test('stays medium where nothing measured how sure it was, however many marks there are', async () => {
    await box.save(file(), 'on')
    await markMany(20)
    box.look = async () => decision({ decision: 'person', confidence: null })
    const { severity, alert } = await said()
    expect(severity).toBe('medium')
    expect(alert?.result).toMatchObject({ capped: 'nothing measured how sure the AI step was' })
  })

  test('is as the site wants it', async () => {
    await box.stop()
    box = await new Box({
      site: 'cameras: { gate: {} }\nalert_marks: "3"\nalert_accuracy: "0.4"\n',
    }).start()
    box.look = async () => decision({ decision: 'person', confidence: 0.9 })
    await box.save(file(), 'on')
    await markMany(2)
    expect((await said()).severity).toBe('medium')
    await markMany(1)
    expect((await said()).severity).toBe('high')
  })

  test('is what the file says where no AI decided', async () => {
    await box.save(file({ before: '  - alert: { severity: high, title: Plate }\n' }), 'on')
    const run = await box.run(box.event())
    expect(box.notices(run.id).map(({ severity }) => severity)).toEqual(['high', 'medium'])
  })

  test('may be critical behind a plain rule, after AI as well', async () => {
    const guarded = `${file().trimEnd()}
  - if:
      - in_list: { list: residents, value: "{plate}" }
    then: [ alert: { severity: critical, title: Resident } ]
`
    await box.save(guarded, 'on')
    const run = await box.run(box.event())
    expect(box.notices(run.id).map(({ severity }) => severity)).toEqual(['medium', 'critical'])
  })
})

describe('versions', () => {
  test('say who changed what, and how each did', async () => {
    const id = await box.save(file(), 'on')
    await markMany(1)
    box.clock.advance(60_000)
    await save(file({ prompt: 'What?' }), id)
    await markMany(2, false)
    expect(box.engine.learning.versions(id)).toMatchObject([
      {
        number: 2,
        at: '2026-03-10T12:01:00.000Z',
        by: 'Ann',
        change: 'then[0]: ai prompt',
        in_force: true,
        accuracy: [{ path: 'then[0]', marks: 2, right: 0, share: 0 }],
      },
      { number: 1, by: null, change: 'first version', in_force: false, accuracy: [{ marks: 1, right: 1 }] },
    ])
    expect(box.engine.learning.yamlOf(id, 1)).toBe(file())
  })

  test('are rolled back by one call, which makes a new one with the old text', async () => {
    const id = await box.save(file(), 'on')
    await save(file({ prompt: 'What?' }), id)
    await box.engine.setState(id, 'on')
    const back = await box.engine.rollback(id, 1, 'Bob')
    // It was On before: nobody has to look at it in Test again.
    expect(back).toMatchObject({ ok: true, workflow: { version: 3, state: 'on' } })
    expect(box.engine.workflowYaml(id)).toBe(file())
    expect(box.engine.learning.versions(id)[0]).toMatchObject({ by: 'Bob', change: 'back to version 1' })
    await expect(box.engine.rollback(id, 9, 'Bob')).rejects.toMatchObject({ code: 'version_unknown' })
    await expect(box.engine.rollback(id, 2, 'Bob', { over: 2 })).rejects.toMatchObject({
      code: 'changed_meanwhile',
      status: 409,
    })
  })

  test('that were never On go through Test, also when rolled back to', async () => {
    const id = await box.save(file(), 'on')
    expect((await save(file({ prompt: 'What?' }), id)).state).toBe('test')
    expect((await save(file({ prompt: 'Why?' }), id)).state).toBe('test')
    await box.engine.setState(id, 'on')
    expect(await box.engine.rollback(id, 2, 'Bob')).toMatchObject({ workflow: { state: 'test' } })
  })

  test('stay with a run that began with them, over a wait, a change and a restart', async () => {
    const waits = (word: string) => file({ title: word }).replace('  - ai:', `  - wait: 5m\n  - ai:`)
    const id = await box.save(waits('old'), 'on')
    const run = await box.begin(box.event())
    await box.until(run, 'waiting')
    await save(waits('new'), id)
    await box.restart()
    box.clock.advance(5 * 60_000 + 1_000)
    const view = await box.ended(run)
    expect(view).toMatchObject({ version: 1, versions: { workflow: 1, site: 0 } })
    expect(box.notices(run)).toMatchObject([{ title: 'old' }])
    const next = await box.begin(box.event())
    await box.until(next, 'waiting')
    expect(box.engine.run(next)?.version).toBe(2)
  })

  test('are named by what a run tells others', async () => {
    const id = await box.save(file().replace('  - ai:', '  - wait: 5m\n  - ai:'), 'on')
    const run = await box.begin(box.event())
    await box.until(run, 'waiting')
    await save(file(), id)
    const told: number[] = []
    box.bus.on('notice', ({ workflow }) => told.push(workflow?.version ?? 0))
    box.clock.advance(5 * 60_000)
    await box.ended(run)
    expect(told).toEqual([1])
  })
})

test('a threshold is offered out of marked runs, with the accuracy that it would have given', async () => {
  const id = await box.save(file(), 'on')
  for (const [confidence, right] of [
    [0.9, true],
    [0.5, false],
  ] as const) {
    box.look = async () => decision({ decision: 'person', confidence })
    await markMany(20, right)
  }
  expect(box.engine.learning.trust(id).steps[0]?.suggested).toMatchObject({
    sure: 0.9,
    kept: 20,
    of: 40,
    share: 1,
  })
  expect(box.engine.workflowYaml(id)).toBe(file())
})
