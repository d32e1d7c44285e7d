/** The whole box with a face server and a model server beside it: who is named in a run, and where a picture goes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Appliance } from '../src/app.ts'
import { resources } from '../src/box/resources.ts'
import { noLog } from '../src/core/index.ts'
import { Site } from '../src/site/index.ts'
import { openAiServer } from './ai/clients/servers.ts'
import { face, faceServer, KEY } from './connect/faces/server.ts'
import { jpeg } from './connect/helpers.ts'

const WORKFLOW = `
contract: workflow.v1
name: Door
state: test
limits: { cooldown: 0s }
when: { event: { schema: plate.recognized.v1 } }
then:
  - ai:
      mode: investigate
      goal: Who is at the door?
      tools: [recognize_faces]
      decision: [known, stranger]
      known: [ log: "{evidence}" ]
      stranger: []
      unsure: []
`

const PICTURE = Buffer.from(jpeg(7))

test('an investigation names who agreed, and nobody else is in what the box keeps or asks', async () => {
  const faces = faceServer([face(['anna', 0.97]), face(['ben', 0.99])])
  const model = openAiServer([
    JSON.stringify({ tool: 'recognize_faces', args: {} }),
    JSON.stringify({ tool: 'finish', args: {} }),
    JSON.stringify({ reason: 'it is staff', self_reported: 0.9, decision: 'known' }),
  ])
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-faces-'))
  const shots = join(dataDir, 'shots')
  mkdirSync(shots)
  writeFileSync(join(shots, '1.jpg'), PICTURE)
  const site = `
cameras: { door: { source: { folder: ${shots} } } }
people: { anna: {}, ben: {} }
destinations:
  llm: { url: "http://127.0.0.1:${model.port}", class: read }
  compare: { url: "http://127.0.0.1:${faces.port}", class: read, headers: { x-api-key: ${KEY} } }
language: { destination: llm, api: openai, model: qwen }
faces: { at: compare, people: [anna] }
`
  const box = new Appliance({
    ...{ dataDir, resources: resources(), log: noLog, port: null, ungated: true },
    site: Site.load(site, join(dataDir, 'site.yaml')),
  })
  onTestFinished(async () => {
    await box.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  await box.start()
  const saved = await box.engine.save(WORKFLOW)
  expect(saved).toMatchObject({ ok: true, problems: [{ code: 'investigate_without_rules' }] })
  const [admission] = await box.engine.submit({
    ...{ kind: 'event', id: 'evt_1', at: Date.now(), cameraId: 'door', schema: 'plate.recognized.v1' },
    ...{ source: null, severity: null, payload: { plate_text: 'B-AB 123' }, correlationId: null },
    ...{ chain: [], by: null, workflowId: null, pictures: [] },
  })
  const run = await box.engine.settled(admission?.run ?? 0, 60_000)
  const called = run.steps[0]?.tool_calls.find(({ name }) => name === 'recognize_faces')
  expect(called).toMatchObject({
    status: 'ok',
    result: { camera: 'door', people: [{ name: 'anna', sure: 0.97 }], others: 1 },
  })
  expect(run.steps[0]).toMatchObject({ outcome: 'known' })
  expect(faces.pictures).toEqual([PICTURE])
  expect(JSON.stringify(run)).not.toContain('ben')
  expect(model.asked.map(({ raw }) => raw).join()).not.toContain('ben')
})
