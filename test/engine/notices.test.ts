import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NoticeView } from '../../src/engine/index.ts'
import { Box } from './box.ts'

let box: Box
let told: NoticeView[]
beforeEach(async () => {
  box = await new Box().start()
  told = []
  box.bus.on('notice', notice => told.push(notice))
})
afterEach(() => box.stop())

const file = (steps: string, name = 'Tell') => `
contract: workflow.v1
name: ${name}
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
${steps}
`

const ALERT = '  - alert: { severity: low, title: Van }'

const moving = file(
  `  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then: [ webhook: { to: barrier } ]`,
  'Open',
)

describe('what people are told', () => {
  test('is in the list as it went out, with the run that led to it', async () => {
    await box.save(file(`${ALERT}\n  - notify: { who: "role:guard", message: Hello }`))
    const run = await box.run(box.event())
    const notices = box.engine.notices({ limit: 9 })
    expect(notices).toMatchObject([
      { kind: 'notify', severity: 'low', title: 'Hello', audience: 'role:guard', step: 1 },
      {
        ...{ kind: 'alert', severity: 'low', title: 'Van', audience: null, step: 0, run: run.id },
        ...{ camera_id: 'gate', chain: ['tell'], unsettled: false, at: run.started_at },
        workflow: { slug: 'tell', name: 'Tell', version: 1 },
        correlation_id: expect.stringMatching(/^run_box_.+_1$/),
      },
    ])
    expect(told.toReversed()).toEqual(notices)
  })

  test('is filtered by kind and severity, page by page', async () => {
    const { store } = box
    const run = await box.save(file('  - log: x')).then(() => box.run(box.event()))
    const stepId = store.steps.ofRun(run.id)[0]?.id ?? null
    const rest = {
      runId: run.id,
      stepId,
      title: 't',
      body: '',
      audience: null,
      cameraId: null,
      mediaId: null,
    }
    const severities = ['low', 'high', 'medium', 'critical']
    await store.write(() => {
      for (let i = 1; i <= 40; i++)
        store.notices.add({
          ...rest,
          kind: i % 2 ? 'alert' : 'notify',
          severity: severities[i % 4] ?? 'low',
          createdAt: i,
        })
    })
    const ids = (filter: Partial<Parameters<typeof box.engine.notices>[0]>) =>
      box.engine.notices({ limit: 3, ...filter }).map(({ id }) => id)
    expect(ids({})).toEqual([40, 39, 38])
    expect(ids({ kinds: ['alert'] })).toEqual([39, 37, 35])
    expect(ids({ kinds: ['alert'], before: 35 })).toEqual([33, 31, 29])
    expect(ids({ severities: ['low', 'critical'] })).toEqual([40, 39, 36])
    expect(ids({ kinds: ['notify'], severities: ['medium'], before: 10 })).toEqual([6, 2])
    expect(ids({ kinds: ['notify'], severities: ['high'] })).toEqual([])
    expect(ids({ unsettled: true })).toEqual([])
  })

  test('is nothing in Test', async () => {
    const id = await box.save(file(ALERT), 'test')
    const run = await box.run(box.event())
    expect(run.steps).toMatchObject([{ status: 'would_have' }])
    expect(box.engine.notices({ limit: 9 })).toEqual([])
    expect(told).toEqual([])
    await box.engine.setState(id, 'on')
    await box.run(box.event())
    expect(box.engine.notices({ limit: 9 })).toHaveLength(1)
  })
})

describe('a move of which nobody knows', () => {
  test('stays at the head until a person has settled it', async () => {
    await box.save(moving)
    box.answer = () => 502
    const [first, second] = [await box.run(box.event()), await box.run(box.event())]
    const open = (more = {}) =>
      box.engine.notices({ unsettled: true, limit: 9, ...more }).map(({ run, step }) => [run, step])
    expect(open()).toEqual([
      [second.id, 1],
      [first.id, 1],
    ])
    expect(told).toMatchObject([{ unsettled: true }, { unsettled: true }])
    expect(open({ limit: 1 })).toEqual([[second.id, 1]])
    expect(open({ kinds: ['notify'] })).toEqual([])
    expect(open({ severities: ['high'] })).toHaveLength(2)
    await box.restart()
    await box.engine.settle(second.id, false, 'Ann')
    expect(open()).toEqual([[first.id, 1]])
    expect(box.engine.notices({ limit: 9 }).map(({ unsettled }) => unsettled)).toEqual([false, true])
  })

  test('in a run that is not understood any more is told too', async () => {
    await box.save(moving)
    const late = Promise.withResolvers<number>()
    box.answer = () => late.promise
    const id = await box.begin(box.event())
    await expect.poll(() => box.sent.length).toBe(1)
    // As a kill would leave it: an intent without a result, and a version that this box cannot read.
    const stopped = box.engine.stop()
    box.clock.advance(60_000)
    await stopped
    box.store.stop()
    late.resolve(200)
    const db = new Database(join(box.dir, 'gatehouse.db'))
    db.run("UPDATE workflow_versions SET yaml = 'contract: workflow.v0'")
    db.close()
    await box.restart()
    await box.until(id, 'unknown')
    expect(box.engine.notices({ unsettled: true, limit: 9 })).toMatchObject([
      { run: id, step: 1, title: 'Open: look whether “webhook” happened', severity: 'high' },
    ])
    // Besides, the workflow says that it stands still.
    const moves = () => told.filter(({ title }) => title.includes('look whether'))
    await expect.poll(() => moves().length).toBe(1)
    await box.engine.settle(id, true, 'Ann')
    expect(box.engine.notices({ unsettled: true, limit: 9 })).toEqual([])
  })
})
