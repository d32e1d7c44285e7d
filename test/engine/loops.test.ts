import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LookInput } from '../../src/ai/index.ts'
import { Site } from '../../src/site/index.ts'
import { Box, decision, picture } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const head = `
contract: workflow.v1
name: Rounds
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: { webhook: {} }
`

const look = (at: string, rest = '') => `
          - ai:
              mode: look
              prompt: Is anybody there?
              input: picture
              look_at: "${at}"
              fields: { people: { measure: count, of: person } }
              decision: [clear, somebody]
              ${rest}
              clear: []
              somebody: [ log: "somebody at {item}" ]
              unsure: [ log: "unsure at {item}" ]
`

/** What each step was given, with the item it was about. */
const lines = (run: Awaited<ReturnType<Box['run']>>) =>
  run.steps.filter(({ kind }) => kind === 'log').map(({ item, inputs }) => [item, inputs])

describe('a loop over a list', () => {
  const yaml = `${head}
then:
  - for_each:
      list: residents
      do:
        - log: "see {item}"
        - if: [ value: { of: item, is: "m xy 9" } ]
          then: [ log: "known {item}" ]
  - log: after
`

  test('runs its steps for each entry, and its row says how many there were', async () => {
    const run = await box.run(box.hook(await box.save(yaml)))
    expect(run.status).toBe('done')
    expect(lines(run)).toEqual([
      ['B-AB 123', 'see B-AB 123'],
      ['m xy 9', 'see m xy 9'],
      ['m xy 9', 'known m xy 9'],
      [null, 'after'],
    ])
    expect(run.steps[0]).toMatchObject({
      kind: 'for_each',
      status: 'done',
      item: null,
      inputs: { as: 'item', items: ['B-AB 123', 'm xy 9'] },
      result: { done: 2, skipped: 0 },
    })
    expect(run.values).not.toHaveProperty('item')
  })

  test('counts what lies beyond max, and passes an empty list by', async () => {
    const id = await box.save(yaml.replace('list: residents', 'list: residents\n      max: 1'))
    const run = await box.run(box.hook(id))
    expect(lines(run)).toEqual([
      ['B-AB 123', 'see B-AB 123'],
      [null, 'after'],
    ])
    expect(run.steps[0]?.result).toEqual({ done: 1, skipped: 1 })
    const none = yaml.replace('residents', 'nobody').replace('Rounds', 'None')
    box.site = withList('nobody', [])
    const empty = await box.run(box.hook(await box.save(none)))
    expect(empty.steps.map(({ kind, status }) => [kind, status])).toEqual([
      ['for_each', 'done'],
      ['log', 'done'],
    ])
  })

  test('what ends a path inside ends the loop too, and always runs', async () => {
    const id = await box.save(`${head.replace('webhook: {}', 'schedule: { every: 1h }')}
then:
  - for_each:
      list: residents
      do:
        - webhook: { to: barrier, json: "{item}" }
  - log: never
always:
  - log: end
`)
    box.answer = () => 400
    box.clock.advance(3_600_000)
    const run = await box.until(1, 'failed')
    expect(run.workflow.id).toBe(id)
    expect(run.steps.map(({ kind, item, status }) => [kind, item, status])).toEqual([
      ['for_each', null, 'failed'],
      ['webhook', 'B-AB 123', 'failed'],
      ['log', null, 'done'],
    ])
    expect(run.steps[0]?.result).toMatchObject({ done: 0, skipped: 0 })
    expect(box.sent).toHaveLength(1)
  })

  test('loops inside of loops say both items', async () => {
    const id = await box.save(`${head}
then:
  - for_each:
      cameras: [yard, gate]
      as: place
      do:
        - for_each: { list: residents, do: [ log: "{item} at {place}" ] }
        - log: "{place} done"
`)
    expect(lines(await box.run(box.hook(id)))).toEqual([
      ['yard-1 / B-AB 123', 'B-AB 123 at yard-1'],
      ['yard-1 / m xy 9', 'm xy 9 at yard-1'],
      ['yard-1', 'yard-1 done'],
      ['yard-2 / B-AB 123', 'B-AB 123 at yard-2'],
      ['yard-2 / m xy 9', 'm xy 9 at yard-2'],
      ['yard-2', 'yard-2 done'],
      ['gate / B-AB 123', 'B-AB 123 at gate'],
      ['gate / m xy 9', 'm xy 9 at gate'],
      ['gate', 'gate done'],
    ])
  })

  test('a run that would never come to an end is ended', async () => {
    box.site = withList(
      'many',
      Array.from({ length: 100 }, (_, i) => `n${i}`),
    )
    const loop = (as: string, inner: string) =>
      `[ for_each: { list: many, max: 100, as: ${as}, do: ${inner} } ]`
    const file = (steps: string) => `${head}\nthen: ${steps}\nalways: [ log: end ]\n`
    const at = await box.save(file(loop('a', loop('b', '[ log: "{a} {b}" ]'))).replace('Rounds', 'At a loop'))
    expect((await box.run(box.hook(at))).error).toContain('at most 10000 steps')
    const id = await box.save(file(loop('a', loop('b', loop('c', '[ log: "{a} {b} {c}" ]')))))
    const run = await box.run(box.hook(id))
    expect(run.status).toBe('failed')
    expect(run.error).toContain('at most 10000 steps')
    expect(run.steps.at(-1)?.inputs).toBe('end')
    expect(run.steps.filter(({ kind, status }) => kind === 'for_each' && status === 'running')).toEqual([])
  }, 20_000)
})

describe('a loop over cameras', () => {
  test('looks at each camera of a role group, and collects what was seen', async () => {
    const asked: string[] = []
    box.snapshot = async cameraId => {
      asked.push(cameraId)
      return picture(cameraId, box.clock.now())
    }
    box.look = async (_spec, input) =>
      text(input) === 'yard-2'
        ? decision({ decision: 'somebody', reason: '1 person', fields: { people: 1 }, confidence: 0.9 })
        : decision({ decision: 'clear', reason: 'no person', fields: { people: 0 }, confidence: 0.9 })
    const id = await box.save(
      `${head}
then:
  - for_each:
      cameras: [yard, gate]
      collect: round
      do:
${look('{item}')}
  - log: "{round}"
`,
      'on',
    )
    const run = await box.run(box.hook(id, {}, 'gate'))
    expect(asked).toEqual(['yard-1', 'yard-2', 'gate'])
    expect(lines(run)).toEqual([
      ['yard-2', 'somebody at yard-2'],
      [
        null,
        'yard-1: clear, no person (people 0)\nyard-2: somebody, 1 person (people 1)\ngate: clear, no person (people 0)',
      ],
    ])
    expect(run.values.round).toContain('yard-2')
    expect(run.steps.filter(({ kind }) => kind === 'ai').map(({ item }) => item)).toEqual([
      'yard-1',
      'yard-2',
      'gate',
    ])
  })

  test('counts each Look against the hour', async () => {
    box.snapshot = async cameraId => picture(cameraId, box.clock.now())
    box.look = async () => decision({ decision: 'clear', confidence: 0.9 })
    const id = await box.save(
      `${head.replace('per_hour: 1000', 'per_hour: 1000, ai_per_hour: 2')}
then:
  - for_each:
      cameras: [yard, gate]
      do:
${look('{item}')}
`,
      'on',
    )
    const run = await box.run(box.hook(id))
    const looks = run.steps.filter(({ kind }) => kind === 'ai')
    expect(looks.map(({ outcome }) => outcome)).toEqual(['clear', 'clear', 'unsure'])
    expect(looks[2]?.unsure_reason).toBe('over_budget')
    expect(lines(run)).toEqual([['gate', 'unsure at gate']])
  })

  test('a step that succeeded in one round has not in the next', async () => {
    const id = await box.save(`${head}
then:
  - for_each:
      list: residents
      do:
        - if: [ value: { of: item, is: "B-AB 123" } ]
          then: [ { log: x, name: seen } ]
        - if: [ step_succeeded: seen ]
          then: [ log: "yes {item}" ]
          else: [ log: "no {item}" ]
`)
    expect(lines(await box.run(box.hook(id)))).toEqual([
      ['B-AB 123', 'x'],
      ['B-AB 123', 'yes B-AB 123'],
      ['m xy 9', 'no m xy 9'],
    ])
  })
})

describe('a loop over events', () => {
  const digest = `${head.replace('webhook: {}', 'button: {}')}
then:
  - for_each:
      events: { schema: plate.recognized.v1, within: 10m }
      max: 3
      do: [ log: "{item}" ]
`
  const plate = (text: string) => box.event({ payload: { plate_text: text, confidence: 0.9 } })

  test('goes over those of the time asked for, in order, also those that started no run', async () => {
    const id = await box.save(digest)
    await box.save(`${head.replace('webhook: {}', 'event: { schema: plate.recognized.v1 }').replace('Rounds', 'Started')}
then: [ log: x ]
`)
    await box.run(plate('OLD 1'))
    box.clock.advance(10 * 60_000 + 1)
    expect(await box.engine.submit(plate('A 1'))).toMatchObject([{ run: 2 }])
    await box.ended(2)
    box.clock.advance(1_000)
    await box.engine.submit(box.event({ cameraId: 'unknown', payload: { plate_text: 'B 2' } }))
    const run = await box.run(box.press(id))
    expect(run.steps.slice(1).map(({ inputs }) => inputs)).toEqual([
      '2026-03-10 13:10:00 gate: plate_text A 1, confidence 0.9',
      '2026-03-10 13:10:01 unknown: plate_text B 2',
    ])
    await box.restart()
    for (const text of ['C 3', 'D 4']) await box.engine.submit(plate(text))
    const more = await box.run(box.press(id))
    expect(more.steps[0]?.result).toEqual({ done: 3, skipped: 1 })
    expect(more.steps.slice(1).map(({ inputs }) => String(inputs).split(' ')[4])).toEqual(['B', 'C', 'D'])
  })

  test('keeps only what some loop goes over, and not without end', async () => {
    await box.engine.submit(plate('A 1'))
    await box.save(digest)
    await box.engine.submit(box.event({ schema: 'detection.observed.v1', payload: { tracks: [] } }))
    await box.engine.submit(box.event({ at: box.clock.now() - 3_600_000 }))
    for (let i = 0; i < 1_060; i++) {
      const sent = box.engine.submit(plate(`P ${i}`))
      if (i % 100 === 0) await sent
    }
    await box.engine.submit(box.event({ payload: { plate_text: 'X'.repeat(9_000), list: [1], nice: 'y' } }))
    const kept = (schema: string) =>
      box.store.events.kept(schema, { since: 0, until: box.clock.now(), limit: 2 })
    expect(kept('detection.observed.v1').all).toBe(0)
    const { rows, all } = kept('plate.recognized.v1')
    expect(all).toBeGreaterThanOrEqual(1_000)
    expect(all).toBeLessThanOrEqual(1_050)
    expect(rows[0]?.payload).toEqual({ plate_text: 'X'.repeat(300), nice: 'y' })
  })
})

function text({ pictures }: LookInput): string {
  return new TextDecoder().decode(pictures[0]?.bytes.slice(3))
}

/** A site with that list. */
function withList(name: string, entries: string[]): Site {
  return Site.load(
    `time_zone: Europe/Berlin\nlists: { residents: [B-AB 123], ${name}: [${entries}] }`,
    'site.yaml',
  )
}
