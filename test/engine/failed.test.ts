import { afterEach, beforeEach, expect, test } from 'vitest'
import { GatehouseError } from '../../src/core/index.ts'
import type { RunSummary } from '../../src/engine/index.ts'
import { Box } from './box.ts'

const ann = { by: 'session', name: 'Ann' }
let box: Box
beforeEach(async () => {
  box = await new Box({ tellRetriesMs: [1_000] }).start()
})
afterEach(() => box.stop())

const opens = `
contract: workflow.v1
name: Gate
state: on
limits: { cooldown: 0s }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
if: [ in_list: { list: residents, value: "{plate}" } ]
then: [ webhook: { to: barrier } ]
`
const alerts = () =>
  box.engine.notices({ limit: 9 }).map(({ severity, title, body }) => [severity, title, body])
const line = () => box.engine.runs({ limit: 1 })[0]

test('a move that was due and failed is told, with why', async () => {
  await box.save(opens)
  box.answer = () => 404
  const run = await box.run(box.event())
  expect(run.status).toBe('failed')
  const [notice] = box.engine.notices({ limit: 9 })
  expect(notice).toMatchObject({ run: run.id, step: 0, kind: 'alert', unsettled: false })
  expect(alerts()).toEqual([
    ['high', 'Gate: the move “webhook” was not made', 'barrier answered 404: check what it expects'],
  ])
})

test('a move that somebody approved and that may not be made any more is told', async () => {
  const id = await box.save(`
contract: workflow.v1
name: Ask
state: on
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - ask_person: { who: role:guard, message: "Open?", replies: [Open, Refuse], timeout: 60s, default: Refuse }
    Open: [ wait: 5m, webhook: { to: barrier } ]
    Refuse: [ log: refused ]
`)
  const run = await box.begin(box.event())
  await box.until(run, 'waiting')
  const [asked] = box.engine.approvals({ open: true })
  await box.engine.answer(asked?.id ?? 0, 'Open', ann)
  await expect.poll(() => box.store.due.all().map(({ kind }) => kind)).toContain('wait')
  await box.engine.setState(id, 'off')
  box.clock.advance(5 * 60_000)
  await box.ended(run)
  expect(alerts()).toEqual([
    ['high', 'Ask: the move “webhook” was not made', expect.stringContaining('nothing was moved')],
  ])
  expect(box.sent).toEqual([])
})

test('a held move that expires is told, one that somebody leaves is not', async () => {
  await box.save(opens)
  await box.engine.holds.pause(true, ann)
  const left = await box.begin(box.event())
  await box.until(left, 'waiting')
  await box.engine.holds.release(left, false, ann)
  await box.ended(left)
  expect(alerts()).toEqual([])
  const expired = await box.begin(box.event())
  await box.until(expired, 'waiting')
  box.clock.advance(15 * 60_000)
  await box.ended(expired)
  expect(alerts()).toEqual([
    ['high', 'Gate: the move “webhook” was not made', expect.stringContaining('nobody decided')],
  ])
})

test('a message that is lost after its last try shows in the list of runs, at once and later', async () => {
  const heard: RunSummary[] = []
  box.bus.on('run', run => heard.push(run))
  await box.save(`
contract: workflow.v1
name: Tells
state: on
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then: [ webhook: { to: chat, json: { text: hi } } ]
`)
  box.answer = () =>
    new GatehouseError('destination_unreachable', 'chat cannot be reached: nothing answers there.')
  const run = await box.run(box.event())
  expect([run.status, line()?.reason]).toEqual(['done', null])
  box.clock.advance(1_000)
  const lost = 'A message was lost: chat cannot be reached: nothing answers there.'
  await expect.poll(() => line()?.reason).toBe(lost)
  await expect.poll(() => heard.at(-1)).toMatchObject({ id: run.id, status: 'done', reason: lost })

  box.answer = () => 404
  box.clock.advance(60_000)
  await box.run(box.event())
  const refused = 'A message was lost: chat answered 404: check what it expects'
  expect([heard.at(-1)?.reason, line()?.reason]).toEqual([refused, refused])
})
