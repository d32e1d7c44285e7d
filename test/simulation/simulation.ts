/**
 * A box whose clock, ids, events, answers and crashes are all drawn from one seed: the same seed plays the same
 * story again. After every step of the story the promises are looked after.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LanguageError } from '../../src/ai/index.ts'
import { print } from '../../src/contract/index.ts'
import { GatehouseError, type IncomingEvent, ManualClock } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { decision } from '../engine/box.ts'
import { Chance } from './chance.ts'
import { workflow as randomWorkflow } from './generate.ts'
import { type Call, Life } from './life.ts'
import { People } from './people.ts'
import { Watch } from './watch.ts'

const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const SITE = `
time_zone: Europe/Berlin
modes: [disarmed, armed_home, armed_away]
cameras: { gate: { roles: [gate] }, yard: { roles: [yard] }, roof: {} }
people: { ann: { roles: [guard] } }
lists: { residents: [B-AB 123, m xy 9], drivers: [A 1, B 2, C 3] }
trusted_webhooks: [w0, w1, w2, w3]
destinations:
  chat: { url: "http://127.0.0.1:9/chat", class: tell }
  barrier: { url: "http://127.0.0.1:9/barrier", class: move }
  lamp: { topic: house/lamp, class: tell }
  relay: { topic: house/relay, class: move }
apps: { gate-app: { open: move, say: tell } }
`
const WORKFLOWS = 4
const MOVES_OF_STORY = 110

export interface Story {
  seed: number
  /** What went wrong, in the step in which it was seen. */
  faults: string[]
  /** Everything that happened, to be compared with another telling. */
  told: string[]
  counts: {
    workflows: number
    refused: number
    runs: number
    crashes: number
    unknown: number
    moves: number
    settled: number
    releases: number
    calls: number
  }
}

/** Tells the story of a seed to its end, or to its first fault. */
export async function tell(seed: number): Promise<Story> {
  const simulation = new Simulation(seed)
  const { getRandomValues } = crypto
  const ids = new Chance(seed ^ 0x5eed)
  // Ids are drawn from the seed too.
  const seeded = (array: Uint8Array) => {
    for (let i = 0; i < array.length; i++) array[i] = ids.below(256)
    return array
  }
  crypto.getRandomValues = seeded as typeof getRandomValues
  try {
    return await simulation.tell()
  } finally {
    crypto.getRandomValues = getRandomValues
    simulation.clear()
  }
}

class Simulation {
  readonly #chance: Chance
  readonly #seed: number
  readonly #dir = mkdtempSync(join(BASE, 'gatehouse-simulation-'))
  readonly #clock = new ManualClock(Date.UTC(2026, 2, 28, 20))
  readonly #site = Site.load(SITE, join(this.#dir, 'site.yaml'))
  readonly #told: string[] = []
  readonly #watch = new Watch()
  readonly #queue: IncomingEvent[] = []
  readonly #sent: IncomingEvent[] = []
  readonly #people: People
  #calls: Call[] = []
  #life = this.#born()
  #refused = 0
  #crashes = 0
  #asked = 0
  #offers = 0
  #ids = 0

  constructor(seed: number) {
    this.#seed = seed
    this.#chance = new Chance(seed)
    this.#people = new People({
      chance: this.#chance,
      watch: this.#watch,
      box: () => this.#life,
      now: () => this.#clock.now(),
      note: (...words) => this.#note(...words),
      stir: () => void this.#offers++,
    })
  }

  clear(): void {
    rmSync(this.#dir, { recursive: true, force: true })
  }

  async tell(): Promise<Story> {
    const { faults } = this.#watch
    await this.#start()
    for (let n = 0; n < WORKFLOWS; n++) await this.#save(n)
    for (let n = 0; n < MOVES_OF_STORY && !faults.length; n++) {
      await this.#happen()
      // Now and then the next thing happens while the box is still at the last.
      await (this.#chance.percent(20) ? this.#turns(this.#chance.below(4)) : this.#quiet())
      if (!this.#life.over) this.#watch.look(this.#life.store, this.#clock.now())
    }
    if (!faults.length) await this.#end()
    const { runs, unknown, moves, settlements, releases, calls } = this.#watch
    const counts = {
      workflows: this.#watch.workflows.size,
      refused: this.#refused,
      runs,
      unknown,
      moves,
      settled: settlements,
      releases,
      calls,
      crashes: this.#crashes,
    }
    this.#life.crash()
    return { seed: this.#seed, faults, told: this.#told, counts }
  }

  #born(): Life {
    this.#calls = []
    return new Life(this.#dir, this.#clock, this.#site, call => {
      this.#asked++
      this.#calls.push(call)
      this.#watch.asked(call, this.#life.store)
    })
  }

  async #start(): Promise<void> {
    this.#life.store.start()
    const started = this.#life.engine.start()
    await this.#quiet()
    await started
  }

  async #save(n: number): Promise<void> {
    for (;;) {
      const workflow = randomWorkflow(this.#chance, `w${n}`)
      const saved = await this.#life.engine.save(print(workflow))
      if (!saved.ok) {
        this.#refused++
        continue
      }
      const state = this.#chance.percent(85) ? 'on' : 'test'
      await this.#life.engine.setState(saved.workflow.id, state)
      this.#watch.workflows.set(saved.workflow.id, workflow)
      return
    }
  }

  /** One thing happens. */
  async #happen(): Promise<void> {
    const chance = this.#chance
    const dice = chance.below(100)
    if (dice < 28) this.#event()
    else if (dice < 33) this.#people.reply()
    else if (dice < 68 && this.#calls.length)
      this.#answer(this.#calls.splice(chance.below(this.#calls.length), 1)[0])
    else if (dice < 81)
      this.#advance(chance.of([50, 500, 1_000, 5_000, 5_000, 20_000, 61_000, 150_000, 900_000]))
    else if (dice < 86) await this.#crash(chance.of([0, 0, 500, 30_000, 90_000, 700_000]))
    else if (dice < 89) this.#people.stop()
    else if (dice < 91) this.#people.switch()
    else if (dice < 94) this.#people.settle()
    else if (dice < 96) this.#people.pause()
    else if (dice < 99) this.#people.release()
    else this.#people.snooze()
  }

  #note(...words: unknown[]): void {
    this.#told.push(words.map(word => (typeof word === 'string' ? word : JSON.stringify(word))).join(' '))
  }

  #advance(ms: number): void {
    this.#note('time', ms)
    this.#clock.advance(ms)
  }

  /** Events come late, twice, and in another order than they were seen in. */
  #event(): void {
    const chance = this.#chance
    this.#queue.push(this.#newEvent())
    if (this.#sent.length && chance.percent(25)) this.#queue.push(chance.of(this.#sent.slice(-8)))
    if (chance.percent(30)) return
    for (let n = chance.below(3) + 1; n > 0 && this.#queue.length; n--) {
      const event = this.#queue.splice(chance.below(this.#queue.length), 1)[0]
      if (event) this.#offer(event)
    }
  }

  #newEvent(): IncomingEvent {
    const chance = this.#chance
    const target = chance.of([...this.#watch.workflows.entries()])
    const { kind } = target[1].when
    const direct = kind === 'button' || kind === 'webhook' || kind === 'message'
    const plate = chance.of(['B-AB 123', 'M XY 9', 'X-YZ 9'])
    return {
      kind: direct ? kind : 'event',
      id: `evt_${++this.#ids}`,
      at: this.#clock.now() - (chance.percent(10) ? 400_000 : chance.of([0, 0, 1_000, 30_000])),
      cameraId: direct ? null : chance.of(['gate', 'yard']),
      schema: direct ? null : 'plate.recognized.v1',
      source: direct ? null : 'plates',
      severity: null,
      payload: direct
        ? kind === 'message'
          ? { message: `{from} p${this.#ids}`, from: chance.of(['Bo', '{message}']) }
          : { parcel: `p${this.#ids}` }
        : { plate_text: plate, confidence: chance.of([0.97, 0.97, 0.5]) },
      correlationId: null,
      chain: !direct && chance.percent(10) ? ['other'] : [],
      by: kind === 'button' && chance.percent(80) ? { by: 'session', name: 'Ann' } : null,
      workflowId: direct ? target[0] : null,
      pictures: [],
    }
  }

  #offer(event: IncomingEvent): void {
    this.#note('event', event.id)
    this.#sent.push(event)
    this.#offers++
    this.#life.engine.submit(event).then(
      admissions => {
        this.#offers++
        for (const { run, reason } of admissions) {
          this.#note('answered', event.id, run ?? reason?.code ?? '')
          if (run !== null) this.#watch.acknowledged.add(run)
        }
      },
      error => this.#note('refused', event.id, String(error)),
    )
  }

  #answer(call: Call | undefined): void {
    if (!call) return
    const chance = this.#chance
    const { answer, kind, id } = call
    this.#note('answer', kind, call.to, id)
    if (kind === 'mode') {
      this.#watch.arrived(call)
      answer.resolve(undefined)
    } else if (kind === 'chat') {
      const how = chance.below(12)
      if (how === 0) answer.reject(new LanguageError('down', 'the model is gone'))
      else
        answer.resolve({
          text: how === 1 ? 'well…' : this.#said(call.json),
          tokensIn: 9,
          tokensOut: 3,
          ms: 1,
        })
    } else if (kind === 'call') {
      const how = chance.below(8)
      if (how === 0) answer.reject(new Error('the line is broken'))
      else if (how < 3) answer.resolve({ outcome: how === 1 ? null : 'something else' })
      else
        answer.resolve({
          outcome: chance.of(call.options),
          answeredBy: 'Ann',
          reason: '{plate}',
          fields: { code: chance.of(['7', '{plate}', 7]) },
        })
    } else if (kind === 'look') {
      const how = chance.below(10)
      if (how === 0) answer.reject(new Error('the eyes are gone'))
      else if (how < 3) answer.resolve(decision({}))
      else
        answer.resolve(
          decision({
            decision: chance.of(call.options),
            reason: chance.of(['a van', '{plate}']),
            confidence: 0.9,
          }),
        )
    } else {
      const how = chance.below(10)
      if (how === 0) {
        answer.reject(new GatehouseError('destination_unreachable', 'nobody is there'))
        return
      }
      this.#watch.arrived(call)
      if (how === 1) answer.reject(new GatehouseError('destination_unanswered', 'no answer'))
      else answer.resolve({ status: how === 2 ? 500 : how === 3 ? 400 : 200, body: 'ok' })
    }
  }

  /** What a model says that is held to a form: a decision, a call of a tool, or that it has done. */
  #said(schema: unknown): string {
    const chance = this.#chance
    const { properties } = schema as { properties?: { decision?: { enum: string[] } } }
    if (properties?.decision)
      return JSON.stringify({
        reason: 'a van',
        self_reported: 1,
        decision: chance.of(properties.decision.enum),
      })
    return JSON.stringify(
      chance.of([
        { tool: 'finish', args: {} },
        { tool: 'recent_plates', args: {} },
        { tool: 'recent_plates', args: { minutes: 5 } },
        { tool: 'ask_person', args: { question: 'Who?', replies: ['Let in', 'Refuse'] } },
        { tool: 'open_gate', args: {} },
      ]),
    )
  }

  async #crash(downMs: number): Promise<void> {
    this.#note('crash', downMs)
    this.#crashes++
    // What was on its way may have arrived, and nobody hears the answer.
    for (const call of this.#calls)
      if (call.kind === 'send' && this.#chance.percent(50)) this.#watch.arrived(call)
    this.#life.crash()
    this.#clock.advance(downMs)
    this.#life = this.#born()
    await this.#start()
    this.#watch.reborn(this.#life.store, this.#life.engine.holds.paused)
  }

  /** Everything is answered, all time that is waited for passes; then nothing may be left open. */
  async #end(): Promise<void> {
    const { store, engine } = this.#life
    for (const [id, { when }] of this.#watch.workflows)
      if (when.kind === 'schedule') await engine.setState(id, 'off')
    for (let n = 0; n < 400 && !this.#watch.faults.length; n++) {
      await this.#quiet()
      this.#watch.look(store, this.#clock.now())
      if (this.#calls.length) this.#answer(this.#calls.shift())
      else if (this.#watch.open(store)) this.#advance(30_000)
      else return this.#watch.end(store)
    }
    if (!this.#watch.faults.length) this.#watch.faults.push('it never came to rest')
  }

  async #turns(n: number): Promise<void> {
    for (let i = 0; i < n; i++) await new Promise<void>(resolve => setImmediate(resolve))
  }

  /** Lets the box do all that it can do without the world and without time. */
  async #quiet(): Promise<void> {
    let before = ''
    for (let same = 0; same < 3; ) {
      await this.#turns(1)
      const { jobs, commits } = this.#life.store.counts
      const now = `${jobs} ${commits} ${this.#asked} ${this.#offers}`
      same = now === before ? same + 1 : 0
      before = now
    }
  }
}
