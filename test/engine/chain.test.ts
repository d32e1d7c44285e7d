import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Box } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const file = (name: string, when: string, then = 'alert: { severity: low, title: "{camera}" }') => `
contract: workflow.v1
name: ${name}
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: ${when}
then: [ ${then} ]
`
const from = (slug: string) => `{ alert: { source: workflow.${slug} } }`
const plates = '{ event: { schema: plate.recognized.v1, cameras: [gate] } }'

/** Resolves when nothing has begun for a while. */
async function quiet(): Promise<void> {
  for (let before = -1; before !== box.engine.runs({ limit: 200 }).length; await Bun.sleep(60))
    before = box.engine.runs({ limit: 200 }).length
}

const started = () =>
  box.engine
    .runs({ limit: 200 })
    .map(({ workflow }) => workflow.slug)
    .reverse()

describe('an alert that a workflow raises', () => {
  test('starts the workflow that waits for it, with its camera, its chain and no authority', async () => {
    await box.save(file('First', plates))
    await box.save(file('Third', from('first'), 'log: "{title} {severity} {source}"'))
    const first = await box.run(box.event())
    await quiet()
    expect(started()).toEqual(['first', 'third'])
    const third = box.engine.run(2)
    expect(third).toMatchObject({ chain: ['first'], status: 'done', values: { camera: 'gate' } })
    expect(third?.steps[0]?.inputs).toBe('gate low workflow.first')
    expect(box.store.runs.get(2)).toMatchObject({ taint: ['*'], cameraId: 'gate' })
    expect(box.store.runs.get(2)?.correlationId).toContain(`_${first.id}`)
  })

  test('does not start its own workflow, and of two that trigger each other the third is the last', async () => {
    await box.save(file('Start', plates))
    await box.save(file('Ping', '{ alert: { source: [workflow.start, workflow.pong] } }'))
    await box.save(file('Pong', from('ping')))
    await box.save(file('Self', '{ alert: { source: [workflow.start, workflow.self] } }'))
    await box.run(box.event())
    await quiet()
    expect(started().sort()).toEqual(['ping', 'pong', 'self', 'start'])
    expect(box.engine.shed()).toEqual({ own_alert: 2 })
  })

  test('is followed after a crash that came between the two', async () => {
    await box.save(file('First', plates))
    await box.save(file('Second', from('first'), 'log: "{title}"'))
    // The bus tells of it in the moment in which it is on the disk: the plug is pulled before anybody follows.
    const crashed = new Promise<void>((resolve, reject) =>
      box.bus.on('notice', () => void box.crash().then(resolve, reject)),
    )
    await box.begin(box.event())
    await crashed
    await expect.poll(started).toEqual(['first', 'second'])
    await expect.poll(() => box.store.due.all()).toEqual([])
    await box.restart()
    await quiet()
    expect(started()).toEqual(['first', 'second'])
  })

  test('writes no promise where nobody waits for alerts', async () => {
    await box.save(file('First', plates))
    const before = box.store.due.all()
    await box.run(box.event())
    expect(box.store.due.all()).toEqual(before)
  })

  test('counts how deep it is, not only who was there', async () => {
    await box.save(file('A', plates))
    for (const [name, before] of [
      ['B', 'a'],
      ['C', 'b'],
      ['D', 'c'],
      ['E', 'd'],
    ] as const)
      await box.save(file(name, from(before)))
    await box.run(box.event())
    await quiet()
    expect(started()).toEqual(['a', 'b', 'c'])
    expect(box.engine.shed()).toEqual({ chain: 1 })
  })
})
