/**
 * A process of several boxes: `bun child.ts PLAN`. It lets each do its scenario, and prints what each passed. It
 * ends by being killed, and in no other way: frozen boxes do nothing any more.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, type IncomingEvent, ManualClock } from '../../src/core/index.ts'
import type { Engine } from '../../src/engine/index.ts'
import type { Voice, World } from '../../src/kinds/index.ts'
import type { Store } from '../../src/store/index.ts'
import { bare, toThisMachine } from '../fixtures/bare.ts'
import { type Blow, Points, type Strike, StruckStore } from './points.ts'
import { looked, modelOf, type Scenario, SITE, scenarios } from './scenarios.ts'

export interface Plan {
  /** Of the recording server. */
  port: number
  blow: Blow
  /** `now`: the box's time when it starts (epoch ms). */
  boxes: { dir: string; scenario: string; strike: Strike | null; now: number }[]
}

export interface Report {
  boxes: { passed: Strike[]; committed: string[]; struck: boolean }[]
}

/** A box's time goes on by so much for every turn of the process in which it waits for nobody outside. */
const STEP_MS = 100
const TURN_MS = 4
const ANN = { by: 'session', name: 'Ann' }
const PATIENCE_MS = 60_000

/**
 * A box's time: faster than the world's, so that waits and retries are short, and standing still while a port is
 * being called: on a busy machine nothing may come late by that alone.
 */
function steppingClock(now: number, points: Points): Clock {
  const clock = new ManualClock(now)
  setInterval(() => {
    if (points.calling === 0) clock.advance(STEP_MS)
  }, TURN_MS)
  return clock
}

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Plan

async function box({
  dir,
  scenario: name,
  strike,
  now,
}: Plan['boxes'][number]): Promise<Report['boxes'][number]> {
  const scenario = scenarios.find(each => each.name === name)
  if (!scenario) throw new Error(`no scenario ${name}`)
  const points = new Points(dir, strike, plan.blow)
  const struck = points.struck.promise.then(() => true)
  const done = await Promise.race([play(scenario, dir, points, steppingClock(now, points)), struck])
  return { passed: points.passed, committed: [...points.committed], struck: done === true && points.frozen }
}

/** Resolves when everything that the scenario began has ended. */
async function play(scenario: Scenario, dir: string, points: Points, clock: Clock): Promise<void> {
  const tag = dir.split('/').at(-1) ?? ''
  const { store, engine } = await bare(dir, SITE(`http://127.0.0.1:${plan.port}/${tag}`), {
    clock,
    store: new StruckStore({ dir, clock }, points),
    look: async spec => looked(scenario, spec.prompt),
    language: () => ({ named: true, model: modelOf(scenario) }),
    cameras: {
      snapshot: async source => ({
        bytes: new Uint8Array(Buffer.from(source)),
        takenAt: clock.now(),
        source,
      }),
    },
    outgoing: site => toThisMachine(dir, () => site),
    world: {
      ...worldAt(`http://127.0.0.1:${plan.port}/${tag}`, dir),
      voice: voiceAt(`http://127.0.0.1:${plan.port}/${tag}/${scenario.called}`),
    },
    around: deps => points.around(deps),
  })
  let [workflow] = engine.workflows()
  if (!workflow) {
    const saved = await engine.save(headed('Struck', scenario.file))
    if (!saved.ok) throw new Error(`${scenario.name}: ${JSON.stringify(saved.problems)}`)
    const test = scenario.file.includes('state: test')
    workflow = await engine.setState(saved.workflow.id, test ? 'test' : 'on')
  }
  const other = scenario.also && !engine.workflows()[1] && (await engine.save(headed('Other', scenario.also)))
  if (other && !other.ok) throw new Error(`${scenario.name}: ${JSON.stringify(other.problems)}`)
  points.arm()
  if (scenario.paused && !engine.runs({ limit: 1 }).length) await engine.holds.pause(true, ANN)
  for (const [n, event] of scenario.events.entries()) {
    // Whoever got no answer sends it again, under the same id.
    const [admission] = await engine.submit(eventOf(event, n, workflow.id, clock))
    const answer = admission?.run ?? admission?.reason?.code ?? 'none'
    appendFileSync(join(dir, 'acks.log'), `${n} ${answer}\n`)
  }
  // Somebody else may have been first: before the blow.
  const does = async (id: number, status: string) => {
    if (scenario.does === 'stop' && status === 'waiting') await engine.stopRun(id).catch(() => undefined)
    if (scenario.does === 'settle' && status === 'unknown')
      await engine.settle(id, true, ANN.name).catch(() => undefined)
  }
  const late = Date.now() + PATIENCE_MS
  while (isOpen(scenario, engine, store) && Date.now() < late) {
    for (const { id } of scenario.reply ? engine.approvals({ open: true }) : []) {
      await engine.answer(id, scenario.reply ?? '', ANN)
    }
    for (const { run } of engine.holds.view().held) {
      await (scenario.paused === 'release'
        ? engine.holds.release(run, true, ANN)
        : engine.holds.pause(false, ANN))
    }
    for (const { id, status } of scenario.does ? engine.runs({ limit: 50 }) : []) await does(id, status)
    await Bun.sleep(5)
  }
  if (points.frozen) return
  await engine.stop()
  store.stop()
}

/** What is published, services that are called, and what apps are asked to do, reaches the recording server, each as a place of its own. */
function worldAt(url: string, dir: string): World {
  const tell = async (to: string, json: unknown, id: string, signal: AbortSignal) => {
    const headers = { 'webhook-id': id }
    await fetch(`${url}/${to}`, { method: 'POST', headers, body: JSON.stringify(json), signal })
  }
  return {
    broker: {
      lacks: null,
      publish: async ({ to, json, deliveryId, signal }) => tell(to, json, deliveryId, signal),
    },
    recorder: {
      lacks: null,
      clip: async ({ cameraId, ms, deliveryId, signal }) => {
        await tell(`record-${cameraId}`, ms, deliveryId, signal)
        const file = join(dir, `clip-${crypto.randomUUID()}`)
        writeFileSync(file, deliveryId)
        return { file, type: 'video/mp4', source: cameraId, takenAt: 1_700_000_000_000, ms, cut: null }
      },
    },
    turner: {
      lacks: null,
      turn: async ({ cameraId, preset, deliveryId, signal }) =>
        tell(`turn-${cameraId}`, preset, deliveryId, signal),
    },
    apps: {
      lacks: null,
      act: async ({ action, params, deliveryId, signal }) => {
        await tell(action, params, deliveryId, signal)
        return { did: action }
      },
    },
    home: {
      lacks: null,
      call: async ({ service, data, deliveryId, signal }) => {
        await tell(service, data, deliveryId, signal)
        return { changed: [] }
      },
      state: async () => 'on',
    },
  }
}

/** Telephones of the recording server: a call is a request that bears its id. */
function voiceAt(url: string): Voice {
  return {
    lacks: null,
    place: async ({ id }, signal) => {
      const response = await fetch(url, { method: 'POST', headers: { 'webhook-id': id }, signal })
      return (await response.json()) as never
    },
  }
}

function headed(name: string, file: string): string {
  const state = file.includes('state: test') ? '' : 'state: on\n'
  return `contract: workflow.v1\nname: ${name}\n${state}${file}`
}

/** Something is still to be done; that a schedule goes on for ever does not count. */
function isOpen(scenario: Scenario, engine: Engine, store: Store): boolean {
  const { scheduled = 0 } = scenario
  const runs = engine.runs({ limit: 50 })
  if (runs.length < scheduled || runs.some(run => run.ended_at === null)) return true
  if (scenario.does === 'settle' && runs.some(({ status }) => status === 'unknown')) return true
  return store.due.all().some(({ kind }) => kind !== 'schedule')
}

function eventOf(event: Partial<IncomingEvent>, n: number, workflowId: number, clock: Clock): IncomingEvent {
  const addressed = ['button', 'webhook', 'message'].includes(event.kind ?? '')
  return {
    kind: 'event',
    id: `evt_${n}`,
    at: clock.now(),
    cameraId: 'gate',
    schema: 'plate.recognized.v1',
    source: 'plates',
    severity: null,
    payload: {},
    correlationId: null,
    chain: [],
    by: null,
    workflowId: addressed ? workflowId : null,
    pictures: [],
    ...event,
  }
}

if (!existsSync(plan.boxes[0]?.dir ?? '')) throw new Error('the boxes have no folders')
const boxes = await Promise.all(plan.boxes.map(box))
console.log(JSON.stringify({ boxes } satisfies Report))
