import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { Appliance } from '../../src/app.ts'
import { eventFor, readWorkflow } from '../../src/cli/event.ts'
import { type JsonValue, ManualClock, noLog, type Picture } from '../../src/core/index.ts'
import { resources } from '../../src/resources.ts'
import { selfMapped } from '../../src/site/index.ts'

interface CaseSet {
  workflow: string
  event: { [key: string]: JsonValue }
  cases: {
    picture?: string
    decision: string
    unsure_reason?: string
    fields?: { [name: string]: JsonValue }
  }[]
}

const templates = resources().templates
const read = (...path: string[]) => readFileSync(join(templates, ...path), 'utf8')
const sets = readdirSync(join(templates, 'cases')).filter(name => name.endsWith('.yaml'))

/** The whole box with the real eyes; only the clock is turned by hand, so that limits do not stand between cases. */
const clock = new ManualClock(Date.now())
const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-cases-'))
const box = new Appliance({
  dataDir,
  resources: resources(),
  site: selfMapped(),
  log: noLog,
  clock,
  port: null,
})

beforeAll(() => box.start())
afterAll(async () => {
  await box.stop()
  rmSync(dataDir, { recursive: true })
})

it('has a case set for every template', () => {
  const files = readdirSync(templates).filter(name => name.endsWith('.yaml'))
  expect(sets.map(name => (parseYaml(read('cases', name)) as CaseSet).workflow).sort()).toEqual(files.sort())
})

for (const name of sets) {
  const set = parseYaml(read('cases', name)) as CaseSet
  describe(`${set.workflow} decides about`, () => {
    const yaml = read(set.workflow)
    const workflow = readWorkflow(yaml, set.workflow)
    let workflowId = 0

    beforeAll(async () => {
      const saved = await box.engine.save(yaml, { file: set.workflow })
      if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
      workflowId = saved.workflow.id
    })

    it.each(set.cases)('$picture: $decision', async ({ picture, decision, unsure_reason, fields }) => {
      clock.advance(5 * 60_000)
      const pictures: Picture[] = picture
        ? [
            {
              bytes: readFileSync(join(templates, 'cases/pictures', picture)),
              takenAt: clock.now(),
              source: picture,
            },
          ]
        : []
      const event = eventFor(workflow, set.event, { workflowId, pictures, now: clock.now() })
      const [admission] = await box.engine.submit(event)
      expect(admission?.reason ?? null).toBeNull()
      const run = await box.engine.settled(admission?.run ?? 0, 60_000)
      expect(run.status).toBe('done')
      const look = run.steps.find(step => step.kind === 'ai')
      expect(look).toMatchObject({ outcome: decision, unsure_reason: unsure_reason ?? null })
      if (fields) expect(look?.fields).toMatchObject(fields)
      const effects = run.steps.filter(step => ['alert', 'notify'].includes(step.kind))
      expect(effects.every(step => step.status === 'would_have')).toBe(true)
    })
  })
}
