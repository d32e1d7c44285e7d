/**
 * A run of five steps without AI, 64 at once, against a bare program that writes the same rows with the same
 * safety (one group commit per event-loop turn, WAL, FULL). Both take turns in this process, on the same disk.
 */
import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bus, type IncomingEvent, noLog, systemClock } from '../../src/core/index.ts'
import { Engine, type EngineTopics } from '../../src/engine/index.ts'
import { Site, SiteMode } from '../../src/site/index.ts'
import { MediaFiles, Store } from '../../src/store/index.ts'
import { type Measure, measured, median } from './measure.ts'

const AT_ONCE = 64
const ROUNDS = 3
const ROUND_MS = 1_500

const WORKFLOW = `
contract: workflow.v1
name: Five steps
state: on
limits: { cooldown: 0s, one_at_a_time: plate, per_hour: 1000000 }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - log: "{plate} at the {camera}"
  - if: [ not: { in_list: { list: residents, value: "{plate}" } } ]
    then:
      - notify: { who: role:guard, message: "{plate} is not known" }
  - alert: { severity: low, title: "{plate} at the {camera}" }
  - log: done
`

const SITE = `
cameras: { gate: { roles: [gate] } }
people: { ann: { roles: [guard] } }
lists: { residents: [B-AB 1, B-AB 2] }
`

/** Something that does runs, one per call. */
interface Runner {
  run(n: number): Promise<unknown>
  commits(): number
  stop(): Promise<void>
}

export async function bench(): Promise<Measure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const [ours, bare] = [await engine(join(dir, 'engine')), floor(join(dir, 'floor'))]
  try {
    await load(ours, 500)
    await load(bare, 500)
    const rates: { ours: number; bare: number; cpu: number; flushes: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [mine, theirs] = [await load(ours, ROUND_MS), await load(bare, ROUND_MS)]
      rates.push({ ours: mine.rate, bare: theirs.rate, cpu: mine.cpuMs, flushes: mine.commits })
    }
    const middle = (pick: (rate: (typeof rates)[number]) => number) => median(rates.map(pick))
    return [
      measured(
        'engine.runs',
        middle(each => each.ours),
        'runs/s',
        { atLeast: 0.15 },
        middle(each => each.bare),
      ),
      measured(
        'engine.cpu',
        middle(each => each.cpu),
        'ms/run',
        { atMost: 1 },
      ),
      measured(
        'engine.flushes',
        middle(each => each.flushes),
        'flushes/run',
        { atMost: 0.5 },
      ),
    ]
  } finally {
    await ours.stop()
    await bare.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

let runs = 0

async function load(runner: Runner, ms: number) {
  const began = performance.now()
  const cpu = process.cpuUsage()
  const [first, commits] = [runs, runner.commits()]
  const work = async () => {
    while (performance.now() - began < ms) await runner.run(++runs)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const done = runs - first
  const { user, system } = process.cpuUsage(cpu)
  return {
    rate: (done / (performance.now() - began)) * 1000,
    cpuMs: (user + system) / 1000 / done,
    // A commit in the write-ahead log is one flush.
    commits: (runner.commits() - commits) / done,
  }
}

async function engine(dir: string): Promise<Runner> {
  const store = new Store({ dir, clock: systemClock })
  store.start()
  const site = Site.load(SITE, join(dir, 'site.yaml'))
  const bus = new Bus<EngineTopics>(noLog)
  const box = new Engine({
    store,
    media: new MediaFiles(dir),
    clock: systemClock,
    log: noLog,
    bus,
    site: () => site,
    look: () => Promise.reject(new Error('no step of this bench looks')),
    outgoing: { send: () => Promise.reject(new Error('no step of this bench sends')) },
    cameras: { snapshot: () => Promise.reject(new Error('no step of this bench asks a camera')) },
    siteMode: new SiteMode(store, () => site),
  })
  await box.start()
  const saved = await box.save(WORKFLOW)
  if (!saved.ok) throw new Error(saved.problems.map(({ message }) => message).join('; '))
  const ended = new Map<number, () => void>()
  bus.on('run', run => {
    if (run.ended_at !== null) ended.get(run.id)?.()
  })
  return {
    async run(n) {
      const [admission] = await box.submit(plateRead(n))
      const id = admission?.run
      if (!id) throw new Error(`no run: ${admission?.reason?.message}`)
      const { promise, resolve } = Promise.withResolvers<void>()
      ended.set(id, resolve)
      await promise
      ended.delete(id)
    },
    commits: () => store.counts.commits,
    async stop() {
      await box.stop()
      store.stop()
    },
  }
}

const plateRead = (n: number): IncomingEvent => ({
  kind: 'event',
  id: `evt_${n}`,
  at: Date.now(),
  cameraId: 'gate',
  schema: 'plate.recognized.v1',
  source: 'plates',
  severity: null,
  payload: { plate_text: `B-XY ${n}`, confidence: 0.97 },
  correlationId: null,
  chain: [],
  by: null,
  workflowId: null,
  pictures: [],
})

/** The rows of one run of the workflow above, and nothing else: no checks, no admission, no values. */
function floor(dir: string): Runner {
  const base = new Store({ dir, clock: systemClock })
  base.start()
  base.stop()
  const db = new Database(join(dir, 'gatehouse.db'))
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA synchronous = FULL')
  db.run('PRAGMA wal_autocheckpoint = 2000')
  db.run("INSERT INTO workflows VALUES (1, 'five', 'Five', 'on', NULL, NULL, NULL, 1, 1)")
  db.run("INSERT INTO workflow_versions VALUES (1, 1, 1, 'x', 1)")
  const insertEvent = db.prepare('INSERT INTO events VALUES (NULL, ?, ?, ?, ?, ?, ?, NULL)')
  const insertRun = db.prepare(
    "INSERT INTO workflow_runs VALUES (?, 1, 1, 'on', 'running', 'event', ?, 'gate', ?, NULL, NULL, 0, NULL, 0, NULL, ?, NULL)",
  )
  const insertStep = db.prepare(
    "INSERT INTO workflow_run_steps VALUES (?, ?, ?, NULL, 'done', ?, ?, ?, NULL, ?, ?)",
  )
  const insertNotice = db.prepare(
    "INSERT INTO notices VALUES (NULL, ?, ?, ?, 'low', ?, '', ?, 'gate', NULL, ?)",
  )
  const endRun = db.prepare("UPDATE workflow_runs SET status = 'done', ended_at = ? WHERE id = ?")
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')]
  let queue: { write: () => void; done: () => void }[] = []
  let [ids, commits] = [0, 0]
  const flush = () => {
    const batch = queue
    queue = []
    begin.run()
    for (const { write } of batch) write()
    commit.run()
    commits++
    for (const { done } of batch) done()
  }
  const write = (job: () => void) =>
    new Promise<void>(done => {
      queue.push({ write: job, done })
      if (queue.length === 1) setImmediate(flush)
    })
  const steps = [
    ['then[0]', 'log', null, '"B-XY at the gate"', null],
    ['then[1]', 'if', 'then', null, null],
    [
      'then[1].then[0]',
      'notify',
      null,
      '{"who":"role:guard","message":"B-XY is not known"}',
      '{"severity":"low"}',
    ],
    ['then[2]', 'alert', null, '{"severity":"low","title":"B-XY at the gate"}', '{"severity":"low"}'],
    ['then[3]', 'log', null, '"done"', null],
  ] as const
  return {
    async run(n) {
      const [id, now] = [++ids, Date.now()]
      const event = JSON.stringify({ id: `evt_${n}`, payload: { plate_text: `B-XY ${n}`, confidence: 0.97 } })
      const values = JSON.stringify({ plate: `B-XY ${n}`, confidence: 0.97, camera: 'gate' })
      await write(() => {
        insertEvent.run(`evt_${n}`, 'event', 'plate.recognized.v1', 'gate', now, now)
        insertRun.run(id, event, values, now)
      })
      for (const [seq, [path, kind, outcome, inputs, result]] of steps.entries()) {
        await write(() => {
          const stepId = id * 65_536 + seq
          insertStep.run(stepId, path, kind, outcome, inputs, result, now, Date.now())
          if (result !== null) insertNotice.run(id, stepId, kind, 'B-XY at the gate', 'role:guard', now)
          if (seq === steps.length - 1) endRun.run(Date.now(), id)
        })
      }
    },
    commits: () => commits,
    async stop() {
      db.close()
    },
  }
}
