/** The whole box: what a model has not passed is not offered, and is as soon as it has. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Appliance } from '../src/app.ts'
import { resources } from '../src/box/resources.ts'
import { ManualClock, noLog } from '../src/core/index.ts'
import { boxClass, choosePreset, probe } from '../src/hardware/index.ts'
import { Evaluations } from '../src/models/index.ts'
import { Site } from '../src/site/index.ts'

const SITE = `
cameras: { gate: {} }
destinations: { llm: { url: "http://127.0.0.1:9", class: tell } }
language: { destination: llm, api: openai, model: m }
`
const WORKFLOW = `
contract: workflow.v1
name: Gate
state: test
when: { event: { schema: plate.recognized.v1 } }
then:
  - ai:
      mode: investigate
      goal: Who is {plate}?
      tools: [site_lookup]
      decision: [known, stranger]
      rules: [ { when: { who: nobody }, then: stranger }, { then: known } ]
      fields: { who: [somebody, nobody] }
      known: []
      stranger: []
      unsure: []
`

/** A box with a model in a file that nobody judged, and its page. */
async function started() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-app-gates-'))
  const clock = new ManualClock(Date.now())
  const box = new Appliance({
    ...{ dataDir, clock, resources: resources(), log: noLog, port: 0 },
    site: Site.load(SITE, 'site.yaml'),
  })
  onTestFinished(async () => {
    await box.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const { url } = await box.start()
  return { box, url, clock, dataDir }
}

test('a workflow that investigates waits for its model to pass, and goes on by itself', async () => {
  const { box, url, clock, dataDir } = await started()
  const get = async (path: string) => (await fetch(`${url}/api/v1/${path}`)).json()
  const saved = await box.engine.save(WORKFLOW)
  if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
  const why = 'openai:m@llm has passed its cases on this box'
  expect(saved.problems).toMatchObject([{ code: 'not_yet', message: expect.stringContaining(why) }])
  const attention = () => box.engine.workflow(String(saved.workflow.id))?.needs_attention ?? null
  expect(attention()).toContain(why)
  expect(await get('workflows/registry')).toMatchObject({
    offered: [
      { suite: 'investigate', passed: false, why: expect.stringContaining('gatehouse eval') },
      { suite: 'draft', passed: false },
    ],
  })

  const hardware = probe({ dataPath: dataDir })
  await new Evaluations(dataDir).put([
    {
      ...{ suite: 'investigate', model: 'openai:m@llm', hash: null, right: 42, cases: 42 },
      ...{ box: boxClass(hardware, choosePreset(hardware)), fingerprint: 'x', version: '0', at: 1 },
    },
  ])
  clock.advance(15_000)
  await expect.poll(attention, { timeout: 30_000 }).toBeNull()
  expect(await get('system/models')).toMatchObject({
    gates: [{ suite: 'investigate', passed: true, why: null }, {}],
  })
  expect((await box.engine.save(WORKFLOW.replace('Gate', 'Gate 2'))).problems).toEqual([])
})

test('over HTTP: what is not passed is said by validator, registry and page data, and refused to who drafts', async () => {
  const { url, clock, dataDir } = await started()
  const api = async (path: string, json?: object) => {
    const body = json && { method: 'POST', body: JSON.stringify(json) }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/v1/${path}`, { ...body, headers })
    return { status: answer.status, body: await answer.json() }
  }
  const hardware = probe({ dataPath: dataDir })
  const judged = (suite: 'investigate' | 'draft', right: number) =>
    new Evaluations(dataDir).put([
      {
        ...{ suite, model: 'openai:m@llm', hash: null, right, cases: 42 },
        ...{ box: boxClass(hardware, choosePreset(hardware)), fingerprint: 'x', version: '0', at: 1 },
      },
    ])
  const draft = () => api('workflows/draft', { sentence: 'Tell the guard when a van stops at the gate.' })
  const shown = async () => (await api('workflows')).body.workflows[0].needs_attention

  const made = await api('workflows', { yaml: WORKFLOW })
  expect([made.status, made.body.problems[0].code]).toEqual([201, 'not_yet'])
  expect(await shown()).toContain('waits until openai:m@llm has passed its cases')
  expect((await api('workflows/validate', { yaml: WORKFLOW })).body.problems).toMatchObject([
    { severity: 'warning', code: 'not_yet', message: expect.stringContaining('gatehouse eval') },
  ])
  expect(await draft()).toMatchObject({
    status: 503,
    body: { code: 'not_passed', detail: expect.stringContaining('gatehouse eval --suite draft') },
  })

  // What did not reach the bound is said with its figures, and opens nothing.
  await judged('investigate', 30)
  await judged('draft', 30)
  clock.advance(15_000)
  const words = 'not passed (30 of 42 right: at least 56 % with 95 % certainty; it takes 39 of 42 right)'
  expect((await api('workflows/registry')).body.offered).toMatchObject([
    { suite: 'investigate', passed: false, why: expect.stringContaining(words) },
    { suite: 'draft', passed: false, why: expect.stringContaining(words) },
  ])
  expect((await api('workflows/validate', { yaml: WORKFLOW })).body.problems[0].message).toContain(words)
  expect((await draft()).body.detail).toContain(words)

  await judged('investigate', 39)
  await judged('draft', 39)
  clock.advance(15_000)
  await expect.poll(shown, { timeout: 30_000 }).toBeNull()
  expect((await api('workflows/validate', { yaml: WORKFLOW })).body.problems).toEqual([])
  expect((await api('workflows/registry')).body.offered).toMatchObject([{ passed: true }, { passed: true }])
  // It is asked now, and is not there; its tries follow one another by the clock.
  const hurry = setInterval(() => clock.advance(1_000), 10)
  onTestFinished(() => clearInterval(hurry))
  expect((await draft()).body.code).toBe('llm_down')
})
