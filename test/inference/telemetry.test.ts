/**
 * ONNX Runtime tells its maker about the machine unless its environment says no when the process starts. The same run
 * without that variable is watched beside ours: it shows that this test sees what it looks for.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noLog } from '../../src/core/index.ts'
import { Supervisor } from '../../src/inference/index.ts'

/** Its first report goes out nine seconds after the session was made. */
const reportMs = 11_000

const root = mkdtempSync(join(tmpdir(), 'gatehouse-telemetry-'))
const strace = canTrace()
let ours: Watched
let unasked: Watched

interface Watched {
  /** Files that the child left in its home and temp folders. */
  files: string[]
  /** System calls on the network and on files, where strace could be used. */
  calls: string[]
}

beforeAll(async () => {
  ;[ours, unasked] = await Promise.all([
    watch('ours', []),
    watch('unasked', ['env', '-u', 'ORT_DISABLE_TELEMETRY']),
  ])
}, 60_000)

afterAll(() => rmSync(root, { recursive: true }))

test('leaves no files behind', () => {
  expect(unasked.files.some(file => file.endsWith('onnxruntime.db'))).toBe(true)
  expect(ours.files).toEqual([])
})

test.skipIf(!strace)('looks nothing up and connects to nothing', () => {
  const network = /\bsocket\(AF_(INET6?|NETLINK)|resolv\.conf/
  expect(unasked.calls.filter(call => network.test(call)).length).toBeGreaterThan(0)
  expect(ours.calls.filter(call => network.test(call))).toEqual([])
  // It was watched: the library was loaded under these eyes.
  expect(ours.calls.some(call => call.includes('libonnxruntime'))).toBe(true)
})

test.skipIf(!strace)('writes to nothing', () => {
  const writes = (watched: Watched) =>
    watched.calls
      .filter(call => /O_WRONLY|O_RDWR|O_CREAT|\b(mkdir|unlink|rename)/.test(call))
      .map(call => /"([^"]+)"/.exec(call)?.[1] ?? call)
  expect(writes(unasked).length).toBeGreaterThan(1)
  expect(writes(ours)).toEqual([])
})

/** Runs the detector in a child behind `prefix`, with folders of its own. */
async function watch(name: string, prefix: string[]): Promise<Watched> {
  const home = mkdtempSync(join(root, `${name}-`))
  const trace = join(root, `${name}.trace`)
  const tracing = strace ? ['strace', '-f', '-o', trace, '-e', 'trace=%network,%file'] : []
  const child = [process.execPath, new URL('./ort-child.ts', import.meta.url).pathname]
  // The runtime keeps a cache of sources that it compiled, in a clone: not what this is about.
  const folders = ['env', `HOME=${home}`, `TMPDIR=${home}`, 'BUN_RUNTIME_TRANSPILER_CACHE_PATH=0']
  const supervisor = new Supervisor({
    command: [...folders, ...tracing, ...prefix, ...child],
    modelsDir: new URL('../../models/files', import.meta.url).pathname,
    log: noLog,
  })
  try {
    await supervisor.call('detect', null, { timeoutMs: 30_000 })
    if (strace) await supervisor.call('linger', reportMs, { timeoutMs: 30_000 })
  } finally {
    await supervisor.stop()
  }
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
  return {
    files,
    calls: strace ? readFileSync(trace, 'utf8').split('\n') : [],
  }
}

function canTrace(): boolean {
  if (!Bun.which('strace')) return false
  return Bun.spawnSync(['strace', '-o', '/dev/null', 'true'], { stderr: 'ignore' }).exitCode === 0
}
