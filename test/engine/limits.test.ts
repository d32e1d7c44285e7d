import { describe, expect, test } from 'vitest'
import { HourWindow, Limits } from '../../src/engine/limits.ts'

const HOUR = 3_600_000

describe('an hour’s window', () => {
  test('slides: each entry counts for exactly an hour', () => {
    const window = new HourWindow(2)
    window.add(0)
    window.add(10)
    expect(window.hasRoom(HOUR - 1)).toBe(false)
    expect(window.hasRoom(HOUR)).toBe(true)
    window.add(HOUR)
    expect(window.hasRoom(HOUR + 9)).toBe(false)
    expect(window.hasRoom(HOUR + 10)).toBe(true)
  })

  test('lets the right number in over a long time', () => {
    const window = new HourWindow(100)
    let taken = 0
    for (let now = 0; now < 50 * HOUR; now += 1_000) {
      if (!window.hasRoom(now)) continue
      window.add(now)
      taken++
    }
    expect(taken).toBe(5_000)
  })

  test('forgets what a clock that was set back has made future', () => {
    const window = new HourWindow(1)
    window.add(24 * HOUR)
    expect(window.hasRoom(24 * HOUR)).toBe(false)
    expect(window.hasRoom(23 * HOUR)).toBe(true)
  })
})

describe('a cooldown', () => {
  test('is per camera, and taken back when the run did not begin', () => {
    const limits = new Limits({ cooldown: '10s' })
    limits.began('a', 1_000)
    expect(limits.cooldownLeft('a', 2_000)).toBe(9_000)
    expect(limits.cooldownLeft('b', 2_000)).toBe(0)
    expect(limits.cooldownLeft(null, 2_000)).toBe(0)
    const takeBack = limits.began('a', 20_000)
    expect(limits.cooldownLeft('a', 20_000)).toBe(10_000)
    takeBack()
    expect(limits.cooldownLeft('a', 20_000)).toBe(0)
  })

  test('does not outlast a clock that was set back', () => {
    const limits = new Limits({})
    limits.began('a', 24 * HOUR)
    expect(limits.cooldownLeft('a', HOUR)).toBe(0)
  })
})
