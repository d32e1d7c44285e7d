/**
 * A run of five steps without AI, 64 at once and one at a time, against a bare program with the same safety (one group
 * commit per event-loop turn, WAL, FULL) and nothing to think about. Both take turns in this process, on one disk.
 */
import { Database } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Measure, measured, median } from './measure.ts'
import { plateRead, plates } from './plates.ts'

const AT_ONCE = 64
const ROUNDS = 3
const ROUND_MS = 1_000
const WARM_MS = 500

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
    await load(ours, AT_ONCE, WARM_MS)
    await load(bare, AT_ONCE, WARM_MS)
    const many: [Load, Load][] = []
    const one: [Load, Load][] = []
    for (let round = 0; round < ROUNDS; round++) {
      many.push([await load(ours, AT_ONCE, ROUND_MS), await load(bare, AT_ONCE, ROUND_MS)])
      one.push([await load(ours, 1, ROUND_MS), await load(bare, 1, ROUND_MS)])
    }
    const middle = (rounds: [Load, Load][], which: 0 | 1, what: keyof Load) =>
      median(rounds.map(round => round[which][what]))
    return [
      measured('engine.runs', middle(many, 0, 'rate'), 'runs/s', { atLeast: 0.3 }, middle(many, 1, 'rate')),
      measured('engine.cpu', middle(many, 0, 'cpuMs'), 'ms/run', { atMost: 0.3 }),
      measured('engine.flushes', middle(many, 0, 'commits'), 'flushes/run', { atMost: 0.3 }),
      measured('engine.written', middle(many, 0, 'bytes'), 'bytes/run', { atMost: 10_000 }),
      measured('engine.runs_at_1', middle(one, 0, 'rate'), 'runs/s', { atLeast: 1 }, middle(one, 1, 'rate')),
      // Every step of it touches nothing but rows.
      measured('engine.commits_at_1', middle(one, 0, 'commits'), 'commits/run', { atMost: 1 }),
    ]
  } finally {
    await ours.stop()
    await bare.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Per run, but for the rate. */
interface Load {
  rate: number
  cpuMs: number
  commits: number
  bytes: number
}

let runs = 0

async function load(runner: Runner, atOnce: number, ms: number): Promise<Load> {
  const began = performance.now()
  const cpu = process.cpuUsage()
  const [first, commits, bytes] = [runs, runner.commits(), bytesWritten()]
  const work = async () => {
    while (performance.now() - began < ms) await runner.run(++runs)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const done = runs - first
  const { user, system } = process.cpuUsage(cpu)
  return {
    rate: (done / (performance.now() - began)) * 1000,
    cpuMs: (user + system) / 1000 / done,
    // A commit in the write-ahead log is one flush.
    commits: (runner.commits() - commits) / done,
    bytes: (bytesWritten() - bytes) / done,
  }
}

/** What this process had the kernel write to disks. */
function bytesWritten(): number {
  return Number(/^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
}

async function engine(dir: string): Promise<Runner> {
  const box = await plates(dir, SITE, [WORKFLOW])
  return {
    run: n => box.run(plateRead(n)),
    commits: () => box.store.counts.commits,
    stop: () => box.stop(),
  }
}

/**
 * A run of five steps as two tables' rows, one commit a step, and nothing else: no checks, no admission, no values,
 * no other tables. What any program pays that keeps its steps as safely in this database.
 */
function floor(dir: string): Runner {
  mkdirSync(dir)
  const db = new Database(join(dir, 'floor.db'))
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA synchronous = FULL')
  db.run(
    'CREATE TABLE run (id INTEGER PRIMARY KEY, workflow TEXT, status TEXT, event TEXT, began INT, ended INT)',
  )
  db.run(`CREATE TABLE step (run INT, seq INT, name TEXT, status TEXT, inputs TEXT, result TEXT, began INT, ended INT,
    PRIMARY KEY (run, seq)) WITHOUT ROWID`)
  const insertRun = db.prepare("INSERT INTO run VALUES (?, 'five', 'running', ?, ?, NULL)")
  const insertStep = db.prepare("INSERT INTO step VALUES (?, ?, 'step', 'done', ?, ?, ?, ?)")
  const endRun = db.prepare("UPDATE run SET status = 'done', ended = ? WHERE id = ?")
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
  const body = JSON.stringify({ d: 'xxxxxxxxxxxx' })
  return {
    async run() {
      const [id, now] = [++ids, Date.now()]
      await write(() => insertRun.run(id, body, now))
      for (let seq = 0; seq < 5; seq++) {
        const began = Date.now()
        await write(() => {
          insertStep.run(id, seq, body, body, began, Date.now())
          if (seq === 4) endRun.run(Date.now(), id)
        })
      }
    },
    commits: () => commits,
    async stop() {
      db.close()
    },
  }
}
