import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ManualClock } from '../../src/core/index.ts'
import { type NewRun, Store, type StoreOptions } from '../../src/store/index.ts'

/** A folder of its own, gone when the test is. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A started store in `dir`, stopped when the test ends. */
export function openStore(dir = temporaryFolder(), options: Partial<StoreOptions> = {}): Store {
  const store = new Store({ dir, clock: new ManualClock(), ...options })
  store.start()
  onTestFinished(() => store.stop())
  return store
}

/** A workflow to hang runs on. */
export function addWorkflow(store: Store, slug = 'gate'): Promise<{ id: number; versionId: number }> {
  const row = {
    slug,
    name: 'Gate',
    state: 'on' as const,
    attention: null,
    hookId: null,
    createdAt: 1,
    updatedAt: 1,
  }
  return store.write(() => store.workflows.insert(row, 'contract: workflow.v1\n'))
}

export function newRun(workflow: { id: number; versionId: number }, more: Partial<NewRun> = {}): NewRun {
  return {
    workflowId: workflow.id,
    versionId: workflow.versionId,
    state: 'on',
    triggerKind: 'button',
    event: {},
    cameraId: null,
    values: {},
    chain: [],
    correlationId: null,
    startedAt: 1000,
    ...more,
  }
}

/** What a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it did not reject')
}

/** What a call throws. */
export function thrown(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  throw new Error('it did not throw')
}

/** A file system of two megabytes, or null where this user may not mount one. */
export function smallDisk(): string | null {
  const dir = join(temporaryFolder(), 'disk')
  mkdirSync(dir)
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', dir])
  if (!mounted.success) return null
  onTestFinished(() => {
    Bun.spawnSync(['umount', '-l', dir])
  })
  return dir
}
