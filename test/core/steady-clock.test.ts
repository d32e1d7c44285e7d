import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Leap, SteadyClock } from '../../src/core/index.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 30, 12)

/** A machine whose clock is set by hand. */
let wall = NOON
let steady = 0
const machine = { wall: () => wall, steady: () => steady }
const pass = (ms: number) => {
  wall += ms
  steady += ms
}

let clock: SteadyClock
let leaps: Leap[] = []
beforeEach(() => {
  wall = NOON
  steady = 1000
  leaps = []
})
afterEach(() => clock.stop())

function started(last = 0): SteadyClock {
  clock = new SteadyClock(machine)
  clock.start(last, async leap => {
    leaps.push(leap)
  })
  return clock
}

describe('the clock of a box', () => {
  test('is that of the machine, corrections included', () => {
    started()
    pass(HOUR)
    wall += 20_000
    expect(clock.now()).toBe(wall)
    pass(HOUR)
    wall -= 20_000
    expect(clock.now()).toBe(wall)
    expect(leaps).toEqual([])
  })

  test.each([3 * HOUR, -5 * HOUR])('does not leap by %d with it before everything is moved', async ms => {
    started()
    pass(HOUR)
    clock.now()
    wall += ms
    pass(7)
    expect(clock.now()).toBe(NOON + HOUR + 7)
    await Promise.resolve()
    expect(leaps).toMatchObject([{ ms, sinceStart: false }])
    pass(7)
    expect(clock.now()).toBe(NOON + HOUR + 14)
    leaps[0]?.adopt()
    expect(clock.now()).toBe(wall)
  })

  test('a leap that could not be adopted is told again', async () => {
    clock = new SteadyClock(machine)
    let tries = 0
    clock.start(0, async leap => {
      if (++tries === 1) throw new Error('the disk is full')
      leap.adopt()
    })
    wall += HOUR
    for (let n = 0; n < 5 && clock.now() !== wall; n++) await new Promise(setImmediate)
    expect([tries, clock.now()]).toEqual([2, wall])
  })

  test('soon after a start a leap means that the clock was wrong from the start', async () => {
    started()
    pass(60_000)
    wall += 4 * HOUR
    clock.now()
    await Promise.resolve()
    expect(leaps).toMatchObject([{ ms: 4 * HOUR, sinceStart: true }])
  })

  test('1970 goes on from what was last seen, until somebody sets the clock, however late', async () => {
    wall = 5_000
    started(NOON)
    expect(clock.unset).toBe(true)
    pass(20 * HOUR)
    expect(clock.now()).toBe(NOON + 20 * HOUR)
    wall = NOON + 23 * HOUR
    expect(clock.now()).toBe(NOON + 20 * HOUR)
    await Promise.resolve()
    expect(leaps).toMatchObject([{ ms: 3 * HOUR, sinceStart: true }])
    leaps[0]?.adopt()
    expect([clock.now(), clock.unset]).toEqual([wall, false])
    // It falls back to nothing while the box runs: that is no time.
    wall = 0
    pass(1000)
    expect(clock.now()).toBe(NOON + 23 * HOUR + 1000)
  })
})
