import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CameraWatch, SiteCameras } from '../../../src/connect/index.ts'
import { ManualClock, noLog } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { Box } from '../../engine/box.ts'
import { eventually, jpeg, serve } from '../helpers.ts'

const TICK_MS = 5_000

/** Turned by hand; knows how often somebody asked to be woken for the next look. */
class TickClock extends ManualClock {
  ticks = 0
  override after(ms: number, callback: () => void): () => void {
    if (ms === TICK_MS) this.ticks++
    return super.after(ms, callback)
  }
}

const file = (name: string, forHow: string, more = '') => `
contract: workflow.v1
name: ${name}
state: on
limits: { cooldown: 0s }
when: { camera_offline: { for: ${forHow}${more} } }
then: [ log: "{camera} {offline_seconds}" ]`

let box: Box
let clock: TickClock
let watch: CameraWatch
let cameras: SiteCameras
let asked: string[]
let dead: Set<string>
let siteWith: (lists: string) => string

/** The cameras and who watches them, as a start of the box makes them. */
async function watching(): Promise<void> {
  const site = () => box.site
  const secrets = { get: () => null }
  cameras = new SiteCameras({
    site,
    clock,
    log: noLog,
    secrets,
    dataDir: box.dir,
    onPicture: () => undefined,
  })
  const engine = {
    listensFor: () => box.engine.listensFor(),
    submit: box.engine.submit.bind(box.engine),
    standstill: (id: number) => box.engine.workflow(String(id))?.needs_attention ?? null,
  }
  watch = new CameraWatch({ site, cameras, engine, store: box.store, clock, log: noLog })
  await cameras.start()
  await watch.start()
}

/** Time passes, in turns of the watch. */
async function pass(ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += TICK_MS) {
    const before = clock.ticks
    box.clock.advance(TICK_MS)
    await eventually(() => clock.ticks > before)
  }
  await box.quiet()
}

const logs = () =>
  box.store.runs
    .list({ limit: 50 })
    .flatMap(({ id }) => box.engine.run(id)?.steps.map(({ inputs }) => inputs))

beforeEach(async () => {
  asked = []
  dead = new Set()
  const port = serve(request => {
    const id = new URL(request.url).pathname.slice(1)
    asked.push(id)
    return dead.has(id) ? new Response('', { status: 500 }) : new Response(jpeg())
  })
  const camera = (id: string) =>
    `${id}: { roles: [${id}], source: { snapshot: "http://127.0.0.1:${port}/${id}" } }`
  siteWith = lists => `cameras: { ${camera('gate')}, ${camera('yard')}, blind: {} }\n${lists}`
  box = new Box({ site: siteWith('lists: { known: [gate] }') })
  clock = new TickClock(box.clock.now())
  Object.defineProperty(box, 'clock', { value: clock })
  await box.restart()
  await watching()
})
afterEach(async () => {
  await watch.stop()
  await cameras.stop()
  await box.stop()
})

describe('a camera that gives no picture', () => {
  test('is looked at only where a workflow waits for that, and gently', async () => {
    await pass(30_000)
    expect(asked).toEqual([])
    await box.save(file('Gate', '1m', ', cameras: [gate]'))
    await pass(60_000)
    expect(new Set(asked)).toEqual(new Set(['gate']))
    expect(asked.length).toBeLessThanOrEqual(5)
  })

  test('starts each workflow once, when it has lasted as long as that says', async () => {
    await box.save(file('Soon', '30s'))
    await box.save(file('Late', '2m', ', cameras: [gate]'))
    await pass(20_000)
    dead.add('gate')
    await pass(30_000)
    expect(logs()).toEqual([])
    await pass(20_000)
    expect(logs()).toEqual([expect.stringMatching(/^gate 3\d$/)])
    await pass(60_000)
    expect(logs()).toHaveLength(1)
    await pass(40_000)
    expect(logs()).toEqual([expect.stringMatching(/^gate 1[23]\d$/), expect.any(String)])
    await pass(300_000)
    expect(logs()).toHaveLength(2)
  })

  test('that comes back and goes away again is another outage', async () => {
    await box.save(file('Soon', '30s'))
    dead.add('gate')
    await pass(60_000)
    dead.delete('gate')
    await pass(60_000)
    expect(cameras.conditions().get('gate')).toMatchObject({ problem: null, offlineSince: null })
    expect(logs()).toHaveLength(1)
    dead.add('gate')
    await pass(20_000)
    dead.delete('gate')
    await pass(60_000)
    expect(logs()).toHaveLength(1)
    dead.add('gate')
    await pass(60_000)
    expect(logs()).toHaveLength(2)
  })

  test('is the same outage after a restart: heard of once, counted from its beginning', async () => {
    await box.save(file('Soon', '30s'))
    await box.save(file('Late', '10m'))
    dead.add('gate')
    await pass(60_000)
    expect(logs()).toHaveLength(1)
    await watch.stop()
    await cameras.stop()
    await box.restart(8 * 60_000)
    await watching()
    await pass(60_000)
    expect(logs()).toHaveLength(1)
    await pass(60_000)
    expect(logs()).toEqual([expect.stringMatching(/^gate 6[0-3]\d$/), expect.any(String)])
  })

  test('that came back while the box was off is none', async () => {
    await box.save(file('Late', '10m'))
    dead.add('gate')
    await pass(60_000)
    await watch.stop()
    await cameras.stop()
    dead.delete('gate')
    await box.restart(20 * 60_000)
    await watching()
    await pass(60_000)
    expect(logs()).toEqual([])
  })

  test('starts a workflow that stood still meanwhile as soon as it goes on', async () => {
    const whole = box.site
    await box.save(`${file('Soon', '30s')}\nif: [ in_list: { list: known, value: "{camera}" } ]`)
    box.site = Site.load(siteWith(''), 'site.yaml')
    await box.engine.recheck()
    dead.add('gate')
    await pass(90_000)
    expect(logs()).toEqual([])
    box.site = whole
    await box.engine.recheck()
    await pass(10_000)
    expect(logs()).toHaveLength(1)
  })
})
