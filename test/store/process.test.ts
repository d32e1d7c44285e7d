import { Database } from 'bun:sqlite'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ManualClock } from '../../src/core/index.ts'
import { Store } from '../../src/store/index.ts'
import { openStore, temporaryFolder, thrown } from './helpers.ts'

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url))
const strace = Bun.which('strace')

function startWriter(dir: string, before: string[] = []) {
  const child = Bun.spawn([...before, process.execPath, WRITER, dir], { stdout: 'pipe', stderr: 'pipe' })
  onTestFinished(() => child.kill('SIGKILL'))
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  const lines: string[] = []
  let rest = ''
  /** Reads on until `enough` says so or the process has closed its output. */
  const readUntil = async (enough: () => boolean): Promise<void> => {
    while (!enough()) {
      const { done, value } = await reader.read()
      if (done) return
      const parts = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
    }
  }
  return { child, lines, readUntil }
}

describe('the process and its disk', () => {
  test('after kill -9 every run that was acknowledged is there, whole, and the folder is free', async () => {
    const dir = temporaryFolder()
    for (let round = 0; round < 2; round++) {
      const { child, lines, readUntil } = startWriter(dir)
      await readUntil(() => lines.length > 40)
      child.kill('SIGKILL')
      await child.exited
      await readUntil(() => false)
      expect(existsSync(join(dir, 'gatehouse.holder'))).toBe(true)
      const acknowledged = lines.slice(1).map(Number)
      const store = new Store({ dir, clock: new ManualClock() })
      store.start()
      try {
        for (const id of acknowledged)
          expect(store.steps.ofRun(id).map(step => step.inputs)).toEqual(['a', 'b'])
        for (const run of store.runs.unfinished()) expect(store.steps.ofRun(run.id)).toHaveLength(2)
      } finally {
        store.stop()
      }
    }
  })

  test('a second start is refused and names the holder', async () => {
    const dir = temporaryFolder()
    const { child, lines, readUntil } = startWriter(dir)
    await readUntil(() => lines.length > 1)
    const error = thrown(() => new Store({ dir, clock: new ManualClock() }).start())
    expect(error).toMatchObject({ code: 'store_locked' })
    expect(String(error)).toMatch(
      new RegExp(`is in use by process ${child.pid} since \\d{4}-.*Z: stop that one`),
    )
    child.kill('SIGKILL')
    await child.exited
    openStore(dir)
  })

  test('a second store in the same process is refused as well, and its failure frees nothing', async () => {
    const dir = temporaryFolder()
    const store = openStore(dir)
    for (let i = 0; i < 2; i++) {
      expect(thrown(() => new Store({ dir, clock: new ManualClock() }).start())).toMatchObject({
        code: 'store_locked',
      })
    }
    const { child, lines, readUntil } = startWriter(dir)
    await readUntil(() => lines.length > 0)
    expect(lines[0]).toContain(`in use by process ${process.pid}`)
    expect(await child.exited).toBe(3)
    await store.write(() => store.meta.set('still', 'here'))
    store.stop()
    expect(existsSync(join(dir, 'gatehouse.holder'))).toBe(false)
  })

  test('a forged or broken holder file changes nothing', () => {
    const dir = temporaryFolder()
    writeFileSync(join(dir, 'gatehouse.holder'), '{"pid":1,"since":')
    const store = openStore(dir)
    expect(JSON.parse(readFileSync(join(dir, 'gatehouse.holder'), 'utf8'))).toMatchObject({
      pid: process.pid,
    })
    writeFileSync(join(dir, 'gatehouse.holder'), '[]')
    const error = thrown(() => new Store({ dir, clock: new ManualClock() }).start())
    expect(String(error)).toContain('in use by another Gatehouse')
    store.stop()
  })

  test.skipIf(!strace)(
    'a failed sync stops the process, and what it acknowledged before is there',
    async () => {
      const dir = temporaryFolder()
      openStore(dir).stop()
      const inject = ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=fdatasync,fsync']
      const { child, lines, readUntil } = startWriter(dir, [
        strace ?? '',
        ...inject,
        '-e',
        'inject=fdatasync,fsync:error=EIO:when=12+',
      ])
      await readUntil(() => false)
      await child.exited
      expect(lines[0]).toBe('ready')
      expect(lines.at(-1)).toBe('fatal store_failed')
      const acknowledged = lines.slice(1, -1).map(Number)
      expect(acknowledged.length).toBeGreaterThan(0)
      const store = openStore(dir)
      for (const id of acknowledged) expect(store.steps.ofRun(id)).toHaveLength(2)
    },
  )

  test.skipIf(!strace)('so does one that fails while the log is copied into the file', async () => {
    for (const when of ['1', '2']) {
      const dir = temporaryFolder()
      openStore(dir).stop()
      const trace = join(dir, 'trace')
      // Of the database itself, not of its log: a commit never syncs that.
      const only = ['-P', join(dir, 'gatehouse.db')]
      const { child, lines, readUntil } = startWriter(dir, [
        ...[strace ?? '', '-f', '-qq', '-y', ...only, '-o', trace, '-e', 'trace=fdatasync,fsync'],
        ...['-e', `inject=fdatasync,fsync:error=EIO:when=${when}`],
      ])
      await readUntil(() => lines.length > 3_000)
      expect(lines.at(-1)).toBe('fatal store_failed')
      await child.exited
      const calls = readFileSync(trace, 'utf8').match(/.*sync\(.*/g) ?? []
      expect(calls.at(-1)).toContain('(INJECTED)')
      expect(calls).toHaveLength(Number(when))
      const acknowledged = lines.slice(1, -1).map(Number)
      const store = openStore(dir)
      for (const id of acknowledged) expect(store.steps.ofRun(id)).toHaveLength(2)
    }
  })

  test.skipIf(!strace)('one that is only full keeps the log until there is room', async () => {
    const dir = temporaryFolder()
    openStore(dir).stop()
    const only = ['-P', join(dir, 'gatehouse.db')]
    const { child, lines, readUntil } = startWriter(dir, [
      ...[strace ?? '', '-f', '-qq', ...only, '-o', '/dev/null', '-e', 'trace=pwrite64'],
      ...['-e', 'inject=pwrite64:error=ENOSPC:when=1..3'],
    ])
    await readUntil(() => lines.length > 1_500)
    // The process itself: what traces it would leave it running.
    const { pid } = JSON.parse(readFileSync(join(dir, 'gatehouse.holder'), 'utf8')) as { pid: number }
    process.kill(pid, 'SIGKILL')
    await child.exited
    await readUntil(() => false)
    expect(lines.some(line => line.startsWith('fatal'))).toBe(false)
    // It was copied in the end, and the log began anew.
    expect(statSync(join(dir, 'gatehouse.db')).size).toBeGreaterThan(1_000_000)
    const store = openStore(dir)
    for (const id of lines.slice(1).map(Number)) expect(store.steps.ofRun(id)).toHaveLength(2)
  })

  test('another program may read the file while it is written', async () => {
    const dir = temporaryFolder()
    const store = openStore(dir)
    await store.write(() => store.meta.set('a', 'b'))
    const reader = new Database(join(dir, 'gatehouse.db'), { readonly: true })
    onTestFinished(() => reader.close())
    expect(reader.query("SELECT value FROM meta WHERE key = 'a'").get()).toEqual({ value: 'b' })
    await store.write(() => store.meta.set('a', 'c'))
    expect(reader.query("SELECT value FROM meta WHERE key = 'a'").get()).toEqual({ value: 'c' })
  })
})
