import { describe, expect, test } from 'vitest'
import type { RunFilter } from '../../src/store/index.ts'
import { addWorkflow, newRun, openStore } from './helpers.ts'

describe('which runs are listed', () => {
  test('by workflow, camera, state, status, decision, what was done, and time', async () => {
    const store = openStore()
    const gate = await addWorkflow(store)
    const yard = await addWorkflow(store, 'yard')
    const add = (which: typeof gate, more: Parameters<typeof newRun>[1], kind?: string, outcome = 'a') =>
      store.write(() => {
        const id = store.runs.insert(newRun(which, more))
        if (kind)
          store.steps.start({
            ...{ runId: id, seq: 0, path: 'then[0]', kind, name: null, inputs: null, startedAt: 1 },
            ...{ status: 'done', outcome, endedAt: 2, ai: kind === 'ai' ? { reason: 'x' } : null },
          })
        return id
      })
    const a = await add(gate, { cameraId: 'north', startedAt: 100 }, 'ai', 'unsure')
    const b = await add(gate, { cameraId: 'south', startedAt: 200 }, 'notify')
    const c = await add(yard, { state: 'test', startedAt: 300 }, 'notify')
    const d = await add(yard, { startedAt: 400 }, 'log')
    await store.write(() => store.runs.end(b, 'failed', 500))
    const ids = (filter: Omit<RunFilter, 'limit'>) =>
      store.runs.list({ ...filter, limit: 10 }).map(({ id }) => id)
    expect(ids({})).toEqual([d, c, b, a])
    expect(ids({ workflowId: gate.id })).toEqual([b, a])
    expect(ids({ cameraId: 'north' })).toEqual([a])
    expect(ids({ state: 'test' })).toEqual([c])
    expect(ids({ statuses: ['failed', 'unknown'] })).toEqual([b])
    expect(ids({ decision: 'unsure' })).toEqual([a])
    expect(ids({ decision: "x' OR 1=1 --" })).toEqual([])
    expect(ids({ acted: true })).toEqual([b])
    expect(ids({ acted: false })).toEqual([d, c, a])
    expect(ids({ since: 200, until: 400 })).toEqual([c, b])
    expect(ids({ acted: true, workflowId: yard.id })).toEqual([])
    expect(store.runs.tally(yard.id, 'test')).toEqual({ running: 1 })
  })
  test('among 10,000 runs at once', async () => {
    const store = openStore()
    const gate = await addWorkflow(store)
    await store.write(() => {
      for (let i = 0; i < 10_000; i++) {
        const id = store.runs.insert(newRun(gate, { startedAt: i }))
        const step = { runId: id, path: 'then[0]', name: null, inputs: null, startedAt: i, endedAt: i }
        store.steps.start({ ...step, seq: 0, kind: 'ai', status: 'done', outcome: 'a', ai: {} })
        store.steps.start({ ...step, seq: 1, kind: 'log', status: 'done' })
      }
    })
    const began = performance.now()
    expect(store.runs.list({ decision: 'nothing', limit: 50 })).toEqual([])
    expect(store.runs.list({ acted: true, limit: 50 })).toEqual([])
    expect(store.runs.list({ decision: 'a', acted: false, limit: 50 })).toHaveLength(50)
    expect((performance.now() - began) / 3).toBeLessThan(100)
  })
})
