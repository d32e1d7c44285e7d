/** The whole appliance on a disk that fails: its system calls are made to fail, one after another. */
import { Database } from 'bun:sqlite'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src/core/index.ts'
import { type Bare, bare } from '../fixtures/bare.ts'

const UP = resolve(import.meta.dirname, 'up.ts')
const strace = Bun.which('strace')
const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
/** `FAULTS=all` strikes at every single write, each a life of a box: that takes some ten minutes. */
const ALL = process.env.FAULTS === 'all'
const DELIVERIES = 3
const PATIENCE_MS = 60_000
/** Pages in the log with which a box begins: a few commits later it is long enough to be copied into the file. */
const LOG_PAGES = 985

const WORKFLOW = `
contract: workflow.v1
name: Told
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: { webhook: {} }
then:
  - alert: { severity: low, title: "{parcel}" }
  - webhook: { to: chat, json: "{parcel}" }
  - webhook: { to: barrier, json: open }
always: [ log: end ]
`

const root = mkdtempSync(join(BASE, 'gatehouse-io-'))
/** Ids of the moves that reached the barrier since a box began. */
let moved: string[] = []
const world = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => {
    if (request.url.endsWith('/barrier')) moved.push(request.headers.get('webhook-id') ?? '')
    await request.text()
    return new Response('ok')
  },
})
const SITE = `
destinations:
  chat: { url: "http://127.0.0.1:${world.port}/chat", class: tell }
  barrier: { url: "http://127.0.0.1:${world.port}/barrier", class: move }
trusted_webhooks: [told]
`
let hook = ''
let folders = 0

afterAll(async () => {
  await world.stop(true)
  rmSync(root, { recursive: true, force: true })
})

/** An engine in this process over a folder that nobody holds. */
async function here<T>(dir: string, work: (box: Bare) => Promise<T>): Promise<T> {
  const send = async ({ to, deliveryId }: { to: string; json: JsonValue; deliveryId: string }) => {
    if (to === 'barrier') moved.push(deliveryId)
    return { status: 200, body: 'ok' }
  }
  const box = await bare(dir, SITE, { outgoing: () => ({ send }) })
  try {
    return await work(box)
  } finally {
    await box.stop()
  }
}

/** What became of the deliveries: the run that each was answered with, or its status. */
interface Told {
  started: boolean
  answers: (number | string)[]
  /** Its exit code, or the signal that ended it. */
  exit: number | string | null
  /** System calls, one a line. */
  calls: string[]
}

/** Starts the appliance with a fault, delivers to it, and ends it. */
async function live(dir: string, calls: string, fault: string): Promise<Told> {
  const trace = join(dir, 'trace')
  const command = [
    strace ?? '',
    '-f',
    '-qq',
    '-y',
    '-o',
    trace,
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:${fault}`,
  ]
  moved = []
  const box = Bun.spawn([...command, process.execPath, UP, dir], { stdout: 'pipe', stderr: 'pipe' })
  const late = setTimeout(() => end(dir, 'SIGKILL'), PATIENCE_MS)
  const url = await new Promise<string | null>(found => {
    let text = ''
    const reader = box.stdout.getReader()
    const more = (): void => {
      reader.read().then(({ done, value }) => {
        text += new TextDecoder().decode(value)
        const match = /up: (http:\S+)/.exec(text)
        if (match || done) found(match?.[1] ?? null)
        if (!done) more()
      })
    }
    more()
  })
  const answers: (number | string)[] = []
  for (let n = 0; url !== null && n < DELIVERIES; n++) answers.push(await deliver(url, n))
  // Let the last run come to its end, or the process to its own.
  if (url !== null) await Promise.race([box.exited, Bun.sleep(400)])
  end(dir, 'SIGTERM')
  await box.exited
  clearTimeout(late)
  const lines = existsSync(trace) ? readFileSync(trace, 'utf8').split('\n') : []
  return { started: url !== null, answers, exit: box.signalCode ?? box.exitCode, calls: lines }
}

async function deliver(url: string, n: number): Promise<number | string> {
  try {
    const response = await fetch(`${url}/api/v1/hooks/${hook}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': `d${n}` },
      body: JSON.stringify({ parcel: `parcel ${n}`, camera: `camera-${n}` }),
      signal: AbortSignal.timeout(20_000),
    })
    if (response.status !== 202) return `status ${response.status}`
    const { run, reason } = (await response.json()) as { run: number | null; reason: { code: string } | null }
    return run ?? reason?.code ?? 'nothing'
  } catch {
    return 'no answer'
  }
}

/** By the id in the folder: the process runs behind another one. */
function end(dir: string, signal: NodeJS.Signals): void {
  const holder = join(dir, 'gatehouse.holder')
  if (!existsSync(holder)) return
  try {
    process.kill((JSON.parse(readFileSync(holder, 'utf8')) as { pid: number }).pid, signal)
  } catch {
    // It ended by itself.
  }
}

/** A folder with the workflow in it, as a power cut leaves it: with a log that is nearly long enough to be copied. */
async function folder(): Promise<string> {
  const ready = join(root, 'ready')
  if (!existsSync(ready)) {
    const work = join(root, 'work')
    await here(work, async ({ engine, store }) => {
      writeFileSync(join(work, 'site.yaml'), SITE)
      const saved = await engine.save(WORKFLOW)
      if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
      hook = saved.workflow.hook?.split('/').at(-1) ?? ''
      const file = new Database(join(work, 'gatehouse.db'))
      const pages = () => (file.query('PRAGMA wal_checkpoint(NOOP)').get() as { log: number }).log
      for (let n = 0; pages() < LOG_PAGES; n++)
        await store.write(() => store.meta.set('filler', `${n}`.repeat(4_000)))
      file.close()
      cpSync(work, ready, { recursive: true })
      for (const name of ['gatehouse.holder', 'gatehouse.db-shm']) rmSync(join(ready, name))
    })
  }
  const dir = join(root, `box-${++folders}`)
  cpSync(ready, dir, { recursive: true })
  return dir
}

/** Everything that was acknowledged is there, ends, and does so once; nothing has moved twice. */
async function kept(dir: string, { answers }: Told): Promise<void> {
  const acknowledged = answers.filter(answer => typeof answer === 'number')
  await here(dir, async ({ engine, store }) => {
    const runs = store.runs.list({ limit: 100 })
    const ids = runs.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    const parcels = runs.map(({ values }) => values.parcel)
    expect(new Set(parcels).size).toBe(parcels.length)
    let done = 0
    for (const id of ids) {
      const run = await engine.settled(id, 10_000)
      const move = run.steps.find(({ path }) => path === 'then[2]')?.status
      expect(run).toMatchObject({
        // It was being moved as the box ended: nobody knows whether that happened, and the run says so.
        status: move === 'unknown' ? 'unknown' : 'done',
        steps: [{ kind: 'alert' }, { kind: 'webhook' }, { kind: 'webhook' }, { kind: 'log' }],
      })
      if (move === 'done') done++
    }
    expect(new Set(moved).size).toBe(moved.length)
    expect(moved.length).toBeGreaterThanOrEqual(done)
    expect(moved.length).toBeLessThanOrEqual(ids.length)
    expect(store.due.all()).toEqual([])
  })
  rmSync(dir, { recursive: true })
}

describe.skipIf(!strace)('a disk that fails', () => {
  test('at any sync: the process ends at once, syncs no more, and has lost nothing that it promised', async () => {
    let hurt = 0
    let copying = 0
    for (let k = 1; ; k++) {
      const dir = await folder()
      const box = await live(dir, 'fdatasync,fsync', `error=EIO:when=${k}`)
      const failed = box.calls.findIndex(line => line.includes('(INJECTED)'))
      if (failed < 0) {
        expect(hurt).toBeGreaterThan(2 * DELIVERIES)
        expect(copying).toBeGreaterThan(0)
        expect(moved).toHaveLength(DELIVERIES)
        expect(box).toMatchObject({ exit: 0, answers: [1, 2, 3] })
        await kept(dir, box)
        return
      }
      await kept(dir, box)
      // Standard output and the lock are not what promises rest on, and a box that closes ends anyway.
      const closing = box.calls.slice(0, failed).some(line => line.includes('SIGTERM'))
      if (closing || !box.calls[failed]?.includes('/gatehouse.db')) continue
      hurt++
      if (box.calls[failed]?.includes('/gatehouse.db>')) copying++
      expect([1, 'SIGKILL'], `sync ${k}`).toContain(box.exit)
      const later = box.calls.slice(failed + 1).filter(line => line.includes('/gatehouse.db'))
      expect(later, `sync ${k}`).toEqual([])
    }
  }, 300_000)

  test(
    'at a write for want of room: what was refused is said, what was acknowledged is there',
    async () => {
      const steps = ALL ? (k: number) => k + 1 : (k: number) => Math.ceil(k * 1.7)
      let hurt = 0
      for (let k = 1; ; k = steps(k)) {
        const dir = await folder()
        const box = await live(dir, 'pwrite64', `error=ENOSPC:when=${k}`)
        await kept(dir, box)
        if (!box.calls.some(line => line.includes('(INJECTED)'))) break
        hurt++
        // One write that failed is no reason to stop: the next event is taken again.
        if (box.started) expect(box, `write ${k}`).toMatchObject({ exit: 0 })
      }
      console.info(`${hurt} writes failed, one for each life of a box`)
      expect(hurt).toBeGreaterThan(3)
    },
    ALL ? 7_200_000 : 300_000,
  )
})
