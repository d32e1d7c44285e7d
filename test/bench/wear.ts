/**
 * What a box writes to its flash at 1,000 runs a day with pictures, and how many years that gives on an eMMC of 32 GB.
 * Measured of the real process by the kernel's count of bytes that went to the disk (`/proc/<pid>/io`): while it idles,
 * for runs with a picture and a Look each, and for the daily copy. Needs a data folder on a disk, not in memory.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatehouse, sample, serve } from '../cli/gatehouse.ts'
import { type Measure, measured } from './measure.ts'

const RUNS = 60
const RUNS_A_DAY = 1000
/** How long runs stay by default, 30 days for dull ones and 180 for others: the copy of each day holds them all. */
const DAYS_KEPT = 90
const IDLE_MS = 30_000
/** What the file system writes besides (its journal, folders), which the kernel counts for nobody. */
const FILE_SYSTEM = 1.5
/** What the flash writes for each byte that it is given: small writes, wear levelling. */
const FLASH = 3
/** How often each cell of a cheap eMMC is written, and its bytes. */
const CYCLES = 3000
const CAPACITY = 32e9
const LEAST_YEARS = 10
const MB = 1e6

const WORKFLOW = `contract: workflow.v1
name: Watch
state: on
limits: { cooldown: 0s, per_hour: 1000, ai_per_hour: 1000 }
when: { webhook: {} }
then:
  - ai:
      mode: look
      prompt: Is there a person or a vehicle in the yard?
      input: picture
      fields:
        vehicles: { measure: count, of: vehicle }
      decision: [vehicle, clear]
      rules:
        - { when: { vehicles: { at_least: 1 } }, then: vehicle }
        - { then: clear }
      vehicle:
        - alert: { severity: low, title: "A vehicle", description: "{reason}", attach: [picture] }
      clear: []
      unsure: []
`

export async function bench(): Promise<Measure[]> {
  const dir = mkdtempSync(join(process.env.WEAR_DIR ?? tmpdir(), 'gatehouse-wear-'))
  const data = join(dir, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'site.yaml'), 'cameras:\n  yard: { name: Yard }\n')
  const box = await serve(['--data', data, '--no-demo'])
  try {
    const idleFrom = written(box.pid)
    await Bun.sleep(IDLE_MS)
    const idle = ((written(box.pid) - idleFrom) / IDLE_MS) * 86_400_000

    const headers = { 'content-type': 'application/yaml' }
    const saved = await fetch(`${box.url}/api/v1/workflows`, { method: 'POST', headers, body: WORKFLOW })
    if (!saved.ok) throw new Error(await saved.text())
    const { workflow } = (await saved.json()) as { workflow: { hook: string } }
    const picture = readFileSync(sample('dog.jpg'))
    const before = { written: written(box.pid), size: sizeOf(data) }
    for (let n = 0; n < RUNS; n++) await runOnce(box.url + workflow.hook, picture, n, box.url)
    // What the log still holds is copied into the file one day: the stop does it, before the process is gone.
    const perRun = (written(box.pid) - before.written) / RUNS
    await gatehouse('backup', '--copy', '--data', data)
    const rows = (sizeOf(data) - before.size) / RUNS
    const copy = rows * RUNS_A_DAY * DAYS_KEPT
    const day = idle + perRun * RUNS_A_DAY + copy
    const years = (CAPACITY * CYCLES) / (day * FILE_SYSTEM * FLASH) / 365
    return [
      measured('wear.written while idle, a day', idle / MB, 'MB', { atMost: 100 }),
      measured('wear.written for a run with its picture', perRun / 1000, 'kB', { atMost: 1500 }),
      measured('wear.of that its picture', picture.length / 1000, 'kB', { atMost: 1500 }),
      measured(`wear.the daily copy, after ${DAYS_KEPT} days`, copy / MB, 'MB', { atMost: 3000 }),
      measured(`wear.written a day at ${RUNS_A_DAY} runs`, day / MB, 'MB', { atMost: 4000 }),
      measured(
        `wear.years on 32 GB eMMC (${CYCLES} cycles, file system x${FILE_SYSTEM}, flash x${FLASH})`,
        years,
        'years',
        { atLeast: LEAST_YEARS },
      ),
    ]
  } finally {
    await box.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** One that is done before the next begins, as on a quiet site: no commit is shared. Each picture is another one. */
async function runOnce(hook: string, picture: Uint8Array, n: number, url: string): Promise<void> {
  const form = new FormData()
  // Bytes behind a JPEG's end make it another file and the same picture.
  const bytes = Buffer.concat([picture, Buffer.from(String(n))])
  form.set('picture', new Blob([bytes], { type: 'image/jpeg' }), 'dog.jpg')
  const sent = await fetch(hook, { method: 'POST', body: form })
  if (!sent.ok) throw new Error(await sent.text())
  for (;;) {
    const { runs } = (await (await fetch(`${url}/api/v1/runs?limit=1`)).json()) as {
      runs: { status: string; error: string | null }[]
    }
    if (runs[0]?.status === 'failed') throw new Error(runs[0].error ?? 'a run failed')
    if (runs[0]?.status === 'done') return
    await Bun.sleep(20)
  }
}

function written(pid: number): number {
  const bytes = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]
  if (bytes === undefined) throw new Error('the kernel does not count what is written')
  return Number(bytes)
}

/** Of database and log. */
function sizeOf(data: string): number {
  return statSync(join(data, 'gatehouse.db')).size
}
