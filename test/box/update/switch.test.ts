import { existsSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Machine, ServiceView } from '../../../src/box/update/machine.ts'
import { type Last, type Underway, UpdateState } from '../../../src/box/update/status.ts'
import { Switch } from '../../../src/box/update/switch.ts'
import type { Clock } from '../../../src/core/index.ts'
import { folder } from '../../cli/gatehouse.ts'

const OLD = '1.0.0-linux-x64'
const NEW = '1.1.0-linux-x64'

/** Its power is gone. */
class Plug extends Error {}

/** Time passes as soon as somebody waits. */
class Quick implements Clock {
  #now = 0
  now = () => this.#now
  after(ms: number, callback: () => void) {
    this.#now += ms
    setImmediate(callback)
    return () => undefined
  }
}

let dir: string
beforeEach(() => {
  dir = folder()
  for (const name of [OLD, NEW]) mkdirSync(join(dir, 'releases', name), { recursive: true })
  for (const link of ['current', 'updater']) symlinkSync(`releases/${OLD}`, join(dir, link))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const current = () => readlinkSync(join(dir, 'current')).replace('releases/', '')

/** A machine with one database, whose power may fail at the n-th thing that is done to it. */
class Box implements Machine {
  readonly done: string[] = []
  database = 'before'
  kept: string | null = null
  /** How a release does. */
  readonly does: (name: string) => 'well' | 'crashes' | 'hangs' | 'dies later'
  readonly #plugAt: number
  #runs: string | null = OLD
  #pid = 1
  #restarts = 0
  #looks = 0

  constructor(does: Box['does'], plugAt = Number.POSITIVE_INFINITY) {
    this.does = does
    this.#plugAt = plugAt
  }

  /** Its power is gone. */
  cut = false

  #do(what: string): void {
    this.cut ||= this.done.length >= this.#plugAt
    if (this.cut) throw new Plug(what)
    this.done.push(what)
  }

  /** Power is back: systemd starts what `current` is. */
  boot(): void {
    this.#begin()
  }

  #begin(): void {
    this.#runs = current()
    this.#pid++
    this.#restarts = 0
    this.#looks = 0
    if (this.#runs === NEW && this.does(NEW) !== 'crashes') this.database = `${this.database} new`
  }

  async view(): Promise<ServiceView> {
    this.#looks++
    const does = this.#runs === null ? null : this.does(this.#runs)
    if (does === null) return { state: 'inactive', pid: 0, restarts: 0 }
    if (does === 'crashes') return { state: 'activating', pid: 0, restarts: this.#restarts++ }
    if (does === 'hangs') return { state: 'activating', pid: this.#pid, restarts: 0 }
    if (does === 'dies later' && this.#looks === 20) this.#pid++
    return { state: 'active', pid: this.#pid, restarts: 0 }
  }
  async stop() {
    this.#do('stop')
    this.#runs = null
  }
  async start() {
    this.#do('start')
    this.#begin()
  }
  async ready() {
    return 'ready' as const
  }
  async install(from: string) {
    this.#do('install')
    rmSync(join(dir, 'current'))
    symlinkSync(`releases/${from.split('/').at(-1)}`, join(dir, 'current'))
  }
  keep = async () => {
    this.#do('keep')
    this.kept = this.database
    return { at: 1, seen: this.database }
  }
  putBack = async () => {
    this.#do('put back')
    const restored = this.database !== this.kept
    this.database = this.kept ?? ''
    return { restored }
  }
}

/** Nothing is written any more once the power is gone. */
class Disk extends UpdateState {
  readonly #box: Box
  constructor(box: Box) {
    super(dir)
    this.#box = box
  }
  override keep(underway: Underway) {
    if (!this.#box.cut) super.keep(underway)
  }
  override end(last: Last) {
    if (this.#box.cut) throw new Plug('end')
    super.end(last)
  }
}

const begun: Underway = {
  ...{ id: 'u1', from: OLD, to: NEW, phase: 'switching', tries: 0, kept: null },
  ...{ wellMs: 60_000, wasReady: true, why: null, asked: false },
}
const switchOf = (box: Box) => {
  const state = new Disk(box)
  const { keep, putBack } = box
  return new Switch({
    ...{ opt: dir, state, machine: box, keep, putBack, clock: new Quick() },
    say: () => undefined,
  })
}

describe('an update', () => {
  it('that is well stays, and makes the next one', async () => {
    const box = new Box(() => 'well')
    expect(await switchOf(box).run(begun)).toMatchObject({ outcome: 'done', why: null })
    expect([current(), readlinkSync(join(dir, 'updater'))]).toEqual([NEW, `releases/${NEW}`])
    expect(box.database).toBe('before new')
    const { underway, last } = new UpdateState(dir).status
    expect([underway, last?.outcome, new UpdateState(dir).underway]).toEqual([null, 'done', null])
  })

  it.each([
    ['crashes', /ended 2 times before it was ready/],
    ['hangs', /not ready in 90 seconds/],
    ['dies later', /ended \d+ seconds after it was ready/],
  ] as const)('that %s is taken back, with the database, and is gone', async (does, why) => {
    const box = new Box(name => (name === NEW ? does : 'well'))
    const last = await switchOf(box).run(begun)
    expect(last).toMatchObject({ outcome: 'rolled_back', why: expect.stringMatching(why) })
    expect([current(), box.database]).toEqual([OLD, 'before'])
    expect(existsSync(join(dir, 'releases', NEW))).toBe(false)
    expect(readlinkSync(join(dir, 'updater'))).toBe(`releases/${OLD}`)
  })

  /** Whatever is done last before the power fails: each of its steps. */
  it.each(
    (['well', 'crashes'] as const).flatMap(does => Array.from({ length: 8 }, (_, at) => [does, at] as const)),
  )('of a release that is %s, cut off at step %i, comes to its end all the same', async (does, at) => {
    const box = new Box(name => (name === NEW ? does : 'well'), at)
    const whole = await switchOf(box)
      .run(begun)
      .catch(error => {
        if (!(error instanceof Plug)) throw error
        return null
      })
    const after = new Box(name => (name === NEW ? does : 'well'))
    Object.assign(after, { database: box.database, kept: box.kept })
    after.boot()
    const { underway } = new UpdateState(dir)
    expect(whole === null).toBe(underway !== null)
    const last = whole ?? (underway && (await switchOf(after).run(underway)))
    expect(last?.outcome).toBe(does === 'well' ? 'done' : 'rolled_back')
    expect(current()).toBe(does === 'well' ? NEW : OLD)
    if (does === 'crashes') expect(after.database).toBe('before')
    expect(new UpdateState(dir).underway).toBeNull()
  })

  it('that is cut off again and again is taken back', async () => {
    const box = new Box(() => 'well')
    expect(await switchOf(box).run({ ...begun, phase: 'watching', tries: 3 })).toMatchObject({
      outcome: 'rolled_back',
    })
  })

  it('is not begun by half a file', () => {
    writeFileSync(join(dir, 'underway.json'), '{"id": "u')
    expect(new UpdateState(dir).underway).toBeNull()
  })
})
