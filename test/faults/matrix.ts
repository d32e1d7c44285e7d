/** Strikes boxes at every place that their scenarios pass, and lets each go on. */

import { faultsOf, look, type Sight } from './judge.ts'
import type { Blow, Strike } from './points.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import type { World } from './world.ts'

export interface Calm {
  scenario: Scenario
  passed: Strike[]
  /** Places in the code that committed. */
  committed: string[]
  sight: Sight
}

export interface Cell {
  scenario: string
  strike: Strike
  /** The place was come to. */
  struck: boolean
  faults: string[]
}

const START = Date.UTC(2026, 2, 10, 12)
const DOWN_MS = 500

/** What each scenario passes and leaves where nothing goes wrong. */
export async function calmly(world: World, blow: Blow): Promise<Calm[]> {
  const boxes = scenarios.map(({ name }, i) => ({
    dir: world.folder(`calm-${i}`),
    scenario: name,
    strike: null,
    now: START,
  }))
  const report = await world.live({ blow, boxes })
  return scenarios.map((scenario, i) => ({
    scenario,
    passed: report?.boxes[i]?.passed ?? [],
    committed: report?.boxes[i]?.committed ?? [],
    sight: look(boxes[i]?.dir ?? '', world.requests(`calm-${i}`)),
  }))
}

/** Every place of every scenario once. `together`: boxes in one process; `parallel`: processes at a time. */
export async function strikeAll(
  world: World,
  calm: readonly Calm[],
  how: { blow: Blow; together: number; parallel: number },
): Promise<Cell[]> {
  const all = calm.flatMap(each => each.passed.map(strike => ({ calm: each, strike })))
  const groups: (typeof all)[] = []
  for (let at = 0; at < all.length; at += how.together) groups.push(all.slice(at, at + how.together))
  const cells: Cell[] = []
  const work = async () => {
    for (;;) {
      const group = groups.shift()
      if (!group) return
      cells.push(...(await strikeGroup(world, group, how.blow)))
    }
  }
  await Promise.all(Array.from({ length: how.parallel }, work))
  return cells
}

let tags = 0

async function strikeGroup(
  world: World,
  group: { calm: Calm; strike: Strike }[],
  blow: Blow,
): Promise<Cell[]> {
  const boxes = group.map(({ calm, strike }) => {
    const tag = `box-${++tags}`
    return { tag, dir: world.folder(tag), scenario: calm.scenario.name, strike, now: START }
  })
  const first = await world.live({ blow, boxes })
  const before = boxes.map(({ dir, tag }) => look(dir, world.requests(tag)))
  const again = boxes.map((each, i) => ({ ...each, strike: null, now: latest(before[i]) + DOWN_MS }))
  await world.live({ blow, boxes: again })
  return group.map(({ calm, strike }, i) => {
    const [box, was] = [boxes[i], before[i]]
    if (!box || !was) throw new Error('a box was lost')
    const after = look(box.dir, world.requests(box.tag))
    return {
      scenario: calm.scenario.name,
      strike,
      struck: first === null || first.boxes[i]?.struck === true,
      faults: faultsOf(calm.sight, was, after),
    }
  })
}

/** The last time that a box's rows speak of. */
function latest(sight: Sight | undefined): number {
  const rows = [...(sight?.runs ?? []), ...(sight?.steps ?? [])]
  return Math.max(START, ...rows.flatMap(row => [Number(row.started_at), Number(row.ended_at)]))
}
