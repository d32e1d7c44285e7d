import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { Appliance } from '../../src/app.ts'
import { eventFor, readWorkflow } from '../../src/cli/event.ts'
import { FileSecrets, HttpOutgoing } from '../../src/connect/index.ts'
import { walk } from '../../src/contract/index.ts'
import { type JsonValue, ManualClock, noLog, type Picture } from '../../src/core/index.ts'
import { resources } from '../../src/resources.ts'
import { Site } from '../../src/site/index.ts'

interface CaseSet {
  workflow: string
  event: { [key: string]: JsonValue }
  cases: {
    picture?: string
    decision: string
    unsure_reason?: string
    fields?: { [name: string]: JsonValue }
  }[]
  paths: {
    picture?: string
    /** What is tapped; null: nobody answers. */
    reply?: string | null
    /** What is sent to destinations, and what people are told: with its severity. */
    does: string[]
  }[]
}

const templates = resources().templates
const read = (...path: string[]) => readFileSync(join(templates, ...path), 'utf8')
const sets = readdirSync(join(templates, 'cases')).filter(name => name.endsWith('.yaml'))

/** The whole box with the real eyes; only the clock is turned by hand, so that limits do not stand between cases. */
const clock = new ManualClock(Date.now())
/** What stands behind every destination that a template needs. */
const sent: string[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => {
    sent.push(`${new URL(request.url).pathname.slice(1)} ${await request.text()}`)
    return new Response('ok')
  },
})
const site = Site.load(
  `
cameras: { gate: {}, yard: {} }
people: { ann: { roles: [guard] } }
lists: { residents: [AB12CDE] }
destinations: { gate: { url: "${server.url}gate", class: move } }
`,
  'site.yaml',
)
const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-cases-'))
const box = new Appliance({
  dataDir,
  resources: resources(),
  site,
  // What records stands on this box; a real box moves nothing on itself.
  outgoing: new HttpOutgoing({
    site: () => site,
    secrets: new FileSecrets(dataDir),
    ownPorts: () => [],
    clock,
    isOwn: () => false,
  }),
  log: noLog,
  clock,
  port: null,
})

beforeAll(() => box.start())
afterAll(async () => {
  await box.stop()
  await server.stop(true)
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

    const picturesOf = (name: string | undefined): Picture[] =>
      name === undefined
        ? []
        : [
            {
              bytes: readFileSync(join(templates, 'cases/pictures', name)),
              takenAt: clock.now(),
              source: name,
            },
          ]
    async function begin(picture: string | undefined): Promise<number> {
      clock.advance(5 * 60_000)
      const pictures = picturesOf(picture)
      const event = eventFor(workflow, set.event, { workflowId, pictures, now: clock.now() })
      const [admission] = await box.engine.submit(event)
      expect(admission?.reason ?? null).toBeNull()
      return admission?.run ?? 0
    }

    it.each(set.cases)('$picture: $decision', async ({ picture, decision, unsure_reason, fields }) => {
      const run = await box.engine.settled(await begin(picture), 60_000)
      expect(run.status).toBe('done')
      const look = run.steps.find(step => step.kind === 'ai')
      expect(look).toMatchObject({ outcome: decision, unsure_reason: unsure_reason ?? null })
      if (fields) expect(look?.fields).toMatchObject(fields)
      const effects = run.steps.filter(step =>
        ['alert', 'ask_person', 'notify', 'webhook'].includes(step.kind),
      )
      expect(effects.every(step => step.status === 'would_have')).toBe(true)
      expect(sent).toEqual([])
    })

    it('where it is On does what each path says, and no path is left out', async () => {
      await box.engine.setState(workflowId, 'on')
      const passed = new Set<string>()
      for (const { picture, reply, does } of set.paths) {
        const id = await begin(picture)
        if (reply !== undefined) {
          await expect.poll(() => box.engine.approvals({ open: true }).length, { timeout: 30_000 }).toBe(1)
          const [question] = box.engine.approvals({ open: true })
          expect(question?.pictures).toHaveLength(1)
          if (reply === null) clock.advance(60_000)
          else await box.engine.answer(question?.id ?? 0, reply, { by: 'session', name: 'Ann' })
        }
        const run = await box.engine.settled(id, 60_000)
        const told = box.store.notices.ofRun(id).map(({ kind, severity }) => `${kind} ${severity}`)
        expect([picture, reply, run.error ?? run.status, ...told, ...sent.splice(0)]).toEqual([
          picture,
          reply,
          'done',
          ...does,
        ])
        for (const step of run.steps) passed.add(step.path)
      }
      const all: string[] = []
      walk(workflow, ({ path }) => all.push(path))
      expect([...passed].sort()).toEqual(all.sort())
      await box.engine.setState(workflowId, 'off')
    })
  })
}
