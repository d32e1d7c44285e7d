import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Box } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const five = `
name: Five steps
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - log: "{plate} at {camera}"
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then:
      - notify: { who: role:guard, message: "{plate} is back" }
    else:
      - log: stranger
  - webhook: { to: chat, json: { text: "{plate}" } }
always:
  - log: "end {camera_name}"
`

describe('a run', () => {
  test('goes through its steps and stores them', async () => {
    await box.save(five)
    const run = await box.run(box.event())
    expect(run.status).toBe('done')
    expect(run.steps.map(({ path, kind, status, outcome }) => [path, kind, status, outcome])).toEqual([
      ['then[0]', 'log', 'done', null],
      ['then[1]', 'if', 'done', 'then'],
      ['then[1].then[0]', 'notify', 'done', null],
      ['then[2]', 'webhook', 'done', null],
      ['always[0]', 'log', 'done', null],
    ])
    expect(run.steps[0]?.inputs).toBe('B-AB 123 at gate')
    expect(run.steps[4]?.inputs).toBe('end Main gate')
    expect(box.sent).toEqual([
      { to: 'chat', json: { text: 'B-AB 123' }, deliveryId: `${box.store.meta.boxId}-${run.id}-3` },
    ])
    expect(box.store.notices.ofRun(run.id)).toMatchObject([{ kind: 'notify', title: 'B-AB 123 is back', audience: 'role:guard' }])
  })
})
