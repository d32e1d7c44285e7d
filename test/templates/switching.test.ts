/** A workflow that was made from a template is held against its cases before it goes On, with the eyes of the box. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { SayingModel } from './model.ts'

const { templates } = resources()
const template = (name: string) => readFileSync(join(templates, `${name}.yaml`), 'utf8')
const model = new SayingModel()
const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-template-'))
const box = new Appliance({
  dataDir,
  resources: resources(),
  site: Site.load(
    `
cameras: { north: { roles: [yard, field, workshop] } }
people: { ann: { roles: [guard, foreman] } }
destinations: { llm: { url: "http://127.0.0.1:${model.port}", class: tell } }
language: { destination: llm, api: openai, model: says }
`,
    'site.yaml',
  ),
  log: noLog,
  port: 0,
})
let url = ''
beforeAll(async () => {
  url = (await box.start()).url ?? ''
})
afterAll(async () => {
  await box.stop()
  await model.stop()
  rmSync(dataDir, { recursive: true })
})

async function saved(yaml: string): Promise<number> {
  const made = await box.engine.save(yaml)
  if (!made.ok) throw new Error(JSON.stringify(made.problems))
  return made.workflow.id
}

async function on(id: number, confirm = false) {
  const answer = await fetch(`${url}/api/v1/workflows/${id}/state${confirm ? '?confirm=true' : ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"state":"on"}',
  })
  return { status: answer.status, body: await answer.json() }
}

test('as it ships it goes On at once', async () => {
  const { status, body } = await on(await saved(template('yard-watch')))
  expect([status, body.state, body.cases]).toEqual([200, 'on', undefined])
})

test('with another rule table its cases are run, and what flips is shown', async () => {
  const flawed = template('yard-watch').replace(
    '{ persons: { at_least: 1 } }',
    '{ persons: { at_least: 3 } }',
  )
  expect(flawed).not.toBe(template('yard-watch'))
  const id = await saved(flawed)
  expect(box.engine.workflow(String(id))?.slug).toMatch(/^yard-watch-\d+$/)
  const { status, body } = await on(id)
  expect([status, body.code]).toEqual([409, 'cases_flipped'])
  expect(body.detail).toMatch(
    /^2 of 11 cases of the template yard-watch.yaml come out differently: person.jpg \(/,
  )
  const flipped = body.cases.template.tried.filter((one: { flipped: boolean }) => one.flipped)
  expect(flipped.map((one: { case: string }) => one.case)).toEqual(['person.jpg', 'astronaut.jpg'])
  expect(flipped[0]).toMatchObject({ expected: 'person', reason: expect.any(String), kept_out: null })
  expect(box.engine.workflow(String(id))?.state).toBe('test')
  // Nothing of it stays.
  expect(box.engine.runs({ limit: 10 })).toEqual([])
  expect((await on(id, true)).body.state).toBe('on')
})

test('changed so that nothing flips, and for other cameras, it goes On and says what was run', async () => {
  const id = await saved(
    template('yard-watch')
      .replaceAll('[yard]', '[field]')
      .replace(/prompt: .*/, 'prompt: Who is in the field?'),
  )
  const { status, body } = await on(id)
  expect([status, body.state]).toEqual([200, 'on'])
  expect(body.cases.template).toMatchObject({ name: 'yard-watch.yaml', flipped: 0 })
  expect(body.cases.template.tried).toHaveLength(11)
  expect(body.cases.template.tried.every((one: { flipped: boolean }) => one.flipped === false)).toBe(true)
})

test('a decision that there is no more is no flip', async () => {
  const id = await saved(
    template('yard-watch')
      .replaceAll('person', 'somebody')
      .replaceAll('of: somebody', 'of: person')
      .replaceAll('somebodys', 'persons'),
  )
  const { status, body } = await on(id)
  expect([status, body.detail]).toEqual([200, undefined])
  const gone = body.cases.template.tried.filter((one: { expected: string }) => one.expected === 'person')
  expect(gone).toMatchObject([{ flipped: null, kept_out: { code: 'no_match' } }, { flipped: null }])
})

test('the model of the box is asked, and what rests on recorded words is left out', async () => {
  const id = await saved(template('safety-gear').replace('Do the people', 'Look closely. Do the people'))
  model.says = Array.from({ length: 20 }, () => ({ helmet: 'all', vest: 'all' }))
  const { status, body } = await on(id)
  expect([status, body.cases.template.tried]).toMatchObject([
    409,
    [
      { case: 'person.jpg', expected: 'missing', decision: 'complete', flipped: true },
      { case: 'yard-empty.jpg', expected: 'nobody', flipped: false },
      { case: 'no picture', expected: 'unsure', flipped: false },
    ],
  ])
})

test('where nobody judges nothing is said of how it judges', async () => {
  const id = await saved(template('night-triage').replace('Is somebody in', 'Is anybody in'))
  const { status, body } = await on(id)
  // Its model has passed nothing here, so that it does not investigate.
  expect(status).toBe(200)
  expect(body.cases.template).toMatchObject({ flipped: 0 })
  expect(body.cases.template.tried.every((one: { kept_out: object | null }) => one.kept_out)).toBe(true)
})

test('what was made from none has none', async () => {
  const id = await saved(template('yard-watch').replace(/^name: .*$/m, 'name: My own'))
  expect((await on(id)).body.cases).toBeUndefined()
})
