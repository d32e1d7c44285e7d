import { expect, test } from 'vitest'
import { run } from '../bench/storm.ts'

test('a few seconds of 300 events a second: each became a run or is counted, and memory stays', async () => {
  const { events, runs, shed, latencies, heap } = await run(4)
  expect(events).toBe(1_200)
  expect(runs).toBe(latencies.length)
  expect(runs).toBeGreaterThan(150)
  expect(runs + shed).toBe(events)
  // Much less on a quiet machine (`bun run bench storm`); here it must not pile up.
  expect(latencies[Math.floor(latencies.length * 0.99)]).toBeLessThan(2_000)
  expect(heap[1] - heap[0]).toBeLessThan(20 * 1024 * 1024)
}, 60_000)
