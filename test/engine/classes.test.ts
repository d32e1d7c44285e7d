import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Site } from '../../src/site/index.ts'
import { Box } from './box.ts'

let box: Box
afterEach(() => box.stop())

const site = (effect: string, trusted = '') => `
cameras: { gate: {} }
destinations: { horn: { url: "http://127.0.0.1:9/horn", class: ${effect} } }
${trusted}
`
const yaml =
  'contract: workflow.v1\nname: Horn\nstate: on\nwhen: { webhook: {} }\nthen: [ webhook: { to: horn } ]'

test('a message that was under way is not sent to what moves something after the restart', async () => {
  box = await new Box({ site: site('tell') }).start()
  const id = await box.save(yaml)
  box.answer = () => new Promise(() => {})
  const run = await box.begin(box.hook(id))
  await Bun.sleep(20)
  expect(box.sent).toHaveLength(1)
  // As if the plug were pulled: the file as it is now, under a new engine.
  box.site = Site.load(site('move'), join(box.dir, 'site.yaml'))
  box.answer = () => 200
  await box.crash()
  const view = await box.ended(run)
  expect(view).toMatchObject({
    status: 'failed',
    steps: [{ status: 'failed', result: { code: 'not_informing' } }],
  })
  expect(box.sent).toHaveLength(1)
})

test('what was a move when the run began stays one, however the site file reads after a restart', async () => {
  const trusted = 'trusted_webhooks: [horn]'
  box = await new Box({ site: site('move', trusted) }).start()
  const id = await box.save(yaml.replace('then: [', 'then: [ wait: 1m,'))
  const run = await box.begin(box.hook(id))
  box.site = Site.load(site('tell', trusted), join(box.dir, 'site.yaml'))
  await box.restart(60_000)
  expect(await box.ended(run)).toMatchObject({ status: 'done' })
  expect(box.sent).toHaveLength(1)
  expect(box.store.intents.ofRun(run)).toHaveLength(1)
})

test('a webhook that the site trusts by its name may move from its first upload on', async () => {
  box = await new Box({ site: site('move', 'trusted_webhooks: [horn]') }).start()
  const id = await box.save(yaml)
  expect((await box.run(box.hook(id))).steps).toMatchObject([{ kind: 'webhook', status: 'done' }])
  const other = await box.engine.save(yaml.replace('name: Horn', 'name: Stranger'))
  expect(other.ok).toBe(false)
  expect(other.problems.map(({ code }) => code)).toContain('move_tainted')
})

test('saving says what it does otherwise than the file says, and what has to wait', async () => {
  box = await new Box({ site: site('tell') }).start()
  const look = `ai: { mode: look, prompt: x, input: picture, look_at: gate, fields: { n: { measure: count, of: person } },
      decision: [a], rules: [ { then: a } ], a: [], unsure: [] }`
  const saved = await box.engine.save(
    `contract: workflow.v1\nname: W\nstate: on\nwhen: { button: {} }\nthen:\n  - ${look}\n  - speak: { text: hello }\n`,
  )
  expect(saved).toMatchObject({ ok: true, workflow: { state: 'test' } })
  expect(saved.problems).toMatchObject([
    { severity: 'warning', code: 'not_yet', line: 8, path: 'then[1]' },
    { severity: 'warning', code: 'arrives_in_test', line: 3, path: 'state' },
  ])
})
