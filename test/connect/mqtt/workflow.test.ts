/** The whole box with a real broker: what a workflow publishes, and what is known of it afterwards. */
import { expect, onTestFinished, test } from 'vitest'
import { Appliance } from '../../../src/app.ts'
import { resources } from '../../../src/box/resources.ts'
import { noLog } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { eventually, temporaryFolder } from '../helpers.ts'
import { hurried, Mosquitto, noBroker } from './mosquitto.ts'

const workflow = (step: string) => `
contract: workflow.v1
name: Barrier
state: test
when: { button: { label: Open } }
then: [ ${step} ]
`

async function boxAt(broker: Mosquitto | null) {
  const box = new Appliance({
    ...{ dataDir: temporaryFolder(), clock: hurried, resources: resources(), log: noLog, port: 0 },
    site: Site.load(
      `${broker ? `mqtt: { url: "${broker.url()}" }\n` : ''}
destinations:
  lamp: { topic: hall/lamp, class: tell }
  barrier: { topic: gate/barrier, class: move }
`,
      'site.yaml',
    ),
  })
  onTestFinished(() => box.stop())
  const { url } = await box.start()
  const save = async (step: string) => {
    const saved = await box.engine.save(workflow(step))
    if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
    await box.engine.setState(saved.workflow.id, 'on')
    return saved
  }
  const press = async (id: number) => {
    const answer = await fetch(`${url}/api/v1/workflows/${id}/press`, { method: 'POST' })
    const { run, reason } = (await answer.json()) as { run: number | null; reason: unknown }
    if (run === null) throw new Error(JSON.stringify(reason))
    return box.engine.settled(run, 20_000)
  }
  return { box, save, press }
}

test.skipIf(noBroker)(
  'a move is made once where the broker says so, and is unknown where it does not',
  async () => {
    const broker = await Mosquitto.start()
    const { heard } = await broker.listener('gate/#')
    const { save, press } = await boxAt(broker)
    const { workflow: barrier } = await save('{ mqtt: { to: barrier, json: OPEN } }')
    let run = await press(barrier.id)
    for (let tries = 0; run.status === 'failed' && tries < 50; tries++) run = await press(barrier.id)
    expect(run).toMatchObject({
      status: 'done',
      steps: [{ kind: 'mqtt', status: 'done', result: { to: 'barrier' } }],
    })
    await eventually(() => heard.length === 1)
    broker.freeze(true)
    expect((await press(barrier.id)).status).toBe('unknown')
    broker.freeze(false)
    await broker.kill()
    const lost = await press(barrier.id)
    expect(lost).toMatchObject({ status: 'failed', error: expect.stringContaining('cannot be reached') })
  },
)

test.skipIf(noBroker)('a message waits for the broker to come back', async () => {
  const broker = await Mosquitto.start()
  const { save, press, box } = await boxAt(broker)
  const { workflow: lamp } = await save('{ mqtt: { to: lamp, json: { on: true } } }')
  await broker.kill()
  const { id } = await press(lamp.id)
  await broker.run()
  const { heard } = await broker.listener('hall/#')
  await eventually(() => heard.length > 0, 30_000)
  expect(heard[0]?.text).toBe('{"on":true}')
  await eventually(() => box.engine.run(id)?.steps[0]?.status === 'done')
})

test('without a broker a workflow that publishes says what to do, and goes on by itself once there is one', async () => {
  const { save, box } = await boxAt(null)
  const { workflow: lamp, problems } = await save('{ mqtt: { to: lamp, json: ON } }')
  const why = 'mqtt: there is no MQTT broker: name one under mqtt in the site file'
  expect(problems).toMatchObject([{ code: 'not_yet', message: expect.stringContaining(why) }])
  expect(box.engine.workflow(String(lamp.id))?.needs_attention).toContain(why)
  await box.rules.rebase(
    Site.load(
      'mqtt: { url: "mqtt://127.0.0.1:9" }\ndestinations: { lamp: { topic: hall/lamp, class: tell } }',
      'site.yaml',
    ),
  )
  expect(box.engine.workflow(String(lamp.id))?.needs_attention).toBeNull()
})
