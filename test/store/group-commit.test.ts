import { describe, expect, test } from 'vitest'
import { addWorkflow, newRun, openStore, rejection } from './helpers.ts'

describe('group commit', () => {
  test('all jobs of one turn share a commit', async () => {
    const store = openStore()
    const before = store.counts.commits
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        store.write(() => {
          store.meta.set(`k${i}`, String(i))
          return i
        }),
      ),
    )
    expect(results).toEqual(Array.from({ length: 50 }, (_, i) => i))
    expect(store.counts.commits - before).toBe(1)
    expect(store.meta.get('k49')).toBe('49')
  })

  test('jobs run in order and only after the turn; what is not committed is not readable', async () => {
    const store = openStore()
    const order: number[] = []
    const first = store.write(() => order.push(1))
    const second = store.write(() => {
      order.push(2)
      store.meta.set('a', 'b')
    })
    expect(store.meta.get('a')).toBeNull()
    await first
    await second
    expect(order).toEqual([1, 2])
  })

  test('a continuation that writes comes into the next commit', async () => {
    const store = openStore()
    const before = store.counts.commits
    const chain = async (name: string) => {
      for (let i = 0; i < 5; i++) await store.write(() => store.meta.set(name, String(i)))
    }
    await Promise.all(Array.from({ length: 20 }, (_, i) => chain(`chain${i}`)))
    expect(store.counts.commits - before).toBe(5)
  })

  test('rows do not change outside of a job', async () => {
    const store = openStore()
    const workflow = await addWorkflow(store)
    expect(() => store.meta.set('a', 'b')).toThrow('only inside store.write()')
    expect(() => store.runs.insert(newRun(workflow))).toThrow('only inside store.write()')
    await store.write(() => store.meta.set('a', 'b'))
    expect(() => store.meta.set('a', 'c')).toThrow('only inside store.write()')
    expect(store.meta.get('a')).toBe('b')
  })

  test('a job that throws takes its whole turn with it', async () => {
    const store = openStore()
    const good = store.write(() => store.meta.set('good', '1'))
    const bad = store.write(() => {
      store.meta.set('bad', '1')
      throw new Error('no')
    })
    const late = store.write(() => store.meta.set('late', '1'))
    expect(await rejection(bad)).toMatchObject({ message: 'no' })
    expect(await rejection(good)).toMatchObject({ code: 'store_failed' })
    expect(await rejection(late)).toMatchObject({ code: 'store_failed' })
    expect([store.meta.get('good'), store.meta.get('bad'), store.meta.get('late')]).toEqual([
      null,
      null,
      null,
    ])
    await store.write(() => store.meta.set('good', '2'))
    expect(store.meta.get('good')).toBe('2')
  })

  test('a job that may fail is undone alone', async () => {
    const store = openStore()
    const good = store.write(() => store.meta.set('good', '1'))
    const bad = store.write(
      () => {
        store.meta.set('bad', '1')
        throw new Error('no')
      },
      { canFail: true },
    )
    const late = store.write(() => store.meta.set('late', '1'), { canFail: true })
    expect(await rejection(bad)).toMatchObject({ message: 'no' })
    await good
    await late
    expect([store.meta.get('good'), store.meta.get('bad'), store.meta.get('late')]).toEqual(['1', null, '1'])
  })

  test('a constraint breaks only the job that may fail', async () => {
    const store = openStore()
    const workflow = await addWorkflow(store)
    const run = store.write(() => store.runs.insert(newRun(workflow)))
    const twin = store.write(() => store.workflows.insert({ ...twinRow, createdAt: 1 }, ''), {
      canFail: true,
    })
    const orphan = store.write(() => store.runs.insert(newRun({ id: 99, versionId: 99 })), { canFail: true })
    expect(await rejection(twin)).toMatchObject({ code: 'SQLITE_CONSTRAINT_UNIQUE' })
    expect(await rejection(orphan)).toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' })
    expect(store.runs.get(await run)).toMatchObject({ status: 'running' })
  })

  test('a write inside a job is an error, whether or not the job may fail', async () => {
    const store = openStore()
    const nested = store.write(() => store.write(() => 1), { canFail: true })
    expect(await rejection(nested)).toMatchObject({ message: expect.stringContaining('inside a write job') })
    await store.write(() => store.meta.set('a', 'b'))
  })

  test('an async job is refused and leaves nothing', async () => {
    const store = openStore()
    const job = async () => {
      store.meta.set('half', '1')
      await Promise.resolve()
      store.meta.set('other half', '1')
    }
    expect(await rejection(store.write(job))).toMatchObject({ message: 'a write job must not be async' })
    expect(await rejection(store.write(job, { canFail: true }))).toMatchObject({ name: 'TypeError' })
    expect(store.meta.get('half')).toBeNull()
    expect(store.meta.get('other half')).toBeNull()
  })

  test('stopping commits what waits and takes no more', async () => {
    const store = openStore()
    const waiting = store.write(() => store.meta.set('a', 'b'))
    store.stop()
    await waiting
    expect(await rejection(store.write(() => 1))).toMatchObject({ code: 'store_closed', status: 503 })
    store.start()
    expect(store.meta.get('a')).toBe('b')
  })
})

const twinRow = { slug: 'gate', name: 'x', state: 'on' as const, attention: null, hookId: null, updatedAt: 1 }
