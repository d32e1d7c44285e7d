/** 300 events a second over 200 cameras and 50 workflows: how long until a run's first step is on the disk. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Measure, measured } from './measure.ts'
import { plateRead, plates } from './plates.ts'

const CAMERAS = 200
const WORKFLOWS = 50
const PER_SECOND = 300
const SECONDS = Number(process.env.STORM_SECONDS) || 10

const SITE = `
cameras:
${Array.from({ length: CAMERAS }, (_, i) => `  c${i}: { roles: [r${i % WORKFLOWS}] }`).join('\n')}
people: { ann: { roles: [guard] } }
`

const workflow = (n: number) => `
contract: workflow.v1
name: Storm ${n}
state: on
limits: { cooldown: 1s, per_hour: 1000000 }
when: { event: { schema: plate.recognized.v1, cameras: [r${n}] } }
then:
  - log: "{plate}"
  - notify: { who: role:guard, message: "{plate}" }
`

export async function bench(): Promise<Measure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-storm-'))
  const box = await plates(
    join(dir, 'box'),
    SITE,
    Array.from({ length: WORKFLOWS }, (_, n) => workflow(n)),
  )
  try {
    const waited: number[] = []
    let [offered, begun] = [0, 0]
    const offer = async () => {
      const n = offered++
      const at = performance.now()
      for (const { run } of await box.engine.submit(plateRead(n, `c${(n * 7) % CAMERAS}`))) {
        if (run === null) continue
        begun++
        waited.push(performance.now() - at)
      }
    }
    const began = performance.now()
    let settled: Promise<void>[] = []
    const memory: number[] = []
    for (let second = 0; second < SECONDS; second++) {
      while (performance.now() < began + (second + 1) * 1_000) {
        const due = Math.floor(((performance.now() - began) / 1_000) * PER_SECOND)
        while (offered < due) settled.push(offer())
        await Bun.sleep(2)
      }
      await Promise.all(settled)
      settled = []
      if (second === SECONDS >> 1 || second === SECONDS - 1) {
        Bun.gc(true)
        memory.push(process.memoryUsage().rss)
      }
    }
    const shed = Object.values(box.engine.shed()).reduce((sum, n) => sum + n, 0)
    const p99 = waited.sort((a, b) => a - b)[Math.floor(waited.length * 0.99)] ?? Number.NaN
    const growth = ((memory[1] ?? 0) - (memory[0] ?? 0)) / 2 ** 20
    return [
      measured('storm.p99_to_first_step', p99, 'ms', { atMost: 25 }),
      measured('storm.uncounted', Math.abs(offered - begun - shed), 'events', { atMost: 0 }),
      measured('storm.growth', growth, 'MB', { atMost: 16 }),
    ]
  } finally {
    await box.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
