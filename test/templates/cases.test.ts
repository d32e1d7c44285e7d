import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { Appliance } from '../../src/app.ts'
import { eventFor } from '../../src/box/event-for.ts'
import { resources } from '../../src/box/resources.ts'
import { readWorkflow } from '../../src/cli/event.ts'
import { FileSecrets, HttpOutgoing } from '../../src/connect/index.ts'
import { walk } from '../../src/contract/index.ts'
import { type JsonValue, ManualClock, noLog, type Picture } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { SayingModel, type Says } from './model.ts'

interface Happens {
  picture?: string
  /** Frames, the oldest first. */
  pictures?: string[]
  /** What each camera shows when it is asked; those that are not named are down. */
  cameras?: { [camera: string]: string }
  /** What a language model says, turn by turn. */
  says?: Says[]
  /** What it was told as data when it was asked last. */
  told?: string[]
  /** It rests on what is said: where a model is asked it is left out. */
  recorded?: boolean
}

interface CaseSet {
  workflow: string
  event: { [key: string]: JsonValue }
  /** The time of day at which it happens, UTC; any where absent. */
  at?: string
  cases: (Happens & {
    /** Of the last AI step. */
    decision: string
    unsure_reason?: string
    fields?: { [name: string]: JsonValue }
  })[]
  paths: (Happens & {
    /** What is tapped; null: nobody answers. */
    reply?: string | null
    /**
     * What people are told, with its severity, what is answered to a message, and what is sent to destinations: each
     * with what it has in it.
     */
    does: string[]
  })[]
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
const model = new SayingModel()
const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-cases-'))
const folders = ['yard', 'entrance', 'dock']
for (const camera of folders) mkdirSync(join(dataDir, 'shown', camera), { recursive: true })
const shows = (camera: string) => `${camera}: { source: { folder: "${join(dataDir, 'shown', camera)}" } }`
const site = Site.load(
  `
time_zone: UTC
cameras: { gate: {}, workshop: {}, ${folders.map(shows).join(', ')} }
facts: The yard has no power from 02:00 to 04:00 on Sundays.
people: { ann: { roles: [guard, foreman, manager, maintenance] } }
lists: { residents: [AB12CDE] }
destinations:
  gate: { url: "${server.url}gate", class: move }
  ticketing: { url: "${server.url}ticketing", class: tell }
  model: { url: "http://127.0.0.1:${model.port}", class: tell }
language: { destination: model, api: openai, model: says }
`,
  'site.yaml',
)
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
  // What it says stands in the cases: it has nothing to pass.
  ungated: true,
  port: null,
})

beforeAll(() => box.start())
afterAll(async () => {
  await box.stop()
  await server.stop(true)
  await model.stop()
  rmSync(dataDir, { recursive: true })
})

it('has a case set for every template', () => {
  const files = readdirSync(templates).filter(name => name.endsWith('.yaml'))
  expect(sets.map(name => (parseYaml(read('cases', name)) as CaseSet).workflow).sort()).toEqual(files.sort())
})

const picturePath = (name: string) => join(templates, 'cases/pictures', name)

/** To the next such time of day, ms; 0 within the hour after it. */
function until(at: string): number {
  const [hour = 0, minute = 0] = at.split(':').map(Number)
  const day = 24 * 3_600_000
  const wait = ((((hour * 60 + minute) * 60_000 - clock.now()) % day) + day) % day
  return wait > day - 3_600_000 ? 0 : wait
}

/** Puts a picture before a camera, taken just now; without one there is none. */
function show(camera: string, name: string | undefined): void {
  const file = join(dataDir, 'shown', camera, 'now.jpg')
  rmSync(file, { force: true })
  if (name === undefined) return
  copyFileSync(picturePath(name), file)
  utimesSync(file, clock.now() / 1000, clock.now() / 1000)
}

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

    async function begin({
      picture,
      pictures: frames = [],
      cameras = {},
      says = [],
    }: Happens): Promise<number> {
      clock.advance(5 * 60_000)
      if (set.at !== undefined) clock.advance(until(set.at))
      model.says = structuredClone(says)
      for (const camera of folders) show(camera, cameras[camera])
      const names = picture === undefined ? frames : [picture]
      const pictures = names.map(
        (name): Picture => ({
          bytes: readFileSync(picturePath(name)),
          takenAt: clock.now(),
          source: name,
        }),
      )
      const event = eventFor(workflow, set.event, { workflowId, pictures, now: clock.now() })
      const [admission] = await box.engine.submit(event)
      expect(admission?.reason ?? null).toBeNull()
      return admission?.run ?? 0
    }

    it.each(set.cases)('case %#: $decision', async one => {
      const { decision, unsure_reason, fields } = one
      const run = await box.engine.settled(await begin(one), 60_000)
      expect(run.status).toBe('done')
      const look = run.steps.findLast(step => step.kind === 'ai')
      expect(look).toMatchObject({ outcome: decision, unsure_reason: unsure_reason ?? null })
      if (fields) expect(look?.fields).toMatchObject(fields)
      for (const text of one.told ?? []) expect(model.told).toContain(text)
      const effects = run.steps.filter(step =>
        ['alert', 'ask_person', 'notify', 'reply', 'webhook'].includes(step.kind),
      )
      expect(effects.every(step => step.status === 'would_have')).toBe(true)
      expect(sent).toEqual([])
    })

    it('where it is On does what each path says, and no path is left out', async () => {
      await box.engine.setState(workflowId, 'on')
      const passed = new Set<string>()
      for (const { reply, does, ...happens } of set.paths) {
        const id = await begin(happens)
        if (reply !== undefined) {
          await expect.poll(() => box.engine.approvals({ open: true }).length, { timeout: 30_000 }).toBe(1)
          const [question] = box.engine.approvals({ open: true })
          expect(question?.pictures).toHaveLength(1)
          if (reply === null) clock.advance(2 * 60_000)
          else await box.engine.answer(question?.id ?? 0, reply, { by: 'session', name: 'Ann' })
        }
        const run = await box.engine.settled(id, 60_000)
        const notices = box.engine.notices({ limit: 100 }).filter(each => each.run === id)
        const told = notices.reverse().map(({ kind, severity }) => `${kind} ${severity}`)
        const answers = run.steps.flatMap(({ kind, inputs }) => (kind === 'reply' ? `reply ${inputs}` : []))
        const did = [...told, ...answers, ...sent.splice(0)]
        expect([happens, reply, run.error ?? run.status, did.length]).toEqual([
          happens,
          reply,
          'done',
          does.length,
        ])
        for (const [i, said] of does.entries())
          for (const part of said.split(', '))
            expect([happens, did[i]]).toEqual([happens, expect.stringContaining(part)])
        for (const step of run.steps) passed.add(step.path)
      }
      const all: string[] = []
      walk(workflow, ({ path }) => all.push(path))
      expect([...passed].sort()).toEqual(all.sort())
      await box.engine.setState(workflowId, 'off')
    })
  })
}
