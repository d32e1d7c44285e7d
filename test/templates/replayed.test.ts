/** Cases of investigations that rest on what tools answered: the box's own model judges by that before it goes On. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import { boxClass, choosePreset, probe } from '../../src/hardware/index.ts'
import { Evaluations } from '../../src/models/index.ts'
import { Site } from '../../src/site/index.ts'
import { SayingModel } from './model.ts'

const { templates } = resources()
const model = new SayingModel()
const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-replayed-'))
const box = new Appliance({
  dataDir,
  resources: resources(),
  site: Site.load(
    `
cameras: { north: { roles: [yard] } }
people: { ann: { roles: [guard, maintenance] } }
destinations:
  llm: { url: "http://127.0.0.1:${model.port}", class: tell }
  ticketing: { url: "http://127.0.0.1:${model.port}", class: tell }
language: { destination: llm, api: openai, model: says }
`,
    'site.yaml',
  ),
  log: noLog,
  port: 0,
})
let url = ''
beforeAll(async () => {
  const hardware = probe({ dataPath: dataDir })
  await new Evaluations(dataDir).put([
    {
      ...{ suite: 'investigate', model: 'openai:says@llm', hash: null, right: 42, cases: 42 },
      ...{ box: boxClass(hardware, choosePreset(hardware)), fingerprint: 'f', version: '1', at: Date.now() },
    },
  ])
  url = (await box.start()).url ?? ''
})
afterAll(async () => {
  await box.stop()
  await model.stop()
  rmSync(dataDir, { recursive: true })
})

async function on(name: string, from: string, to: string) {
  const yaml = readFileSync(join(templates, `${name}.yaml`), 'utf8')
  expect(yaml).toContain(from)
  const made = await box.engine.save(yaml.replace(from, to))
  if (!made.ok) throw new Error(JSON.stringify(made.problems))
  const answer = await fetch(`${url}/api/v1/workflows/${made.workflow.id}/state`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"state":"on"}',
  })
  return { status: answer.status, body: await answer.json() }
}

const looks = { tool: 'describe_event' }
/** What the cases before the replayed one expect. */
const seen = [
  ...[looks, { who: 'stranger' }],
  ...[looks, { who: 'animal' }],
  ...[looks, { tool: 'search_history' }, { who: 'nobody' }],
]
const asks = [{ tool: 'recent_plates' }, { tool: 'site_lookup', args: { value: 'AB12CDE' } }]

test('the model judges by what tools answered, and what flips is shown', async () => {
  model.says = [...seen, ...asks, { who: 'stranger' }]
  const { status, body } = await on('night-triage', 'Is somebody in', 'Is anybody in')
  expect([status, body.code]).toEqual([409, 'cases_flipped'])
  expect(body.cases.template.tried.map((one: { flipped: boolean }) => one.flipped)).toEqual([
    false,
    false,
    false,
    true,
  ])
  expect(body.cases.template.tried[3]).toMatchObject({ expected: 'expected', decision: 'intruder' })
  expect(body.detail).toContain('1 of 4 cases of the template night-triage.yaml comes out differently')
  expect(body.detail).toContain('recent_plates as recorded')
  // No such plate was ever read on this box, and it has no such list: it was recorded.
  expect(model.told).toContain('AB12CDE')
  expect(model.told).toContain('residents')
})

test('as the case expects it goes On', async () => {
  model.says = [...seen, ...asks, { who: 'expected' }]
  const { status, body } = await on('night-triage', 'Is somebody in', 'Is a person in')
  expect([status, body.state, body.cases?.template.flipped]).toEqual([200, 'on', 0])
  expect(body.cases.template.tried).toHaveLength(4)
})

test('the first recorded answer that fits the arguments is given', async () => {
  model.says = [
    ...[{ tool: 'camera_health' }, { state: 'back', cause: 'not_known' }],
    ...[{ tool: 'camera_health' }, { state: 'silent', cause: 'scheduled' }],
  ]
  const { status, body } = await on('camera-offline-triage', 'Why does', 'For what reason does')
  expect([status, body.cases?.template.tried.map((one: { decision: string }) => one.decision)]).toEqual([
    409,
    ['back', 'scheduled'],
  ])
  expect(model.told).toContain('it answers and sends no stream')
})
