/**
 * A site's life in quick motion: plates, pictures, calls of webhooks, presses and answers come as they do on a busy day,
 * servers go away and come back, the box is killed and restarted, and at the end it is asked what became of it all.
 */
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { connect } from '@nats-io/transport-node'
import mqtt from 'mqtt'
import type { RunView } from '../../src/engine/index.ts'
import { BoxProcess, type Sample } from './box-process.ts'
import { FastClock } from './fast-clock.ts'
import { Ledger } from './ledger.ts'
import { Servers } from './servers.ts'
import { BASE, RESIDENTS, siteYaml, WORKFLOWS } from './site.ts'

const MINUTE = 60_000
/** Older than this an event starts nothing. */
const STALE = 5 * MINUTE
/** What is open after the last event has so long to end. */
const DRAIN = 20 * MINUTE
/** Minutes of each hour in which something is done to the site. */
const TROUBLES = [8, 10, 16, 19, 24, 27, 33, 38, 46, 54]
/** How long the box lives between one kill and the next. */
const LIFE_HOURS = 6
const PICTURES = [
  'person.jpg',
  'dog.jpg',
  'yard-empty.jpg',
  'yard-night.jpg',
  'gate-closed.jpg',
  'horses.jpg',
]
const pictures = resolve(import.meta.dirname, '../../templates/cases/pictures')

export interface LifeOptions {
  /** An empty folder; it is the caller's to remove. */
  dir: string
  /** Of the site's time. */
  hours: number
  /** How much quicker than the machine's the site's time passes. */
  speed: number
  seed?: number
  /** Where the servers listen; not on the box's own machine, where nothing may be moved. */
  host: string
  /** What runs the box: in a network of its own. */
  prefix: readonly string[]
  say?(line: string): void
}

export interface LifeReport {
  runs: number
  byWorkflow: Record<string, number>
  byStatus: Record<string, number>
  /** Promises that were not kept, a line each. */
  broken: string[]
  /** Of the machine's time: from the publishing of an event until the page's stream has its run. */
  latencyMs: number[]
  startMs: number[]
  samples: Sample[]
  /** What was shed or refused, as the box counts it. */
  shed: Record<string, number>
}

type Admitted = { run: number | null; reason?: unknown }

export class Life {
  readonly #options: LifeOptions
  readonly #clock: FastClock
  readonly #box: BoxProcess
  readonly #servers: Servers
  readonly #ledger = new Ledger()
  readonly #random: () => number
  readonly #workflows = new Map<string, { id: number; hook: string | null }>()
  readonly #sent = new Map<string, number>()
  readonly #report: Omit<LifeReport, 'runs' | 'byWorkflow' | 'byStatus' | 'broken' | 'samples'>
  /** When the box, or the server that keeps its events, was away (site's time). */
  readonly #away: [number, number][] = []
  readonly #troubles: number[] = []
  #token = ''
  #events = 0
  #doing: Promise<unknown>[] = []

  constructor(options: LifeOptions) {
    this.#options = options
    this.#clock = new FastClock(options.speed, Date.UTC(2026, 10, 2, 5), Date.now())
    this.#servers = new Servers(options.dir, options.host)
    this.#box = new BoxProcess(options.dir, this.#clock, options.prefix)
    this.#random = seeded(options.seed ?? 1)
    this.#report = { latencyMs: [], startMs: [], shed: {} }
  }

  async live(): Promise<LifeReport> {
    const { dir, hours, speed, say } = this.#options
    for (const name of ['data', 'yard']) mkdirSync(join(dir, name), { recursive: true })
    await this.#servers.start()
    this.#writeSite('A quiet street.')
    let watching: ReturnType<typeof setInterval> | undefined
    try {
      await this.#startBox()
      await this.#employ()
      for (const [name, yaml] of Object.entries(WORKFLOWS)) await this.#save(name, yaml)
      watching = setInterval(() => this.#box.sample(), 1_000)
      const minutes = Math.round(hours * 60)
      for (let minute = 1; minute <= minutes; minute++) {
        const next = Bun.sleep(MINUTE / speed)
        await this.#minute(minute)
        await next
        if (minute % 60 === 0) say?.(`hour ${minute / 60}: ${this.#events} events, ${this.#line()}`)
      }
      const report = await this.#close()
      await this.#box.end('SIGTERM')
      report.broken.push(...leftIn(join(dir, 'data')))
      return report
    } finally {
      clearInterval(watching)
      await this.#box.end('SIGTERM')
      await this.#servers.stop()
    }
  }

  /** The guard, and the token by which they answer and press: the owner of the folder is nobody who could approve. */
  async #employ(): Promise<void> {
    const guard = { name: 'Ann', role: 'admin', cameras: null, password: 'as long as it takes here' }
    await this.#box.ask('users', json(guard))
    const scopes = ['read', 'approve', 'workflows.press']
    const given = json({ name: 'life', user: guard.name, scopes, days: null })
    this.#token = (await this.#box.ask<{ token: string }>('tokens', given)).token
  }

  async #save(name: string, yaml: string): Promise<void> {
    const headers = { 'content-type': 'application/yaml' }
    const { workflow } = await this.#box.ask<{ workflow: { id: number; hook: string | null } }>('workflows', {
      ...{ method: 'POST', headers, body: yaml },
    })
    await this.#box.ask(`workflows/${workflow.id}/state`, json({ state: 'on' }))
    this.#workflows.set(name, workflow)
  }

  /** What happens within one minute at the site, and what goes wrong in it. */
  async #minute(minute: number): Promise<void> {
    const often = (chance: number) => this.#random() < chance
    const doing: Promise<unknown>[] = []
    if (often(0.6)) doing.push(this.#plate())
    if (often(0.2)) doing.push(this.#plate())
    if (often(0.25)) this.#picture()
    if (often(0.15)) doing.push(this.#hook())
    if (often(0.1)) doing.push(this.#press())
    if (often(0.3)) doing.push(this.#visit())
    doing.push(this.#answer())
    doing.push(this.#trouble(minute % 60, Math.floor(minute / 60)))
    this.#doing.push(...doing.map(each => each.catch(error => this.#unlessTroubled(error))))
    await Promise.race([Promise.all(this.#doing), Bun.sleep(MINUTE / this.#options.speed)])
  }

  /** A server that goes takes with it what was being said to it; who asks a box that is away is told so. */
  #unlessTroubled(error: unknown): void {
    const troubled = this.#troubles.some(at => Math.abs(this.#clock.now() - at) < 4 * MINUTE)
    if (!troubled) throw error
  }

  async #plate(): Promise<void> {
    if (!this.#servers.nats.up) return
    const resident = this.#random() < 0.5
    const text = resident ? RESIDENTS[this.#events % RESIDENTS.length] : `X-${this.#events}`
    const id = `evt_${(++this.#events).toString(16).padStart(12, '0')}`
    const at = this.#clock.now()
    const line = await connect({ servers: `${this.#servers.places.host}:${this.#servers.places.nats}` })
    const event = {
      ...{ id, schema: 'plate.recognized.v1', camera_id: 'gate', producer: 'plates', correlation_id: null },
      ...{ ts: new Date(at).toISOString(), payload: { plate_text: text, confidence: 0.97 } },
    }
    this.#sent.set(id, performance.now())
    line.publish('opennvr.events.plate.recognized.v1.gate', JSON.stringify(event))
    await line.flush()
    this.#ledger.events.set(id, at)
    await line.close()
  }

  #picture(): void {
    const folder = join(this.#options.dir, 'yard')
    const old = readdirSync(folder).toSorted().slice(0, -20)
    for (const name of old) rmSync(join(folder, name))
    const at = this.#clock.now()
    const file = join(folder, `${at}.jpg`)
    copyFileSync(join(pictures, this.#one(PICTURES)), `${file}.part`)
    utimesSync(`${file}.part`, at / 1000, at / 1000)
    renameSync(`${file}.part`, file)
  }

  async #hook(): Promise<void> {
    const form = new FormData()
    form.set('picture', Bun.file(join(pictures, this.#one(PICTURES))), 'picture.jpg')
    const { hook } = this.#workflow('hook')
    const { run } = await this.#box.ask<Admitted>(String(hook), { method: 'POST', body: form })
    if (run !== null) this.#ledger.promised.add(run)
  }

  /** As Home Assistant does, by the broker; where that is away, at the page. */
  async #press(): Promise<void> {
    const { id } = this.#workflow('button')
    if (this.#random() < 0.5 || !this.#servers.mqtt.up) {
      const { run } = await this.#box.ask<Admitted>(`workflows/${id}/press`, { method: 'POST' }, this.#token)
      if (run !== null) this.#ledger.promised.add(run)
      return
    }
    const { host, mqtt: port } = this.#servers.places
    const client = await mqtt.connectAsync(`mqtt://${host}:${port}`)
    // It is killed with us still there.
    client.on('error', () => undefined)
    await client.publishAsync(`${BASE}/workflow_${id}_press/set`, 'PRESS', { qos: 1 })
    await client.endAsync()
  }

  /** Somebody looks at the page. */
  async #visit(): Promise<void> {
    const { runs } = await this.#box.ask<{ runs: { id: number }[] }>('runs?limit=50')
    for (const { id } of runs.slice(0, 2)) await this.#box.ask(`runs/${id}`)
    await this.#box.ask('notices')
    await this.#box.ask('system/health')
  }

  /** The guard answers some of what is open, settles what nobody knows, and leaves the rest alone. */
  async #answer(): Promise<void> {
    if (!this.#box.up) return
    const { approvals } = await this.#box.ask<{ approvals: { id: number; run: number }[] }>(
      'approvals?open=true',
    )
    for (const { id, run } of approvals) {
      if (this.#random() > 0.4) continue
      const reply = this.#random() < 0.5 ? 'Let in' : 'Refuse'
      const answer = await this.#box.request(`approvals/${id}`, json({ reply }), this.#token)
      // 409: it has just been decided by its deadline.
      if (answer.ok) this.#ledger.answers.set(run, reply)
      else if (answer.status !== 409) throw new Error(await answer.text())
    }
    const { runs } = await this.#box.ask<{ runs: { id: number }[] }>('runs?status=unknown')
    for (const { id } of runs)
      await this.#box.request(`runs/${id}/settle`, json({ happened: true }), this.#token)
  }

  /** Once an hour each of the things that go wrong does; the box itself lives longer, so that what grows is seen. */
  async #trouble(minute: number, hour: number): Promise<void> {
    const { nats, mqtt: broker } = this.#servers
    if (TROUBLES.includes(minute)) this.#troubles.push(this.#clock.now())
    if (minute === 8) await nats.kill()
    if (minute === 10) await nats.start()
    if (minute === 16) await broker.kill()
    if (minute === 19) await broker.start()
    if (minute === 24 || minute === 27) this.#servers.refuses = minute === 24
    if (minute === 33) this.#box.killChild()
    if (minute === 38 && hour % LIFE_HOURS === 0) await this.#restart('SIGKILL')
    if (minute === 46) this.#writeSite(`A street, ${this.#events} cars later.`)
    if (minute === 54 && hour % LIFE_HOURS === 0) await this.#restart('SIGTERM')
    if (minute === 10) this.#away.push([this.#clock.now() - 3 * MINUTE, this.#clock.now() + MINUTE])
  }

  async #restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const from = this.#clock.now()
    // Known before it is over: what fails meanwhile fails for that.
    const away: [number, number] = [from, Number.POSITIVE_INFINITY]
    this.#away.push(away)
    await this.#box.end(signal)
    await this.#startBox()
    away[1] = this.#clock.now()
  }

  async #startBox(): Promise<void> {
    this.#report.startMs.push(await this.#box.start())
    this.#listen().catch(() => undefined)
  }

  /** The page's stream, by which a run is first heard of. */
  async #listen(): Promise<void> {
    const { body } = await this.#box.request('stream')
    let text = ''
    const decoder = new TextDecoder()
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      const [, ...told] = text.split('\n\n').toReversed()
      text = text.slice(text.lastIndexOf('\n\n') + 2)
      for (const each of told.filter(one => one.includes('event: run'))) {
        for (const [id] of each.matchAll(/evt_[0-9a-f]{12}/g)) this.#heard(id)
      }
    }
  }

  #heard(id: string): void {
    const at = this.#sent.get(id)
    if (at === undefined) return
    this.#sent.delete(id)
    const sent = this.#ledger.events.get(id) ?? 0
    if (!this.#awayAt(sent, MINUTE)) this.#report.latencyMs.push(performance.now() - at)
  }

  #awayAt(at: number, around: number): boolean {
    return this.#away.some(([from, to]) => at > from - around && at < to + around)
  }

  /** Everything has been sent: what is open ends, and is held against what was promised. */
  async #close(): Promise<LifeReport> {
    await Promise.all(this.#doing)
    const end = this.#clock.now() + DRAIN
    const steps = async () => {
      const open = await Promise.all(
        ['running', 'waiting', 'unknown'].map(each =>
          this.#box.ask<{ runs: object[] }>(`runs?status=${each}`),
        ),
      )
      return open.flatMap(({ runs }) => runs).length
    }
    while ((await steps()) > 0 && this.#clock.now() < end) {
      await this.#answer()
      await Bun.sleep(MINUTE / this.#options.speed)
    }
    const runs = await this.#allRuns()
    const health = await this.#box.ask<{ shed?: Record<string, number>; connections: object }>(
      'system/health',
    )
    // What was on its way as the box went, a stream hands over again after half a minute of the machine's: stale by then.
    const late = (at: number) =>
      this.#away.some(([from, to]) => Math.abs(at - from) < MINUTE || (at > from && to - at > STALE - MINUTE))
    const broken = this.#ledger.judge(runs, this.#servers.arrivals, late)
    for (const name of Object.keys(health.connections)) broken.push(`the line to ${name} did not come back`)
    const count = (of: (run: RunView) => string) =>
      Object.fromEntries([...Map.groupBy(runs, of)].map(([name, some]) => [name, some.length]))
    return {
      ...this.#report,
      ...{ runs: runs.length, broken, shed: health.shed ?? {}, samples: this.#box.samples },
      byWorkflow: count(run => run.workflow.slug),
      byStatus: count(run => run.status),
    }
  }

  async #allRuns(): Promise<RunView[]> {
    const all: RunView[] = []
    for (let before = ''; ; ) {
      const { runs } = await this.#box.ask<{ runs: { id: number }[] }>(`runs?limit=200${before}`)
      for (const { id } of runs) all.push(await this.#box.ask<RunView>(`runs/${id}`))
      const last = runs.at(-1)
      if (!last || last.id === 1) return all
      before = `&before=${last.id}`
    }
  }

  #writeSite(facts: string): void {
    writeFileSync(join(this.#options.dir, 'data', 'site.yaml'), siteYaml(this.#servers.places, facts))
  }

  #workflow(name: string): { id: number; hook: string | null } {
    const found = this.#workflows.get(name)
    if (!found) throw new Error(`no workflow ${name}`)
    return found
  }

  #one<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)] as T
  }

  #line(): string {
    const last = this.#box.samples.at(-1)
    return last
      ? `${Math.round(last.residentMb)} + ${Math.round(last.childrenMb)} MB, ${last.files} files open`
      : ''
  }
}

/** What a box that has stopped leaves in its folder besides what it keeps. */
function leftIn(data: string): string[] {
  return readdirSync(data, { recursive: true, encoding: 'utf8' })
    .filter(name => /(^|\/)try\/|\.(part|partial|tmp|sock)$|-wal$|-journal$/.test(name))
    .map(name => `${name} was left behind`)
}

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** The same numbers for the same seed, from 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
