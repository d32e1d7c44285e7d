import { expect, test } from 'vitest'
import { unitDropIns, unitLimits } from '../../src/hardware/index.ts'

const GB = 1024 ** 3

test.each([
  // [box, what its kernel sees, engine, inference]
  ['1 GB', 0.93, 288, 496],
  ['2 GB', 1.9, 384, 1360],
  ['4 GB', 3.8, 768, 2720],
  ['8 GB', 7.7, 768, 6336],
])(
  'of %s the engine gets enough and inference the rest, and the machine stays alive',
  (_, gb, engine, inference) => {
    const limits = unitLimits(gb * GB)
    expect([limits.engine.maxMb, limits.inference.maxMb]).toEqual([engine, inference])
    expect((limits.engine.maxMb + limits.inference.maxMb) * 1024 ** 2).toBeLessThan(gb * GB - 128 * 1024 ** 2)
    for (const { highMb, maxMb } of [limits.engine, limits.inference]) expect(highMb).toBeLessThan(maxMb)
    expect(limits.inference.oomScore).toBeGreaterThan(limits.engine.oomScore)
  },
)

test('each service gets a drop-in of its own', () => {
  const dropIns = unitDropIns(2 * GB)
  expect(Object.keys(dropIns)).toEqual(['gatehouse.service', 'gatehouse-inference.service'])
  expect(dropIns['gatehouse.service']).toMatch(
    /^\[Service\]\nMemoryHigh=\d+M\nMemoryMax=\d+M\nOOMScoreAdjust=-500$/m,
  )
})
