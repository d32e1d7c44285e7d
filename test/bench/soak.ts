/**
 * A million runs, 64 at once: resident memory has to stay flat. `SOAK_RUNS` or `SOAK_MINUTES` make it shorter or
 * longer; a line each ten seconds says how it goes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Measure, measured } from './measure.ts'
import { plateRead, plates } from './plates.ts'

const RUNS = Number(process.env.SOAK_RUNS) || 1_000_000
const MOST_MS = (Number(process.env.SOAK_MINUTES) || Number.POSITIVE_INFINITY) * 60_000
const AT_ONCE = 64
/** What a process has taken by now it has taken for good: growth counts from here. */
const WARM = 0.2
const TELL_MS = 10_000

/** No file may ask for more than a million runs an hour. */
const WORKFLOWS = 32

const workflow = (n: number) => `
contract: workflow.v1
name: Soak ${n}
state: on
limits: { cooldown: 0s, one_at_a_time: plate, per_hour: 1000000 }
when: { event: { schema: plate.recognized.v1, cameras: [r${n}] } }
then:
  - log: "{plate} at the {camera}"
  - if: [ not: { in_list: { list: residents, value: "{plate}" } } ]
    then: [ notify: { who: role:guard, message: "{plate} is not known" } ]
  - alert: { severity: low, title: "{plate} at the {camera}" }
`
const SITE = `
cameras:
${Array.from({ length: WORKFLOWS }, (_, n) => `  c${n}: { roles: [r${n}] }`).join('\n')}
people: { ann: { roles: [guard] } }
lists: { residents: [B-AB 1] }
`

export async function bench(): Promise<Measure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-soak-'))
  const box = await plates(
    join(dir, 'box'),
    SITE,
    Array.from({ length: WORKFLOWS }, (_, n) => workflow(n)),
  )
  try {
    const began = performance.now()
    const share = () => Math.max(started / RUNS, (performance.now() - began) / MOST_MS)
    let [started, told] = [0, began]
    let warm: number | null = null
    const work = async () => {
      while (share() < 1) {
        await box.run(plateRead(++started, `c${started % WORKFLOWS}`))
        if (warm === null && share() > WARM) warm = resident()
        if (performance.now() < told + TELL_MS) continue
        told = performance.now()
        const rate = Math.round((started / (told - began)) * 1_000)
        console.error(
          `${started} runs, ${rate} a second, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`,
        )
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    const growth = (resident() - (warm ?? 0)) / 2 ** 20
    return [
      measured('soak.growth', growth, 'MB', { atMost: 32 }),
      measured('soak.runs', started, 'runs', { atLeast: MOST_MS < Number.POSITIVE_INFINITY ? 1 : RUNS }),
    ]
  } finally {
    await box.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

function resident(): number {
  Bun.gc(true)
  return process.memoryUsage().rss
}
