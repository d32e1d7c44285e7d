/**
 * What a box writes to its flash at 1,000 runs a day with pictures, and how many years that gives. Measured of a real
 * process by the kernel's count of bytes that went to the disk (`/proc/<pid>/io`): while it idles, for runs with a picture
 * and a Look each, and for the daily copy.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GatehouseError } from '../core/index.ts'
import type { Resources } from './resources.ts'

const RUNS = 60
export const RUNS_A_DAY = 1000
/** How long runs stay by default, 30 days for dull ones and 180 for others: the copy of each day holds them all. */
export const DAYS_KEPT = 90
const IDLE_MS = 30_000
/** What the file system writes besides (its journal, folders), which the kernel counts for nobody. */
export const FILE_SYSTEM = 1.5
/** What the flash writes for each byte that it is given: small writes, wear levelling. */
export const FLASH = 3
/** How often each cell of a cheap eMMC is written, and its bytes. */
export const CYCLES = 3000
const CAPACITY = 32e9
const PICTURE = 'cases/pictures/dog.jpg'
const UP = /Gatehouse is up: (http:\S+)/

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

/** Bytes, but for the years. */
export interface Wear {
  idleADay: number
  perRun: number
  picture: number
  copyADay: number
  aDay: number
  /** On an eMMC of 32 GB. */
  years: number
}

/** Takes a minute; writes below `folder`, which has to be on a disk, and removes it again. Throws `bench_failed`. */
export async function measureWear(folder: string, { command, templates }: Resources): Promise<Wear> {
  mkdirSync(folder, { recursive: true })
  const dir = mkdtempSync(join(folder, 'gatehouse-wear-'))
  writeFileSync(join(dir, 'site.yaml'), 'cameras:\n  yard: { name: Yard }\n')
  const box = Bun.spawn([...command, 'up', '--port', '0', '--data', dir, '--no-demo'], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  try {
    const url = await addressIn(box.stdout)
    const idleFrom = written(box.pid)
    await Bun.sleep(IDLE_MS)
    const idleADay = ((written(box.pid) - idleFrom) / IDLE_MS) * 86_400_000

    const headers = { 'content-type': 'application/yaml' }
    const saved = await fetch(`${url}/api/v1/workflows`, { method: 'POST', headers, body: WORKFLOW })
    if (!saved.ok) throw failed(await saved.text())
    const { workflow } = (await saved.json()) as { workflow: { hook: string } }
    const picture = readFileSync(join(templates, PICTURE))
    const before = { written: written(box.pid), size: sizeOf(dir) }
    for (let n = 0; n < RUNS; n++) await runOnce(url, workflow.hook, picture, n)
    const perRun = (written(box.pid) - before.written) / RUNS
    // What the log holds is copied into the file first.
    const copied = Bun.spawn([...command, 'backup', '--copy', '--data', dir], {
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const said = await new Response(copied.stderr).text()
    if ((await copied.exited) !== 0) throw failed(said)
    const copyADay = ((sizeOf(dir) - before.size) / RUNS) * RUNS_A_DAY * DAYS_KEPT
    const aDay = idleADay + perRun * RUNS_A_DAY + copyADay
    const years = (CAPACITY * CYCLES) / (aDay * FILE_SYSTEM * FLASH) / 365
    return { idleADay, perRun, picture: picture.length, copyADay, aDay, years }
  } finally {
    box.kill()
    await box.exited
    rmSync(dir, { recursive: true, force: true })
  }
}

const failed = (why: string) => new GatehouseError('bench_failed', `It was not measured: ${why.trim()}`)

async function addressIn(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let said = ''
  const decoder = new TextDecoder()
  const reader = stdout.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw failed(`the box did not start: ${said}`)
    said += decoder.decode(value, { stream: true })
    const url = UP.exec(said)?.[1]
    if (url !== undefined) return url
  }
}

/** One that is done before the next begins, as on a quiet site: no commit is shared. Each picture is another one. */
async function runOnce(url: string, hook: string, picture: Uint8Array, n: number): Promise<void> {
  const form = new FormData()
  // Bytes behind a JPEG's end make it another file and the same picture.
  const bytes = Buffer.concat([picture, Buffer.from(String(n))])
  form.set('picture', new Blob([bytes], { type: 'image/jpeg' }), 'picture.jpg')
  const sent = await fetch(url + hook, { method: 'POST', body: form })
  if (!sent.ok) throw failed(await sent.text())
  for (;;) {
    const answer = await fetch(`${url}/api/v1/runs?limit=1`)
    const { runs } = (await answer.json()) as { runs: { status: string; error: string | null }[] }
    if (runs[0]?.status === 'failed') throw failed(runs[0].error ?? 'a run failed')
    if (runs[0]?.status === 'done') return
    await Bun.sleep(20)
  }
}

function written(pid: number): number {
  const bytes = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]
  if (bytes === undefined) throw failed('the kernel does not count what is written')
  return Number(bytes)
}

/** Of the database. */
const sizeOf = (dir: string): number => statSync(join(dir, 'gatehouse.db')).size
