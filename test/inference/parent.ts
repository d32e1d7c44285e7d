/** A parent for the tests: starts a child, says its process id, and leaves it with a job that never ends. */
import { noLog } from '../../src/core/index.ts'
import { Supervisor } from '../../src/inference/index.ts'

const supervisor = new Supervisor({
  command: [process.execPath, new URL('./child.ts', import.meta.url).pathname],
  modelsDir: '/models',
  log: noLog,
})
await supervisor.call('echo', null, { timeoutMs: 10_000 })
supervisor.call('hang', null, { timeoutMs: 60_000 }).catch(() => {})
await Bun.sleep(50)
process.stdout.write(`${supervisor.status().pid}\n`)
