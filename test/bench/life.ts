/**
 * Hours of a site's life at high speed, the box in a network of its own: `bun run bench life --hours N` (24 where it does
 * not say). They are hours of the site's time, `LIFE_SPEED` (60) is how much quicker it passes, `LIFE_SEED` tells another life.
 * Reports promises that were not kept, how soon an event is a run, what grows, and what was sent to places not listed.
 */
import { liveApart } from '../life/apart.ts'
import { growth } from '../life/leaks.ts'
import { type Measure, measured } from './measure.ts'

const number = (name: string, otherwise: number) => Number(process.env[name]) || otherwise

export async function bench(): Promise<Measure[]> {
  const options = {
    hours: number('LIFE_HOURS', 24),
    speed: number('LIFE_SPEED', 60),
    seed: number('LIFE_SEED', 1),
  }
  const { report, astray, packets } = await liveApart(options, line => console.error(line))
  for (const line of [...report.broken, ...astray]) console.error(line)
  const latency = report.latencyMs.toSorted((a, b) => a - b)
  const at = (share: number) => latency[Math.floor(latency.length * share)] ?? Number.NaN
  const grown = growth(report.samples)
  const last = report.samples.at(-1)
  return [
    measured('life.runs', report.runs, 'runs', { atLeast: options.hours * 40 }),
    measured('life.promises not kept', report.broken.length, 'promises', { atMost: 0 }),
    measured('life.packets and look-ups to what is not listed', astray.length, 'packets', { atMost: 0 }),
    measured('life.packets sent in all', packets, 'packets', { atLeast: 1 }),
    measured('life.event to run, p50', at(0.5), 'ms', { atMost: 100 }),
    measured('life.event to run, p99', at(0.99), 'ms', { atMost: 1000 }),
    measured(`life.memory grown within ${Math.round(grown.seconds)} s`, grown.residentMb, 'MB', {
      atMost: 32,
    }),
    measured('life.open files grown', grown.files, 'files', { atMost: 8 }),
    measured('life.engine at the end', last?.residentMb ?? Number.NaN, 'MB', { atMost: 200 }),
    measured('life.its children at the end', last?.childrenMb ?? Number.NaN, 'MB', { atMost: 400 }),
  ]
}
