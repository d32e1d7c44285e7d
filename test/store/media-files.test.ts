import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
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
