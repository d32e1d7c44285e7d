import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sizeOf } from '../../src/inference/size.ts'

test('bytes count, with the whole buffer behind a view', () => {
  const buffer = new ArrayBuffer(50_000)
  expect(sizeOf(new Uint8Array(buffer, 0, 1))).toBeGreaterThan(50_000)
  expect(sizeOf(new Float32Array(1000))).toBeGreaterThan(4000)
  expect(sizeOf('x'.repeat(1000))).toBeGreaterThanOrEqual(2000)
  // A buffer that is sent once counts once.
  expect(sizeOf([new Uint8Array(buffer), new Uint8Array(buffer)])).toBeLessThan(60_000)
})

test('what is nested, circular or in a collection counts, and counting stops at the limit', () => {
  const loop: Record<string, unknown> = { inner: [new Map([['key', new Set([new Uint8Array(9000)])]])] }
  loop.self = loop
  expect(sizeOf(loop)).toBeGreaterThan(9000)
  expect(sizeOf(loop)).toBeLessThan(11_000)
  const many = Array.from({ length: 1_000_000 }, () => 'text')
  expect(sizeOf(many, 1000)).toBeGreaterThan(1000)
})

test('any value that JSON can hold counts at least as much as its text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(sizeOf(value)).toBeGreaterThanOrEqual(JSON.stringify(value).length)
    }),
    { numRuns: 300 },
  )
})
