import { expect, test } from 'vitest'
import { Poll } from '../../../src/connect/nvr/poll.ts'
import { ManualClock } from '../../../src/core/index.ts'

function poll(outcome: () => Promise<void>) {
  const clock = new ManualClock()
  const waits: number[] = []
  let asked = 0
  const counted: typeof clock.after = (ms, callback) => {
    waits.push(ms)
    return clock.after(ms, callback)
  }
  const it = new Poll({ now: () => clock.now(), after: counted }, 60_000, () => {
    asked++
    return outcome()
  })
  /** Lets what was asked come to its end, and the wait behind it pass. */
  const pass = async () => {
    await Bun.sleep(0)
    clock.advance(waits.at(-1) ?? 0)
  }
  return { it, waits, pass, clock, asked: () => asked }
}

test('who is away is asked after 2 s, 4 s and so on up to 30 s, and again as usual once they are back', async () => {
  let away = true
  const { it, waits, pass } = poll(() => (away ? Promise.reject(new Error('away')) : Promise.resolve()))
  it.start()
  for (let i = 0; i < 5; i++) await pass()
  away = false
  await pass()
  away = true
  await pass()
  await Bun.sleep(0)
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 60_000, 2_000])
  await it.stop()
})

test('one at a time; whoever cannot wait has it asked once more behind that', async () => {
  const answers: (() => void)[] = []
  const { it, asked } = poll(() => new Promise<void>(resolve => answers.push(resolve)))
  it.start()
  it.start()
  it.now()
  it.now()
  expect(asked()).toBe(1)
  answers[0]?.()
  await Bun.sleep(0)
  expect(asked()).toBe(2)
  answers[1]?.()
  await Bun.sleep(0)
  it.now()
  expect(asked()).toBe(3)
  answers[2]?.()
  await it.stop()
})

test('after a stop nothing is asked, and a start begins anew', async () => {
  const { it, asked, clock } = poll(() => Promise.resolve())
  it.start()
  await it.stop()
  it.now()
  clock.advance(3_600_000)
  expect(asked()).toBe(1)
  it.start()
  expect(asked()).toBe(2)
  await it.stop()
})
