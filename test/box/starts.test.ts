import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { clearStarts, Starts, startsIn } from '../../src/box/starts.ts'
import { ManualClock } from '../../src/core/index.ts'
import { temporaryFolder } from '../store/helpers.ts'

let dir = ''
let clock = new ManualClock()
beforeEach(() => {
  dir = temporaryFolder()
  clock = new ManualClock()
})

/** A process that begins and dies. */
const dies = (boot = 'a') => new Starts(dir, clock, boot).begin()

test('the fourth start after three that died is a safe one, and so are those after it', () => {
  expect([dies(), dies(), dies()]).toEqual([null, null, null])
  expect(dies()).toMatch(/^3 starts/)
  expect(dies()).toMatch(/^4 starts/)
})

test('a start that was well for half a minute ends the row', () => {
  dies()
  dies()
  const third = new Starts(dir, clock, 'a')
  third.begin()
  third.up(false)
  clock.advance(29_999)
  expect(startsIn(dir).failed).toBe(3)
  clock.advance(1)
  expect(startsIn(dir).failed).toBe(0)
})

test('a machine that lost its power is no start that failed', () => {
  for (const boot of ['a', 'b', 'c', 'd', 'e']) expect(dies(boot)).toBeNull()
})

test('safe mode ends when the count is cleared, or for one try after half an hour', async () => {
  for (let n = 0; n < 3; n++) dies()
  const safe = new Starts(dir, clock, 'a')
  safe.begin()
  safe.up(true)
  const left = safe.mayLeave()
  clock.advance(30 * 60_000)
  expect(await left).toBe('another try')
  expect(safe.begin()).toBeNull()
  // It dies as well.
  expect(dies()).not.toBeNull()
  const again = new Starts(dir, clock, 'a')
  again.begin()
  const cleared = again.mayLeave()
  clearStarts(dir)
  clock.advance(2_000)
  expect(await cleared).toBe('cleared')
})

test('what the last one said is told; a stop in safe mode leaves the count as it was', () => {
  dies()
  dies()
  const third = new Starts(dir, clock, 'a')
  third.begin()
  third.failed(new Error('the roof fell in'), false)
  const safe = new Starts(dir, clock, 'a')
  expect(safe.begin()).toBe('3 starts in a row came to nothing. The last one said: the roof fell in')
  safe.ended(true)
  expect(startsIn(dir).failed).toBe(3)
  expect(new Starts(dir, clock, 'a').begin()).toContain('the roof fell in')
})

test('what was refused in words does not count; a file that is none is none', () => {
  for (let n = 0; n < 5; n++) {
    const start = new Starts(dir, clock, 'a')
    expect(start.begin()).toBeNull()
    start.failed(new Error('the port is in use'), true)
  }
  expect(existsSync(join(dir, 'starts.json'))).toBe(false)
  writeFileSync(join(dir, 'starts.json'), '{"starts": "many"')
  expect(dies()).toBeNull()
})
