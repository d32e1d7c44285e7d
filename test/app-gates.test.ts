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

test('a workflow that investigates waits for its model to pass, and goes on by itself', async () => {
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
