/** A child for the tests: the real host with jobs that behave and misbehave. */
import { dlopen } from 'bun:ffi'
import { runHost } from '../../src/inference/index.ts'

let loads = 0
let unloads = 0

await runHost({
  echo: async payload => payload,
  env: async () => process.env,
  cwd: async () => process.cwd(),
  context: async (_, { threads, modelsDir }) => ({ threads, modelsDir }),
  fail: async () => {
    throw new Error('no such luck\nat a line that nobody needs')
  },
  unsendable: async () => () => {},
  exit: async () => process.exit(3),
  kill: async () => process.kill(process.pid, 'SIGKILL'),
  segfault: async () => {
    const libc = dlopen('libc.so.6', { raise: { args: ['int'], returns: 'int' } })
    libc.symbols.raise(11)
  },
  hang: async () => {
    for (;;);
  },
  sleep: async ms => {
    await Bun.sleep(Number(ms))
    return 'slept'
  },
  untilCalledOff: async (_, { signal }) => {
    await new Promise(resolve => signal?.addEventListener('abort', resolve))
    return 'called off'
  },
  chatter: async bytes => {
    process.stderr.write('x'.repeat(Number(bytes)))
    return 'said'
  },
  model: async (_, { resource }) => {
    await resource(
      'model',
      async () => ++loads,
      async () => void ++unloads,
    )
    return { loads, unloads }
  },
  brokenModel: async (_, { resource }) => {
    loads++
    return resource(
      'broken',
      async () => {
        if (loads < 2) throw new Error('not yet')
        return 'loaded'
      },
      async () => {},
    )
  },
  holdModel: async (ms, { resource }) => {
    await resource(
      'model',
      async () => ++loads,
      async () => void ++unloads,
    )
    await Bun.sleep(Number(ms))
    return { loads, unloads }
  },
})
