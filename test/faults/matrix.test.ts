import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registry } from '../../src/contract/index.ts'
import { missing } from '../../src/kinds/index.ts'
import { commitSites } from './commit-sites.ts'
import { faultsOf, type Sight } from './judge.ts'
import { type Calm, type Cell, calmly, strikeAll } from './matrix.ts'
import { World } from './world.ts'

const world = new World()
let calm: Calm[] = []
let cells: Cell[] = []

beforeAll(async () => {
  calm = await calmly(world, 'freeze')
  cells = await strikeAll(world, calm, { blow: 'freeze', together: 32, parallel: 2 })
}, 900_000)
afterAll(() => world.stop())

/** Kinds of steps that this version carries out and that no scenario runs. */
function uncovered(ran: ReadonlySet<string>): string[] {
  const { steps, actions } = registry()
  const gone = { ...missing.steps, ...missing.actions }
  return [...steps, ...actions]
    .map(({ kind }) => kind)
    .filter(kind => !Object.hasOwn(gone, kind) && !ran.has(kind))
}

/**
 * Places that no scenario comes to. Each is one commit, with nothing outside of the box before or after it and an
 * answer only once it is on the disk: killed there, all of it is done or nothing.
 */
const ALONE: Readonly<Record<string, string>> = {
  'engine/workflows.ts': 'a file, a state or a reason to stand still is saved',
  'engine/presses.ts #begin': 'a press whose workflow is Off by now is forgotten',
  'engine/holds.ts #letGo': 'at a start after a pause that had ended',
  'engine/holds.ts #snooze': 'a snooze is noted',
  'engine/schedules.ts': 'the row of a schedule follows its file; a missed time is one row',
  'engine/end-early.ts': 'a run that this program does not understand ends',
  'engine/restored.ts':
    'an older state is told of and its promises are dropped; killed before, the next start does it',
  'engine/clock-leap.ts':
    'what is due moves with the clock; killed before, the clock is as wrong at the next start',
  'engine/runs.ts halt': 'that a run at work is to stop; its end is a commit like any other',
  'engine/steps/held.ts firstWord': 'a held move that nobody decided on ends',
  'engine/notices.ts': 'the box says something of itself',
  'engine/learn/learning.ts mark': 'a mark',
  'engine/learn/case-set.ts': 'a case is made, tried or taken away',
  'engine/keep/': 'what is old goes, the rows before the files; free room goes back to the disk',
  'engine/sight.ts forget': 'since when somebody was missed is forgotten',
  'engine/calls.ts start': 'calls that a kill cut off come to nothing, at the next start',
  'engine/steps/investigate.ts': 'what a model and a tool said is noted as it goes; a kill begins it again',
  'site/site-rules.ts': 'a version of the site rules',
}

const alone = (where: string) => Object.keys(ALONE).some(each => where.startsWith(each))

describe('a box that is killed at any place', () => {
  test('every kind of step is run by a scenario', () => {
    const ran = new Set(calm.flatMap(({ sight }) => sight.steps.map(step => String(step.kind))))
    expect(uncovered(ran)).toEqual([])
    for (const kind of ran) expect(uncovered(new Set([...ran].filter(each => each !== kind)))).toEqual([kind])
  })

  test('every scenario ends by itself, and passes commits and effects', () => {
    for (const { scenario, passed, sight } of calm) {
      expect(sight.runs.length, scenario.name).toBeGreaterThan(0)
      expect(faultsOf(sight, sight, sight), scenario.name).toEqual([])
      expect(passed.filter(({ point }) => point === 'commit before').length, scenario.name).toBeGreaterThan(0)
    }
    const places = new Set(calm.flatMap(({ passed }) => passed.map(({ point }) => point)))
    expect([...places]).toEqual(
      expect.arrayContaining([
        'commit before',
        'commit after',
        'outgoing.send before',
        'outgoing.send after',
      ]),
    )
  })

  test('every place in the code that commits was come to, or there is a reason why not', () => {
    const hit = new Set(calm.flatMap(({ committed }) => committed))
    const open = commitSites().filter(({ line }) => !hit.has(line))
    expect(open.filter(({ where }) => !alone(where)).map(({ where, line }) => `${where} (${line})`)).toEqual(
      [],
    )
    for (const where of Object.keys(ALONE))
      expect(
        open.map(each => each.where).filter(each => each.startsWith(where)),
        where,
      ).not.toEqual([])
  })

  test('every place was struck', () => {
    expect(cells.length).toBeGreaterThan(100)
    expect(cells.filter(({ struck }) => !struck)).toEqual([])
  })

  test('everything finishes once or is unknown, moves at most once, tells under one id', () => {
    expect(cells.filter(({ faults }) => faults.length)).toEqual([])
  })

  test('a judge that sees nothing would be no judge', () => {
    const { sight } = calm.find(({ scenario }) => scenario.name === 'moves between tells') as Calm
    const spoilt = (patch: Partial<Sight>) => faultsOf(sight, sight, { ...sight, ...patch }).length
    const [request] = sight.requests
    const move = sight.requests.find(({ to }) => to === 'barrier')
    if (!request || !move) throw new Error('the scenario sent nothing')
    expect(spoilt({ requests: [...sight.requests, request] })).toBeGreaterThan(0)
    expect(spoilt({ requests: [...sight.requests, { ...move, id: 'box-9-9' }] })).toBeGreaterThan(0)
    expect(spoilt({ requests: [...sight.requests, { ...request, id: 'box-9-9' }] })).toBeGreaterThan(0)
    expect(spoilt({ runs: [...sight.runs, ...sight.runs] })).toBeGreaterThan(0)
    expect(spoilt({ runs: sight.runs.map(run => ({ ...run, ended_at: null })) })).toBeGreaterThan(0)
    expect(spoilt({ runs: sight.runs.map(run => ({ ...run, status: 'failed' })) })).toBeGreaterThan(0)
    expect(spoilt({ steps: [...sight.steps, ...sight.steps] })).toBeGreaterThan(0)
    expect(spoilt({ steps: sight.steps.map(step => ({ ...step, ended_at: 1 })) })).toBeGreaterThan(0)
    expect(spoilt({ intents: sight.intents.map(intent => ({ ...intent, ended_at: null })) })).toBeGreaterThan(
      0,
    )
    expect(spoilt({ due: [{ id: 1 }] })).toBeGreaterThan(0)
    const { sight: called } = calm.find(({ scenario }) => scenario.called === 'line') as Calm
    const again = { ...called, requests: called.requests.flatMap(each => [each, each]) }
    expect(faultsOf(called, called, again).join()).toContain('called twice')
    const lost = called.steps.map(step =>
      step.kind === 'call' ? { ...step, outcome: 'no_answer', result: '{"code":"interrupted"}' } : step,
    )
    expect(faultsOf(called, called, { ...called, steps: lost }).join()).toContain('that was lost')
  })
})
