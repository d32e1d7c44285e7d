/** The whole box at a real NATS server: what a detector publishes there becomes a run, with its picture. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Appliance } from '../../../src/app.ts'
import { resources } from '../../../src/box/resources.ts'
import { noLog } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { eventually, serve, temporaryFolder } from '../helpers.ts'
import { hasNats, NatsServer } from '../nats/server.ts'
import { IN, message, OUT, thing } from './scene.ts'

const picture = (name: string) => readFileSync(join(resources().templates, 'cases', 'pictures', name))

const LAWN = `
contract: workflow.v1
name: Lawn
state: test
limits: { cooldown: 0s, one_at_a_time: track }
when: { detect.person_in_zone: { cameras: [yard], min_seconds: 3, zone: lawn } }
then:
  - name: who
    ai:
      mode: look
      prompt: Who is it?
      input: picture
      fields: { people: { measure: count, of: person } }
      decision: [somebody, nobody]
      rules: [ { when: { people: { at_least: 1 } }, then: somebody }, { then: nobody } ]
      somebody: []
      nobody: []
      unsure: []
  - name: where
    ai:
      mode: look
      prompt: Are they on the lawn?
      input: picture
      fields: { people: { measure: count, of: person, region: lawn } }
      decision: [there, gone]
      rules: [ { when: { people: { at_least: 1 } }, then: there }, { then: gone } ]
      there: []
      gone: []
      unsure: []
  - log: "{label} {track} in {zone} for {seconds} s"
`

async function boxAt(server: NatsServer | null) {
  const asked: string[] = []
  const pipeline = serve(request => {
    asked.push(new URL(request.url).search)
    return new Response(picture('person.jpg'))
  })
  const camera = serve(() => new Response(picture('yard-empty.jpg')))
  const box = new Appliance({
    ...{ dataDir: temporaryFolder(), resources: resources(), log: noLog, port: null },
    site: Site.load(
      `${server ? `nats: { url: "${server.url}" }\n` : ''}
tracks: { best_frame: "http://127.0.0.1:${pipeline}" }
cameras:
  yard-1:
    roles: [yard]
    source: { snapshot: "http://127.0.0.1:${camera}/" }
    zones: { lawn: [[0.5, 0], [1, 0], [1, 1], [0.5, 1]] }
  gate: {}
`,
      'site.yaml',
    ),
  })
  onTestFinished(() => box.stop())
  await box.start()
  const saved = await box.engine.save(LAWN)
  if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
  const runs = () => box.engine.runs({ limit: 100 })
  return { box, asked, runs, workflow: saved.workflow }
}

/** What a detector publishes in `seconds`, all at once. */
function film(seconds: number, tracks: object[], more: object = {}, end = Date.now()): object[] {
  return Array.from({ length: seconds * 5 + 1 }, (_, n) =>
    message(end - (seconds * 5 - n) * 200, tracks, more),
  )
}

describe.skipIf(!hasNats)('a box at the NVR', () => {
  test('runs for who stays in a zone, once each, and asks for the best frame', async () => {
    const server = await new NatsServer().start()
    const { box, asked, runs } = await boxAt(server)
    const subject = 'opennvr.inference.tier0.yard-1.completed'
    await eventually(() => box.engine.workflow('lawn')?.needs_attention === null)
    while ((await server.subjects()).length < 2) await Bun.sleep(20)
    expect(await server.subjects()).toEqual(['opennvr.events.detection.observed.v1.yard-1', subject])
    const both = [thing(7, IN, { best: true }), thing(8, OUT, { best: true }), thing(9, IN, { label: 'dog' })]
    await server.publish(subject, ...film(4, both))
    await server.publish('opennvr.inference.tier0.gate.completed', ...film(4, both, { camera_id: 'gate' }))
    await server.publish(subject, ...film(2, both))
    await eventually(() => runs()[0]?.ended_at != null, 60_000)
    expect(runs()).toHaveLength(1)
    const run = box.engine.run(runs()[0]?.id ?? 0)
    expect(run).toMatchObject({
      status: 'done',
      trigger: { kind: 'detect.person_in_zone', event: { camera_id: 'yard-1', source: 'tier0' } },
      values: { camera: 'yard', label: 'person', zone: 'lawn', seconds: 3, track: '7', score: 0.9 },
    })
    expect(run?.values).not.toHaveProperty('asked')
    // The best frame is what came with the event; where somebody stands is seen in the camera's own picture.
    expect(run?.steps.map(({ name, outcome, fields }) => [name, outcome, fields?.people])).toEqual([
      ['who', 'somebody', 1],
      ['where', 'gone', 0],
      [null, null, undefined],
    ])
    expect(run?.pictures.map(({ source }) => source)).toEqual(['best frame of yard-1', 'camera yard-1'])
    expect(asked).toEqual(['?camera=yard-1&track=7'])
    expect(run?.steps.at(-1)?.inputs).toBe('person 7 in lawn for 3 s')

    // Another is another run, and after a restart of the server subscriptions deliver again.
    await server.kill()
    await server.start()
    while ((await server.subjects()).length < 2) await Bun.sleep(20)
    // Later by their own time than all that came before.
    const ahead = film(4, [thing(20, IN)], {}, Date.now() + 5000)
    await server.publish(subject, ...ahead)
    await eventually(() => runs().length === 2)
    await eventually(() => runs()[0]?.ended_at != null, 60_000)
    expect(box.engine.run(runs()[0]?.id ?? 0)?.values).toMatchObject({ track: '20' })

    // A zone that is drawn on the page counts at once.
    const left = [
      [0, 0],
      [0.5, 0],
      [0.5, 1],
      [0, 1],
    ]
    await box.rules.putPart('zones', { 'yard-1': { lawn: left } }, 'Ann', null)
    await server.publish(subject, ...film(4, [thing(30, OUT), thing(31, IN)], {}, Date.now() + 15_000))
    await eventually(() => runs().length === 3)
    expect(box.engine.run(runs()[0]?.id ?? 0)?.values).toMatchObject({ track: '30' })
  }, 120_000)

  test('hears no tracks where nobody waits for them, and says what it lacks without a server', async () => {
    const { box, workflow } = await boxAt(null)
    expect(box.engine.workflow(workflow.slug)?.needs_attention).toContain(
      "detect.person_in_zone: nobody tells this box what the cameras see: name the NVR's server under nats in the site file",
    )
    const server = await new NatsServer().start()
    const other = await boxAt(server)
    while ((await server.subjects()).length < 2) await Bun.sleep(20)
    await other.box.engine.setState(other.workflow.id, 'off')
    while ((await server.subjects()).length > 0) await Bun.sleep(20)
    await other.box.engine.setState(other.workflow.id, 'test')
    while ((await server.subjects()).length < 2) await Bun.sleep(20)
  })
})
