import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MediaFiles } from '../../src/store/index.ts'
import { temporaryFolder } from './helpers.ts'

const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'

test('bytes come back under their SHA-256, stored once', async () => {
  const dir = temporaryFolder()
  const files = new MediaFiles(dir)
  await files.start()
  const bytes = new TextEncoder().encode('hello')
  expect(await files.put(bytes)).toEqual({ hash: HELLO, bytes: 5 })
  const path = join(dir, 'media', '2c', HELLO)
  const first = statSync(path)
  expect(first.mode & 0o777).toBe(0o600)
  await Promise.all([files.put(bytes), files.put(bytes)])
  expect(statSync(path).ino).toBe(first.ino)
  expect(await files.read(HELLO)).toEqual(bytes)
  expect(readdirSync(join(dir, 'media', 'incoming'))).toEqual([])
})

test('only hashes are opened', async () => {
  const dir = temporaryFolder()
  writeFileSync(join(dir, 'secret'), 'x')
  const files = new MediaFiles(dir)
  await files.start()
  const hostile = [
    '',
    '../secret',
    `../../${'a'.repeat(58)}`,
    HELLO.toUpperCase(),
    `${HELLO}\n`,
    `${HELLO}/..`,
  ]
  for (const hash of hostile) {
    expect(files.open(hash)).toBeNull()
    expect(await files.read(hash)).toBeNull()
  }
  expect(await files.read(HELLO)).toBeNull()
})

test('a torn file of an interrupted time is replaced, and its leftovers are cleared', async () => {
  const dir = temporaryFolder()
  const files = new MediaFiles(dir)
  await files.put(new TextEncoder().encode('hello'))
  writeFileSync(join(dir, 'media', '2c', HELLO), 'hel')
  writeFileSync(join(dir, 'media', 'incoming', 'left'), 'over')
  await files.start()
  expect(existsSync(join(dir, 'media', 'incoming', 'left'))).toBe(false)
  await files.put(new TextEncoder().encode('hello'))
  expect(await Bun.file(join(dir, 'media', '2c', HELLO)).text()).toBe('hello')
})

const strace = Bun.which('strace')

/** What a process printed that worked on pictures in `dir` with slowed syncs, and its system calls. */
async function traced(dir: string, what: string, slow: string): Promise<{ said: string; syncs: string[] }> {
  const trace = join(dir, `trace-${what}`)
  const flags = ['-f', '-qq', '-y', '-o', trace, '-e', 'trace=fsync', '-e', `inject=fsync:${slow}`]
  const script = join(import.meta.dirname, 'pictures.ts')
  const child = Bun.spawn([strace ?? '', ...flags, process.execPath, script, dir, what], { stdout: 'pipe' })
  const said = (await new Response(child.stdout).text()).trim()
  expect(await child.exited).toBe(0)
  const calls = readFileSync(trace, 'utf8').split('\n')
  return { said, syncs: calls.filter(line => /fsync\(/.test(line) && line.includes(HELLO.slice(0, 2))) }
}

test.skipIf(!strace)('nothing is acknowledged before it is synced, whoever stored it first', async () => {
  const dir = temporaryFolder()
  // The second comes when the first has renamed its file and is still syncing the folder.
  const both = await traced(dir, 'twice', 'delay_enter=1500000:when=2')
  expect(both.said).toBe('first second')
  // As after a kill between rename and sync: nobody knows whether it is on the disk.
  const later = await traced(dir, 'once', 'delay_enter=1:when=1')
  expect(later.said).toBe('stored')
  expect(later.syncs.some(line => line.includes(HELLO))).toBe(true)
  expect(later.syncs.some(line => line.includes('/media/2c>'))).toBe(true)
})
