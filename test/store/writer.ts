/**
 * A process that holds a store and writes a run after another: `bun writer.ts DIR`. It says `ready`, then the
 * id of each run whose commit it has seen; `fatal CODE` if the store says that the disk cannot be trusted.
 */
import { writeSync } from 'node:fs'
import { systemClock } from '../../src/core/index.ts'
import { Store } from '../../src/store/index.ts'

const say = (line: string) => writeSync(1, `${line}\n`)
const store = new Store({
  dir: process.argv[2] ?? '',
  clock: systemClock,
  onFatal(error) {
    say(`fatal ${error.code}`)
    // As the store itself would: an exit closes the database, which syncs again.
    process.kill(process.pid, 'SIGKILL')
  },
})
try {
  store.start()
} catch (error) {
  say(`refused ${error instanceof Error ? error.message : String(error)}`)
  process.exit(3)
}
const [old] = store.workflows.list()
const row = {
  slug: 'w',
  name: 'W',
  state: 'on' as const,
  attention: null,
  hookId: null,
  createdAt: 1,
  updatedAt: 1,
}
const workflow = old ?? (await store.write(() => store.workflows.insert(row, '')))
say('ready')
for (;;) {
  const id = await store.write(() => {
    const run = store.runs.insert({
      workflowId: workflow.id,
      versionId: workflow.versionId,
      state: 'on',
      triggerKind: 'button',
      event: { text: 'x'.repeat(500) },
      cameraId: null,
      values: {},
      chain: [],
      correlationId: null,
      startedAt: Date.now(),
    })
    store.steps.start({
      runId: run,
      seq: 0,
      path: 'then[0]',
      kind: 'log',
      name: null,
      inputs: 'a',
      startedAt: 1,
    })
    store.steps.start({
      runId: run,
      seq: 1,
      path: 'then[1]',
      kind: 'log',
      name: null,
      inputs: 'b',
      startedAt: 1,
    })
    return run
  })
  say(String(id))
}
