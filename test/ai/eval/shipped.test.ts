/** The cases that come with the program: whole, distinct, balanced, and each of them can be solved. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  checkDistinct,
  type EvalCase,
  isLeftOut,
  playOf,
  RecordedModel,
  readCases,
  runDraftCase,
  runInvestigateCase,
  runLookCase,
  type Suite,
} from '../../../src/ai/eval/index.ts'
import { resources } from '../../../src/box/resources.ts'
import { fewestRight, ManualClock } from '../../../src/core/index.ts'

const { models, templates } = resources()
const folder = join(models, 'eval')
const filesOf = (suite: Suite) => readdirSync(join(folder, suite)).sort()
const read = (suite: Suite, file: string) =>
  readCases(readFileSync(join(folder, suite, file), 'utf8'), `${suite}/${file}`)
const all: EvalCase[] = (['look', 'investigate', 'draft'] as const).flatMap(suite =>
  filesOf(suite).flatMap(file => read(suite, file)),
)
const of = <S extends Suite>(suite: S) =>
  all.filter((one): one is Extract<EvalCase, { suite: S }> => one.suite === suite)

const clock = new ManualClock(1_800_000_000_000)
const now = () => clock.now()

test('no two cases have one name or ask the same', () => {
  expect(() => checkDistinct(all)).not.toThrow()
})

describe.each(['look', 'investigate', 'draft'] as const)('%s', suite => {
  const own = of(suite)
  test('there are enough for the gate, half of them held out', () => {
    expect(own.length).toBeGreaterThanOrEqual(40)
    const held = own.filter(({ split }) => split === 'held_out').length
    expect(held * 2).toBe(own.length)
    expect(fewestRight(held, 0.8)).not.toBeNull()
  })
  test('each file holds its own suite only, and both splits', () => {
    for (const file of filesOf(suite)) {
      const found = read(suite, file)
      expect([file, [...new Set(found.map(each => each.suite))]]).toEqual([file, [suite]])
      expect([file, new Set(found.map(({ split }) => split)).size]).toEqual([file, 2])
    }
  })
  test('no decision is right so often that guessing it would pass', () => {
    const first = own.filter(
      one => one.suite !== 'draft' && [one.expect.decision].flat().includes(one.decision[0] ?? ''),
    ).length
    expect(first / own.length).toBeLessThan(0.65)
  })
})

test('the traps that sites know are there, seen and held out', () => {
  const traps = new Set(all.flatMap(({ trap }) => trap ?? []))
  for (const trap of [
    ...['sign_orders', 'plate_orders', 'placeholders', 'expected_person', 'camera_down', 'old_picture'],
    ...['contradiction', 'posing', 'list_orders', 'near_plate', 'move_by_ai'],
  ])
    expect(traps).toContain(trap)
  const held = all.filter(({ trap, split }) => trap !== undefined && split === 'held_out')
  expect(held.length).toBeGreaterThanOrEqual(10)
})

test('pictures are samples of the program', () => {
  const pictures = of('look').flatMap(({ picture }) => picture ?? [])
  expect(pictures.length).toBeGreaterThan(10)
  for (const picture of pictures)
    expect([picture, existsSync(join(templates, 'cases/pictures', picture))]).toEqual([picture, true])
})

test.each(of('investigate').map(one => [one.id, one] as const))(
  '%s can be solved with what was recorded, and not without the decision',
  async (_, one) => {
    const run = (answers: ReturnType<typeof playOf>) =>
      runInvestigateCase(one, {
        language: new RecordedModel(answers),
        // Those of a box without a graphics processor.
        limits: { toolCalls: 4, ms: 120_000, modelCalls: 8, tokens: 40_000 },
        now,
        after: (ms, callback) => clock.after(ms, callback),
      })
    const play = playOf(one)
    expect(await run(play)).toMatchObject({ right: true, wrong: [], limits: [], tools: { missing: [] } })
    const other = [...one.decision, 'unsure'].find(each => ![one.expect.decision].flat().includes(each))
    const last = play.at(-1)
    const wrong = typeof last === 'object' ? { ...last, decision: other } : last
    expect(await run([...play.slice(0, -1), wrong ?? ''])).toMatchObject({ right: false })
  },
)

test.each(
  of('look')
    .filter(({ picture }) => picture === undefined)
    .map(one => [one.id, one] as const),
)('%s can be solved with what was recorded', async (_, one) => {
  const came = await runLookCase(one, {
    language: new RecordedModel(playOf(one)),
    eyes: null,
    picture: () => Promise.reject(new Error('there is none')),
    now,
    timeoutMs: 1000,
  })
  expect(isLeftOut(came)).toBe(false)
  expect(came).toMatchObject({ right: true, wrong: [] })
})

test.each(of('draft').map(one => [one.id, one] as const))(
  '%s expects a workflow that is valid',
  async (_, one) => {
    const draft = (yaml: string) =>
      runDraftCase(one, { now, draft: async () => ({ yaml, modelCalls: 1, tokensIn: 0, tokensOut: 0 }) })
    expect(await draft(one.workflow)).toMatchObject({ right: true, wrong: [] })
    const nothing =
      'contract: workflow.v1\nname: Nothing\nwhen: { schedule: { every: 17h } }\nthen: [ log: x ]\n'
    expect(await draft(nothing)).toMatchObject({ right: false })
  },
)
