import { describe, expect, test } from 'vitest'
import { reread, type Workflow } from '../../src/contract/index.ts'
import { busyKey } from '../../src/engine/busy-key.ts'
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

describe('what a workflow runs one at a time for', () => {
  const of = (what: string) =>
    reread(
      `contract: workflow.v1\nname: W\nlimits: { one_at_a_time: ${what} }\nwhen: { button: {} }\nthen: [ log: x ]\n`,
    ) as Workflow

  test('a track is one of its camera, a plate the same at all of them', () => {
    const track = (camera: string, id: string) => busyKey(1, of('track'), { track: id }, camera)
    expect(track('gate', '7')).toBe(track('gate', '7'))
    expect(new Set([track('gate', '7'), track('gate', '8'), track('yard', '7')]).size).toBe(3)
    const plate = (camera: string, text: string) => busyKey(1, of('plate'), { plate: text }, camera)
    expect(plate('gate', 'b ab 1')).toBe(plate('yard', 'B AB 1'))
  })

  test('without one it is the camera', () => {
    expect(busyKey(1, of('track'), {}, 'gate')).toBe(busyKey(1, of('camera'), { track: '7' }, 'gate'))
  })
})
