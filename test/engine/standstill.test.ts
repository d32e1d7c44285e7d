import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ApprovalView, NoticeView } from '../../src/engine/index.ts'
import { Site } from '../../src/site/index.ts'
import { Box, SITE } from './box.ts'

const ann = { by: 'session', name: 'Ann' }
const asks = `
contract: workflow.v1
name: Gate
state: on
limits: { cooldown: 0s }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - ask_person: { who: role:guard, message: "Open?", replies: [Open, Refuse], timeout: 60s, default: Refuse }
    Open: [ webhook: { to: barrier } ]
    Refuse: [ log: refused ]
`
let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

/** Without the list: the workflow stands still. */
async function lose(what: string): Promise<void> {
  box.site = Site.load(SITE.replace(what, ''), join(box.dir, 'site.yaml'))
  await box.engine.recheck()
}

async function asked(): Promise<ApprovalView> {
  await box.until(await box.begin(box.event()), 'waiting')
  const [open] = box.engine.approvals({ open: true })
  if (!open) throw new Error('nobody was asked')
  return open
}

const guards = 'ann: { roles: [guard] }'

test('a question says that its workflow stands still, and so does the move that it does not make', async () => {
  await box.save(asks)
  const heard: (string | null)[] = []
  box.bus.on('approval', ({ stands_still }) => heard.push(stands_still))
  const question = await asked()
  expect(question.stands_still).toBeNull()
  const whole = box.site
  await lose(guards)
  const why = expect.stringMatching(/^Gate stands still: .*guard/)
  expect(box.engine.approvals({ open: true })[0]?.stands_still).toEqual(why)
  box.site = whole
  await box.engine.recheck()
  expect(heard).toEqual([null, why, null])
  await lose(guards)
  const answered = await box.engine.answer(question.id, 'Open', ann)
  expect(answered.stands_still).toBeNull()
  const run = await box.ended(question.run)
  expect(run.steps.at(-1)).toMatchObject({
    status: 'failed',
    result: {
      code: 'not_on',
      message: expect.stringMatching(/^Gate stands still: .*guard.* So nothing was moved\.$/),
    },
  })
  expect(run.error).not.toContain('not On any more')
  expect(box.sent).toEqual([])
})

test('a question of a workflow that was switched Off says that', async () => {
  const id = await box.save(asks)
  await asked()
  await box.engine.setState(id, 'off')
  expect(box.engine.approvals({ open: true })[0]?.stands_still).toBe('Gate is not On any more.')
})

test('what was said of a workflow that stood still is over when it goes on, and that is said, over a restart too', async () => {
  const told: NoticeView[] = []
  box.bus.on('notice', notice => told.push(notice))
  const id = await box.save(asks)
  const whole = box.site
  await lose(guards)
  expect(told.map(({ title, over }) => [title, over])).toEqual([['Gate stands still', false]])
  await box.restart()
  box.site = whole
  await box.engine.recheck()
  const listed = () =>
    box.engine.notices({ limit: 9 }).map(({ title, severity, over }) => [title, severity, over])
  expect(listed()).toEqual([
    ['Gate goes on', 'low', false],
    ['Gate stands still', 'high', true],
  ])
  expect(told.slice(1).map(({ title, over }) => [title, over])).toEqual([
    ['Gate stands still', true],
    ['Gate goes on', false],
  ])
  // A new file mends it: what was told is over as well.
  await lose(guards)
  expect(listed()[0]).toEqual(['Gate stands still', 'high', false])
  box.site = Site.load(SITE.replace('[guard]', '[desk]'), join(box.dir, 'site.yaml'))
  expect((await box.engine.save(asks.replace('role:guard', 'role:desk'), { id })).ok).toBe(true)
  expect(listed().slice(0, 2)).toEqual([
    ['Gate goes on', 'low', false],
    ['Gate stands still', 'high', true],
  ])
})
