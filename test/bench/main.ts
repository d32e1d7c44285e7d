/** `bun run bench [name …] [--json] [--hours N]`: each bench is a file beside this one that exports `bench()`. */
import { parseArgs } from 'node:util'
import type { Measure } from './measure.ts'

const benches: Record<string, () => Promise<{ bench(): Promise<Measure[]> }>> = {
  engine: () => import('./engine.ts'),
  house: () => import('./house.ts'),
  language: () => import('./language.ts'),
  look: () => import('./look.ts'),
  nats: () => import('./nats.ts'),
  restart: () => import('./restart.ts'),
  start: () => import('./start.ts'),
  storm: () => import('./storm.ts'),
  tracks: () => import('./tracks.ts'),
}

/** What takes long: only when it is named. */
const long: typeof benches = {
  faults: () => import('./faults.ts'),
  life: () => import('./life.ts'),
  'nats-soak': () => import('./nats-soak.ts'),
  soak: () => import('./soak.ts'),
  wear: () => import('./wear.ts'),
}

const { values, positionals: names } = parseArgs({
  options: { json: { type: 'boolean', default: false }, hours: { type: 'string' } },
  allowPositionals: true,
})
const { json } = values
if (values.hours !== undefined) process.env.LIFE_HOURS = values.hours
const unknown = names.filter(name => !Object.hasOwn({ ...benches, ...long }, name))
if (unknown.length) {
  console.error(
    `no bench named ${unknown.join(', ')}; there are: ${Object.keys({ ...benches, ...long }).join(', ')}`,
  )
  process.exit(2)
}

let missed = 0
for (const [name, load] of Object.entries(names.length ? { ...benches, ...long } : benches)) {
  if (names.length && !names.includes(name)) continue
  for (const measure of await (await load()).bench()) {
    if (!measure.ok) missed++
    console.log(json ? JSON.stringify(measure) : line(measure))
  }
}
process.exit(missed ? 1 : 0)

function line(m: Measure): string {
  const against = m.against === null ? '' : `  against ${m.against} ${m.unit}, ratio ${m.ratio}`
  return `${m.ok ? 'ok    ' : 'missed'} ${m.measure}: ${m.value} ${m.unit}${against}  (bar ${m.bar})`
}
