import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../src/core/index.ts'
import { addWorkflow, newRun, openStore, rejection, temporaryFolder } from './helpers.ts'

describe('workflows and versions', () => {
  test('the first version comes with the workflow; later ones count up within it', async () => {
    const store = openStore()
    const gate = await addWorkflow(store, 'gate')
    const yard = await addWorkflow(store, 'yard')
    const second = await store.write(() => store.versions.add(gate.id, 'two', 5))
    expect(second.number).toBe(2)
    expect((await store.write(() => store.versions.add(yard.id, 'two', 5))).number).toBe(2)
    expect(store.workflows.get(gate.id)?.versionId).toBe(gate.versionId)
    await store.write(() =>
      store.workflows.update(gate.id, { versionId: second.id, hookId: 'h', updatedAt: 9 }),
    )
    expect(store.workflows.get(gate.id)).toMatchObject({
      hookId: 'h',
      slug: 'gate',
      versionId: second.id,
      updatedAt: 9,
    })
    expect(store.versions.ofWorkflow(gate.id).map(version => version.number)).toEqual([2, 1])
    expect(store.versions.get(gate.versionId)?.yaml).toContain('workflow.v1')
    expect(store.workflows.list().map(workflow => workflow.slug)).toEqual(['gate', 'yard'])
    expect(await store.write(() => store.workflows.update(99, { name: 'x', updatedAt: 1 }))).toBe(false)
  })
})

describe('runs', () => {
  test('a run comes back as it went in', async () => {
    const store = openStore()
    const workflow = await addWorkflow(store)
    const row = newRun(workflow, {
      event: { plate: "B'x\u0000\u{1f697}", nested: [1, null, { a: true }] },
      cameraId: 'cam-1',
      values: { n: 0.5 },
      chain: ['a', 'b'],
      correlationId: 'c',
      startedAt: 1_800_000_000_123,
    })
    const id = await store.write(() => store.runs.insert(row))
    expect(store.runs.get(id)).toMatchObject({
      ...row,
      id,
      status: 'running',
      seenAgain: 0,
      error: null,
      endedAt: null,
    })
    const bare = await store.write(() => store.runs.insert(newRun(workflow)))
    expect(store.runs.get(bare)).toMatchObject({ event: {}, values: {}, chain: [], cameraId: null })
    expect(store.runs.get(999)).toBeNull()
  })

  test('the first end stands', async () => {
    const store = openStore()
    const workflow = await addWorkflow(store)
    const id = await store.write(() => store.runs.insert(newRun(workflow)))
    expect(await store.write(() => store.runs.end(id, 'unknown', 50, 'who knows'))).toBe(true)
    expect(await store.write(() => store.runs.end(id, 'stopped', 60))).toBe(false)
    expect(await store.write(() => store.runs.setStatus(id, 'waiting'))).toBe(false)
    expect(store.runs.get(id)).toMatchObject({ status: 'unknown', endedAt: 50, error: 'who knows' })
    expect(await store.write(() => store.runs.settle(id, 'done', null))).toBe(true)
    expect(await store.write(() => store.runs.settle(id, 'failed', null))).toBe(false)
    expect(store.runs.get(id)?.status).toBe('done')
  })

  test('unfinished ones are found after a restart, oldest first', async () => {
    const dir = temporaryFolder()
    const store = openStore(dir)
    const workflow = await addWorkflow(store)
    const ids = await Promise.all([1, 2, 3].map(() => store.write(() => store.runs.insert(newRun(workflow)))))
    await store.write(() => store.runs.end(ids[1] ?? 0, 'done', 2))
    await store.write(() => store.runs.setStatus(ids[2] ?? 0, 'waiting'))
    store.stop()
    const found = openStore(dir).runs.unfinished()
    expect(found.map(run => [run.id, run.status])).toEqual([
      [ids[0], 'running'],
      [ids[2], 'waiting'],
    ])
  })

  test('pages follow each other without gap or repeat, also where runs share a time', async () => {
    const store = openStore()
    const gate = await addWorkflow(store, 'gate')
    const yard = await addWorkflow(store, 'yard')
    for (let i = 0; i < 10; i++) {
      await store.write(() =>
        store.runs.insert(newRun(i % 2 ? gate : yard, { startedAt: 1000 + Math.floor(i / 4) })),
      )
    }
    for (const workflowId of [undefined, gate.id]) {
      const filter = workflowId === undefined ? {} : { workflowId }
      const all = store.runs.list({ ...filter, limit: 100 }).map(run => run.id)
      expect(all).toHaveLength(workflowId === undefined ? 10 : 5)
      expect(all).toEqual([...all].sort((a, b) => b - a))
      const paged: number[] = []
      for (;;) {
        const before = paged.at(-1)
        const page = store.runs.list({ ...filter, ...(before === undefined ? {} : { before }), limit: 2 })
        if (page.length === 0) break
        paged.push(...page.map(run => run.id))
      }
      expect(paged).toEqual(all)
    }
  })

  test('pages neither skip nor repeat a run, whatever the clock said when it began', async () => {
    const store = openStore()
    const gate = await addWorkflow(store)
    const yard = await addWorkflow(store, 'yard')
    const ids: number[] = []
    await store.write(() => {
      for (const startedAt of [5_000, 6_000, 1_000, 9_000, 2_000, 2_000, 8_000]) {
        ids.unshift(store.runs.insert(newRun(gate, { startedAt })))
        store.runs.insert(newRun(yard, { startedAt: 7_000 }))
      }
    })
    const paged: number[] = []
    for (let before: number | undefined; ; before = paged.at(-1)) {
      const page = store.runs.list({ workflowId: gate.id, limit: 2, ...(before !== undefined && { before }) })
      paged.push(...page.map(({ id }) => id))
      if (page.length < 2) break
    }
    expect(paged).toEqual(ids)
  })

  test('the starts since a time, by workflow, some wrong dates between them', async () => {
    const store = openStore()
    const gate = await addWorkflow(store, 'gate')
    const yard = await addWorkflow(store, 'yard')
    await store.write(() => {
      store.runs.insert(newRun(gate, { cameraId: 'old', startedAt: 100 }))
      for (let i = 0; i < 500; i++) {
        store.runs.insert(newRun(gate, { cameraId: 'a', startedAt: i % 100 ? 1_000 + i : 1 }))
        store.runs.insert(newRun(yard, { cameraId: 'a', startedAt: 1_000 + i }))
      }
    })
    const starts = store.runs.startsSince(gate.id, 1_000)
    expect(starts.map(({ at }) => at - 1_000)).toEqual(
      Array.from({ length: 500 }, (_, i) => i).filter(i => i % 100),
    )
    expect(new Set(starts.map(({ cameraId }) => cameraId))).toEqual(new Set(['a']))
  })
})

describe('what hangs on a run', () => {
  test('steps in order, each under the id of its run and place', async () => {
    const store = openStore()
    const workflow = await addWorkflow(store)
    const [one, two] = await store.write(() => [
      store.runs.insert(newRun(workflow)),
      store.runs.insert(newRun(workflow)),
    ])
    const step = { path: 'then[0]', kind: 'ai', name: 'look', inputs: { p: 1 }, startedAt: 5 }
    const start = (runId = 0, seq = 0) =>
      store.write(() => store.steps.start({ ...step, runId, seq }), { canFail: true })
    await start(one, 1)
    const id = await start(one, 0)
    await start(two, 0)
    await start(one, 65_535)
    expect(store.steps.ofRun(one ?? 0).map(found => found.seq)).toEqual([0, 1, 65_535])
    expect(store.steps.ofRun(two ?? 0).map(found => found.runId)).toEqual([two])
    expect(store.steps.get(id)).toMatchObject({
      ...step,
      runId: one,
      seq: 0,
      status: 'running',
      result: null,
      ai: null,
    })
    const end = { status: 'done' as const, outcome: 'yes', ai: { confidence: 0.5 }, endedAt: 9 }
    expect(await store.write(() => store.steps.end(id, end))).toBe(true)
    expect(store.steps.get(id)).toMatchObject({ ...end, result: null })
    expect(await rejection(start(one, 0))).toMatchObject({ code: expect.stringContaining('CONSTRAINT') })
    for (const seq of [65_536, -1, 0.5, Number.NaN]) {
      expect(await rejection(start(one, seq))).toBeInstanceOf(RangeError)
    }
    expect(await store.write(() => store.steps.end(12345, end))).toBe(false)
  })

  test('tool calls, media and notices of a run', async () => {
    const store = openStore()
    const workflow = await addWorkflow(store)
    await store.write(() => {
      const runId = store.runs.insert(newRun(workflow))
      const stepId = store.steps.start({
        runId,
        seq: 0,
        path: 'p',
        kind: 'ai',
        name: null,
        inputs: null,
        startedAt: 1,
      })
      const call = { stepId, kind: 'model' as const, name: 'nanodet', argsAsked: { a: [1] }, result: null }
      store.toolCalls.insert({
        ...call,
        status: 'ok',
        mode: null,
        startedAt: 1,
        ms: 3.5,
        tokensIn: null,
        tokensOut: 7,
      })
      expect(store.toolCalls.ofStep(stepId)).toMatchObject([{ ...call, ms: 3.5, tokensOut: 7 }])
      const picture = {
        runId,
        stepId: null,
        hash: 'h',
        type: 'image/jpeg',
        bytes: 3,
        source: 'upload',
        takenAt: null,
      }
      const mediaId = store.media.add({ ...picture, createdAt: 4 })
      expect(store.media.ofRun(runId)).toEqual([{ ...picture, id: mediaId, createdAt: 4 }])
      expect(store.media.shownOf(runId + 1)).toBeNull()
      expect(store.media.shownOf(runId)).toBe(mediaId)
      store.media.add({ ...picture, createdAt: 4 })
      expect(store.media.shownOf(runId)).toBe(mediaId)
      const judged = [1, 2].map(seq => store.media.add({ ...picture, stepId: stepId + seq, createdAt: 4 }))
      expect(store.media.shownOf(runId)).toBe(judged[1])
      const notice = {
        runId,
        stepId,
        kind: 'alert' as const,
        severity: 'high',
        title: 't',
        body: 'b',
        audience: null,
      }
      const told = { ...notice, cameraId: 'c', mediaId, createdAt: 5, about: 7 }
      const id = store.notices.add(told)
      expect(store.notices.list({ limit: 9 })).toEqual([{ ...told, id, overAt: null }])
      expect([store.notices.over(8, 9), store.notices.over(7, 9), store.notices.over(7, 10)]).toEqual([
        [],
        [id],
        [],
      ])
      expect(store.notices.get(id)).toEqual({ ...told, id, overAt: 9 })
      expect(store.notices.list({ limit: 5, before: id })).toEqual([])
      expect(store.notices.list({ limit: 5 })).toHaveLength(1)
    })
  })

  test('an intent is closed once; open ones are found', async () => {
    const store = openStore()
    const workflow = await addWorkflow(store)
    const { runId, ids } = await store.write(() => {
      const runId = store.runs.insert(newRun(workflow))
      const stepId = store.steps.start({
        runId,
        seq: 0,
        path: 'p',
        kind: 'app',
        name: null,
        inputs: null,
        startedAt: 1,
      })
      const open = () =>
        store.intents.open({ runId, stepId, kind: 'app', params: { action: 'open' }, createdAt: 1 })
      return { runId, ids: [open(), open()] as const }
    })
    expect(await store.write(() => store.intents.close(ids[0], 'unknown', 2))).toBe(true)
    expect(await store.write(() => store.intents.close(ids[0], 'done', 3))).toBe(false)
    expect(store.intents.ofRun(runId)[1]).toMatchObject({
      id: ids[1],
      params: { action: 'open' },
      endedAt: null,
    })
    expect(await store.write(() => store.intents.settle(ids[1], 4))).toBe(false)
    expect(await store.write(() => store.intents.settle(ids[0], 4))).toBe(true)
    expect(store.intents.ofRun(runId).map(intent => intent.status)).toEqual(['settled', 'intended'])
  })

  test('a promise does not get the id of one that was taken: somebody may still have that in hand', async () => {
    const store = openStore()
    const due = { at: 1, kind: 'wait', runId: null, stepId: null, payload: null }
    const [first, second] = await store.write(() => [store.due.add(due), store.due.add(due)])
    await store.write(() => store.due.remove(second ?? 0))
    const third = await store.write(() => store.due.add(due))
    expect(new Set([first, second, third]).size).toBe(3)
    expect(store.due.all().map(({ id }) => id)).toEqual([first, third])
  })

  test('a promise is taken once, earliest first', async () => {
    const store = openStore()
    const due = { kind: 'wait', runId: null, stepId: null, payload: { a: 1 } }
    const ids = await store.write(() => [30, 10, 20].map(at => store.due.add({ ...due, at })))
    expect(store.due.earliest()).toBe(10)
    expect(store.due.next(20).map(row => row.at)).toEqual([10, 20])
    expect(store.due.next(30, 1).map(row => row.at)).toEqual([10])
    expect(store.due.all()).toHaveLength(3)
    expect(await store.write(() => store.due.remove(ids[1] ?? 0))).toBe(true)
    expect(await store.write(() => store.due.remove(ids[1] ?? 0))).toBe(false)
    expect(store.due.get(ids[0] ?? 0)).toEqual({ ...due, id: ids[0], at: 30 })
    const workflow = await addWorkflow(store)
    const runId = await store.write(() => store.runs.insert(newRun(workflow)))
    const stepId = store.steps.idOf(runId, 3)
    await store.write(() => {
      store.due.add({ ...due, at: 1, runId, stepId })
      // What it tells goes on without it.
      store.due.add({ ...due, at: 1, kind: 'tell', stepId })
    })
    expect(store.due.ofRun(runId)).toMatchObject([{ kind: 'wait', stepId }])
    expect(store.due.ofBox('wait')).toHaveLength(2)
    expect(await store.write(() => store.due.removeOfRun(runId))).toBe(1)
    expect(store.due.ofRun(runId)).toEqual([])
    expect(store.due.ofKind('tell')).toHaveLength(1)
  })

  test('a promise is found, and its run deleted, as soon among many as among few', async () => {
    const store = openStore()
    const workflow = await addWorkflow(store)
    const fill = (most: number) =>
      store.write(() => {
        for (let i = 0; i < most; i++) {
          const runId = store.runs.insert(newRun(workflow))
          const step = { runId, seq: 0, path: 'p', kind: 'wait', name: null, inputs: null, startedAt: 1 }
          store.due.add({ at: i, kind: 'wait', runId, stepId: store.steps.start(step), payload: null })
        }
      })
    const timed = async (work: (runId: number) => unknown, from: number) => {
      const began = performance.now()
      await store.write(() => {
        for (let id = from; id < from + 50; id++) work(id)
      })
      return performance.now() - began
    }
    const look = (id: number) => expect(store.due.ofRun(id)).toHaveLength(1)
    const remove = (id: number) => {
      store.due.removeOfRun(id)
      store.retention.remove([id])
    }
    await fill(200)
    const few = { look: await timed(look, 1), remove: await timed(remove, 1) }
    await fill(40_000)
    const many = { look: await timed(look, 20_000), remove: await timed(remove, 20_000) }
    expect(store.due.ofBox('wait')).toEqual([])
    // Row by row it would take two hundred times as long; the rest is for a busy machine.
    expect(many.look).toBeLessThan(few.look * 30 + 50)
    expect(many.remove).toBeLessThan(few.remove * 30 + 50)
  })
})

test('an event is remembered once, and forgotten by when it arrived', async () => {
  const clock = new ManualClock(1000)
  const store = openStore(temporaryFolder(), { clock })
  const event = {
    eventId: 'evt_1',
    kind: 'event',
    schema: 's.t.v1',
    cameraId: 'c',
    at: 9e12,
    payload: { a: 1 },
  }
  expect(await store.write(() => [store.events.remember(event), store.events.remember(event)])).toEqual([
    true,
    false,
  ])
  expect(store.events.owed('evt_1')).toEqual([])
  expect(store.events.ofCamera('c', 0, 10)).toMatchObject([{ ...event, receivedAt: 1000 }])
  clock.advance(1000)
  expect(store.retention.oldEvents(1000, 10)).toBeNull()
  const old = store.retention.oldEvents(1001, 10) ?? 0
  await store.write(() => store.retention.forgetEvents(old))
  expect(store.events.owed('evt_1')).toBeNull()
})
