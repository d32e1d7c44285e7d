/** Every place of every scenario of the fault matrix, each with a process of its own that is killed right there. */
import { calmly, strikeAll } from '../faults/matrix.ts'
import { World } from '../faults/world.ts'
import { type Measure, measured } from './measure.ts'

export async function bench(): Promise<Measure[]> {
  const world = new World()
  try {
    const calm = await calmly(world, 'kill')
    const cells = await strikeAll(world, calm, { blow: 'kill', together: 1, parallel: 2 })
    const broken = cells.filter(({ faults, struck }) => faults.length || !struck)
    for (const cell of broken) console.error(JSON.stringify(cell))
    return [
      measured('faults.broken', broken.length, 'places', { atMost: 0 }),
      measured('faults.struck', cells.length, 'places', { atLeast: 100 }),
    ]
  } finally {
    await world.stop()
  }
}
