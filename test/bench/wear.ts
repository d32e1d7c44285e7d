/** What `gatehouse bench wear` measures, held against its budget. */
import { tmpdir } from 'node:os'
import { resources } from '../../src/box/resources.ts'
import { CYCLES, DAYS_KEPT, FILE_SYSTEM, FLASH, measureWear, RUNS_A_DAY } from '../../src/box/wear.ts'
import { type Measure, measured } from './measure.ts'

const LEAST_YEARS = 10
const MB = 1e6

/** `WEAR_DIR`: a folder on the disk that is meant. */
export async function bench(): Promise<Measure[]> {
  const wear = await measureWear(process.env.WEAR_DIR ?? tmpdir(), resources())
  return [
    measured('wear.written while idle, a day', wear.idleADay / MB, 'MB', { atMost: 100 }),
    measured('wear.written for a run with its picture', wear.perRun / 1000, 'kB', { atMost: 1500 }),
    measured('wear.of that its picture', wear.picture / 1000, 'kB', { atMost: 1500 }),
    measured(`wear.the daily copy, after ${DAYS_KEPT} days`, wear.copyADay / MB, 'MB', { atMost: 3000 }),
    measured(`wear.written a day at ${RUNS_A_DAY} runs`, wear.aDay / MB, 'MB', { atMost: 4000 }),
    measured(
      `wear.years on 32 GB eMMC (${CYCLES} cycles, file system x${FILE_SYSTEM}, flash x${FLASH})`,
      wear.years,
      'years',
      { atLeast: LEAST_YEARS },
    ),
  ]
}
