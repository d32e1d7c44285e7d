/** What a language model's process does on the machine besides answering: nothing on the network, nothing on the disk. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { childCommand, Models, request, said } from './model.ts'

const models = new Models()
afterAll(() => models.close())

const strace =
  Bun.which('strace') !== null &&
  Bun.spawnSync(['strace', '-o', '/dev/null', 'true'], { stderr: 'ignore' }).exitCode === 0

test.skipIf(!strace)('looks nothing up, connects to nothing and writes nothing', async () => {
  const file = models.write('tiny.gguf')
  const home = mkdtempSync(join(models.dir, 'home-'))
  const trace = join(models.dir, 'calls')
  // The runtime keeps a cache of sources that it compiled, in a clone: not what this is about.
  const folders = ['env', `HOME=${home}`, `TMPDIR=${home}`, 'BUN_RUNTIME_TRANSPILER_CACHE_PATH=0']
  const tracing = ['strace', '-f', '-o', trace, '-e', 'trace=%network,%file']
  const child = models.supervise({ command: [...folders, ...tracing, ...childCommand] })
  await said(child, request(file))
  await child.stop()

  expect(readdirSync(home, { recursive: true })).toEqual([])
  const calls = readFileSync(trace, 'utf8').split('\n')
  // It was watched: the library was loaded under these eyes.
  expect(calls.some(call => call.includes('libllama'))).toBe(true)
  expect(calls.filter(call => /\bsocket\(AF_(INET6?|NETLINK)|resolv\.conf/.test(call))).toEqual([])
  const writes = calls.filter(call => /O_WRONLY|O_RDWR|O_CREAT|^\d+\s+(mkdir|unlink|rename)/.test(call))
  const written = new Set(writes.map(call => /"([^"]+)"/.exec(call)?.[1] ?? call))
  written.delete('/proc/self/oom_score_adj')
  written.delete('/dev/null')
  expect([...written]).toEqual([])
})
