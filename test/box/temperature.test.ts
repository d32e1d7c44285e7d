import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Temperature } from '../../src/box/temperature.ts'
import { ManualClock } from '../../src/core/index.ts'
import { readHeat } from '../../src/hardware/index.ts'
import { temporaryFolder } from '../store/helpers.ts'

/** A root with these zones: their files and what is in them. */
function zones(...each: Record<string, string>[]): string {
  const root = temporaryFolder()
  for (const [n, files] of each.entries()) {
    const folder = join(root, `sys/class/thermal/thermal_zone${n}`)
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${text}\n`)
  }
  return root
}

test('the zone nearest to its limit counts; sensors that lie, and none at all, do not', () => {
  const cpu = { type: 'cpu', temp: '71000', trip_point_0_type: 'critical', trip_point_0_temp: '90000' }
  const board = { type: 'board', temp: '75000' }
  expect(readHeat(zones(board, cpu))).toEqual({ zone: 'cpu', celsius: 71, limit: 80 })
  expect(readHeat(zones(board, { type: 'odd', temp: '255000' }, { type: 'odd', temp: 'N/A' }, {}))).toEqual({
    zone: 'board',
    celsius: 75,
    limit: 85,
  })
  expect(readHeat(temporaryFolder())).toBeNull()
})

test('too hot is a problem until it is cool again, not at the limit itself', async () => {
  const clock = new ManualClock()
  let celsius = 84
  const heat = new Temperature(clock, () => ({ zone: 'cpu', celsius, limit: 85 }))
  await heat.start()
  const after = (next: number) => {
    celsius = next
    clock.advance(30_000)
    return heat.problem
  }
  expect(heat.problem).toBeNull()
  expect(after(85)).toContain('cpu has 85 °C')
  expect(after(81)).toContain('81')
  expect(after(79)).toBeNull()
  expect(after(84)).toBeNull()
  await heat.stop()
  expect(after(99)).toBeNull()
})
