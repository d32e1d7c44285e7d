import { describe, expect, test } from 'vitest'
import { registry } from '../../src/contract/index.ts'
import { missing } from '../../src/kinds/index.ts'
import { playable } from './generate.ts'
import { type Story, tell } from './simulation.ts'

/** `SIM_RUNS=100000` tells more stories, `SIM_SEED=7` one and the same. */
const STORIES = Number(process.env.SIM_RUNS) || 600
const SEED = Number(process.env.SIM_SEED) || 0
const MOST_MS = 45_000

/** A story that goes wrong, with what to do to hear it again. */
function complaint({ seed, faults, told }: Story): string {
  return [`SIM_SEED=${seed} bun --bun vitest run test/simulation`, ...faults, ...told.slice(-25)].join('\n')
}

describe('random workflows in a world of crashes', () => {
  test('every promise is kept in every step', async () => {
    const began = performance.now()
    const sum = {
      workflows: 0,
      refused: 0,
      runs: 0,
      crashes: 0,
      unknown: 0,
      moves: 0,
      settled: 0,
      releases: 0,
      calls: 0,
    }
    const limited = !process.env.SIM_RUNS
    let stories = 0
    for (let seed = SEED || 1; stories < (SEED ? 1 : STORIES); seed++, stories++) {
      const story = await tell(seed)
      if (story.faults.length) throw new Error(complaint(story))
      for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += story.counts[key]
      if (limited && performance.now() - began > MOST_MS) break
    }
    console.info(`${stories} stories: ${JSON.stringify(sum)}`)
    if (SEED) return
    // Stories in which nothing happens would prove nothing.
    expect(sum.runs).toBeGreaterThan(sum.workflows)
    expect(sum.crashes).toBeGreaterThan(stories)
    expect(sum.moves).toBeGreaterThan(stories / 4)
    expect(sum.unknown).toBeGreaterThan(stories / 20)
    if (stories >= 100) {
      expect(sum.settled).toBeGreaterThan(stories / 50)
      expect(sum.releases).toBeGreaterThan(stories / 50)
      expect(sum.calls).toBeGreaterThan(stories / 10)
    }
    expect(sum.refused).toBeLessThan(sum.workflows)
  }, 3_600_000)

  test('a seed tells the same story again', async () => {
    for (const seed of [3, 4]) {
      const [first, second] = [await tell(seed), await tell(seed)]
      expect(second.told).toEqual(first.told)
      expect(second.counts).toEqual(first.counts)
      expect(first.told.length).toBeGreaterThan(50)
    }
  })

  test('every kind of step is played', () => {
    const { steps, actions } = registry()
    const gone = { ...missing.steps, ...missing.actions }
    const kinds = [...steps, ...actions].map(({ kind }) => kind).filter(kind => !Object.hasOwn(gone, kind))
    expect([...playable].sort()).toEqual(kinds.sort())
  })
})
