import { expect, test } from 'vitest'
import { tarOf } from '../../src/web/tar.ts'

test('an archive is read by tar, and one file at a time is in memory', async () => {
  let read = 0
  const sizes = [0, 1, 511, 512, 513, 100_000]
  const archive = tarOf(
    (async function* () {
      for (const size of sizes) {
        read++
        yield { name: `look/${size}.txt`, bytes: new Uint8Array(size).fill(97) }
      }
    })(),
    Date.UTC(2026, 10, 30),
  )
  expect(read).toBe(0)
  const reader = archive.getReader()
  const chunks = [(await reader.read()).value ?? new Uint8Array()]
  expect(read).toBe(1)
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value)
  expect(read).toBe(sizes.length)
  const tar = Bun.spawn(['tar', '-tv', '--utc'], {
    ...{ stdin: new Blob(chunks as BlobPart[]), stdout: 'pipe', stderr: 'pipe' },
  })
  const [listed, said] = [await new Response(tar.stdout).text(), await new Response(tar.stderr).text()]
  expect([await tar.exited, said]).toEqual([0, ''])
  const lines = listed.trim().split('\n')
  expect(lines.map(line => line.split(/\s+/).slice(2).join(' '))).toEqual(
    sizes.map(size => `${size} 2026-11-30 00:00 look/${size}.txt`),
  )
})

test('whoever leaves in the middle has no more files read', async () => {
  let [read, over] = [0, false]
  const archive = tarOf(
    (async function* () {
      try {
        for (;;) yield { name: `${read++}`, bytes: new Uint8Array(1) }
      } finally {
        over = true
      }
    })(),
    0,
  )
  const reader = archive.getReader()
  await reader.read()
  await reader.cancel()
  expect([read, over]).toEqual([1, true])
})
