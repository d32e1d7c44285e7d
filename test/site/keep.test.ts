import { expect, test } from 'vitest'
import { Site } from '../../src/site/index.ts'

const load = (keep: string) => Site.load(`keep: ${keep}\n`, 'site.yaml').keep

test('a site says how long runs are kept, and how much room they may take', () => {
  expect(load('{ dull: 7d, marked: 1000d, most: 20GB, free: 500MB }')).toEqual({
    days: { dull: 7, marked: 1000 },
    maxBytes: 20 * 1024 ** 3,
    minFreeBytes: 500 * 1024 ** 2,
  })
  expect(Site.load('', 'site.yaml').keep).toEqual({ days: {} })
})

test.each([
  '{ dull: 7 }',
  '{ dull: 0d }',
  '{ dull: 1w }',
  '{ most: 20 }',
  '{ most: 0GB }',
  '{ other: 1d }',
  '30d',
])('it does not take %s', keep => {
  expect(() => load(keep)).toThrow(/site\.yaml:1:\d+ .*(days|size|keep)/)
})
