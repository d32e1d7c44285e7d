/** The whole box with a model that sees, from a folder, beside a language model: who is asked what. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Appliance } from '../src/app.ts'
import { resources } from '../src/box/resources.ts'
import { ManualClock, noLog, type Picture, systemClock } from '../src/core/index.ts'
import { Site } from '../src/site/index.ts'
import { openAiServer } from './ai/clients/servers.ts'
import { plainPicture } from './vision/answer/models.ts'
import { writeTiny } from './vision/answer/tiny.ts'

const workflow = (input: string) => `
contract: workflow.v1
name: Yard by ${input}
state: test
limits: { cooldown: 0s }
when: { event: { schema: plate.recognized.v1 } }
then:
  - ai:
      mode: look
      prompt: Is the yard light on?
      input: ${input}
      fields: { light: yes_no }
      decision: [on, "off"]
      rules:
        - { when: { light: yes }, then: on }
        - { then: "off" }
      on: []
      "off": []
      unsure: []
`

interface Options {
  input?: string
  site?: string
  clock?: ManualClock
  prepare?(models: string): void
}

async function boxWith({ input = 'picture', site, clock, prepare = writeBoth }: Options = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-vision-'))
  mkdirSync(join(dataDir, 'models'))
  prepare(join(dataDir, 'models'))
  const box = new Appliance({
    dataDir,
    resources: resources(),
    site: Site.load(site ?? 'cameras: { yard: {} }\nvision: { model: tiny-vlm }', 'site.yaml'),
    log: noLog,
    port: 0,
    ...(clock && { clock }),
  })
  onTestFinished(async () => {
    await box.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const { url } = await box.start()
  const saved = await box.engine.save(workflow(input))
  if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
  return { box, url, id: saved.workflow.id }
}

const writeBoth = (models: string) => writeTiny(join(models, 'tiny-vlm'))

let events = 0
async function runOf(box: Appliance, picture: Picture, at = systemClock.now()) {
  const [admission] = await box.engine.submit({
    kind: 'event',
    id: `evt_${++events}`,
    at,
    cameraId: 'yard',
    schema: 'plate.recognized.v1',
    source: null,
    severity: null,
    payload: { plate_text: 'AB 12' },
    correlationId: null,
    chain: [],
    by: null,
    workflowId: null,
    pictures: [{ ...picture, takenAt: at }],
  })
  return box.engine.settled(admission?.run ?? 0, 60_000)
}

test('a Look at a picture is decided by what the model in the folder says of it', async () => {
  const { box, url } = await boxWith()
  const bright = await runOf(box, await plainPicture('bright'))
  expect(bright.steps[0]).toMatchObject({
    outcome: 'on',
    fields: { light: true },
    confidence: null,
    model: 'tiny-vlm',
    tool_calls: [{ kind: 'model', name: 'tiny-vlm', status: 'ok', tokens_out: expect.any(Number) }],
  })
  expect((await runOf(box, await plainPicture('dark'))).steps[0]).toMatchObject({ outcome: 'off' })
  // The model lives in the child of language models, the eyes in their own.
  expect(box.language.status().state).toBe('ready')

  const said = await (await fetch(`${url}/api/v1/system/models`)).json()
  expect(said.vision).toMatchObject({ name: 'tiny-vlm', kind: 'folder', installed: true, state: 'answered' })
  expect(said.language).toBeNull()
  expect(said.installed).toMatchObject([{ name: 'tiny-vlm', in_use: true }])
})

test('what is no picture alone goes to the language model', async () => {
  const answer = JSON.stringify({ light: 'no', reason: 'a plate', self_reported: 0.5 })
  const { port, asked } = openAiServer([answer])
  const { box } = await boxWith({
    input: 'event',
    site: `
cameras: { yard: {} }
destinations: { llm: { url: "http://127.0.0.1:${port}", class: read } }
language: { destination: llm, api: openai, model: qwen }
vision: { model: tiny-vlm }
`,
  })
  const run = await runOf(box, await plainPicture('bright'))
  expect(run.steps[0]).toMatchObject({ outcome: 'off', model: 'openai:qwen' })
  expect(asked).toHaveLength(1)
})

test('a model that is not there for five minutes stops its workflow, and one that comes lets it go on', async () => {
  const clock = new ManualClock(Date.parse('2026-11-02T10:00:00Z'))
  let folder = ''
  const { box, id } = await boxWith({
    clock,
    prepare: models => {
      folder = join(models, 'tiny-vlm')
    },
  })
  const picture = await plainPicture('bright')
  const first = await runOf(box, picture, clock.now())
  expect(first.steps[0]).toMatchObject({
    outcome: 'unsure',
    unsure_reason: 'llm_down',
    reason: expect.stringContaining('add it again'),
  })
  clock.advance(5 * 60_000)
  await runOf(box, picture, clock.now())
  const attention = () => box.engine.workflow(String(id))?.needs_attention ?? null
  expect(attention()).toContain('Its model for pictures did not answer for 5 minutes')
  writeTiny(folder)
  clock.advance(15_000)
  await vi.waitFor(() => expect(attention()).toBeNull(), { timeout: 60_000 })
  expect((await runOf(box, picture, clock.now())).steps[0]).toMatchObject({ outcome: 'on' })
})
