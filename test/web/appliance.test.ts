/** The routes over the whole box: a real engine, a real store, real eyes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import type { RunView, WorkflowView } from '../../src/engine/index.ts'
import { Catalogue } from '../../src/models/index.ts'
import { Site } from '../../src/site/index.ts'
import { hasBrowser, openBrowser } from '../e2e/browser.ts'

const PICTURE = resolve(import.meta.dirname, '../../templates/cases/pictures/person.jpg')
const YAML = `contract: workflow.v1
name: Door watch
state: test
limits: { cooldown: 500ms }
when:
  webhook: {}
if:
  - not: { value: { of: colour, is: red } }
then:
  - ai:
      mode: look
      prompt: Is somebody there?
      input: picture
      fields:
        people: { measure: count, of: person }
      decision: [somebody, nobody]
      rules:
        - { when: { people: { at_least: 1 } }, then: somebody }
        - { then: nobody }
      somebody:
        - notify: { who: role:guard, message: "At the door: {reason}" }
      nobody: []
      unsure: []
`
const SITE = 'people:\n  guard: { name: Guard, roles: [guard] }\n'

let dataDir: string
let box: Appliance
let url: string
let hook: string

const call = (path: string, init: RequestInit = {}) => fetch(url + path, init)
const body = async <T>(response: Response | Promise<Response>) => (await (await response).json()) as T
const withPicture = (event: object = {}) => {
  const form = new FormData()
  form.set('picture', new File([readFileSync(PICTURE)], 'photo.jpg'))
  form.set('event', JSON.stringify(event))
  return { method: 'POST', body: form }
}
interface Outcome {
  run: number | null
  reason: { code: string } | null
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-web-'))
  const site = Site.load(SITE, 'site.yaml')
  box = new Appliance({ dataDir, resources: resources(), site, log: noLog, port: 0 })
  const started = await box.start()
  url = (started.url ?? '').replace('localhost', '127.0.0.1')
})
afterAll(async () => {
  await box.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the box over HTTP', () => {
  it('refuses a file with every problem at its place, and keeps a good one', async () => {
    const post = (yaml: string) =>
      call('/api/v1/workflows', { method: 'POST', headers: { 'content-type': 'text/yaml' }, body: yaml })
    const refused = await post(YAML.replace('decision: [', 'decisions: ['))
    expect(refused.status).toBe(422)
    const { problems } = await body<{ problems: { line: number; code: string }[] }>(refused)
    expect(problems.map(({ line }) => line)).toContain(16)
    expect(await body(call('/api/v1/workflows'))).toEqual({ workflows: [] })

    const kept = await post(YAML)
    expect(kept.status).toBe(201)
    const { workflow } = await body<{ workflow: WorkflowView }>(kept)
    expect(workflow).toMatchObject({ slug: 'door-watch', state: 'test', trigger: 'webhook' })
    hook = workflow.hook ?? ''
    expect(await body(call(`/api/v1/workflows/${workflow.id}`))).toMatchObject({ yaml: YAML })
    const twice = await post(YAML)
    expect(twice.status).toBe(409)
    expect(await body(twice)).toMatchObject({
      code: 'name_taken',
      detail: expect.stringContaining(`PUT /api/v1/workflows/${workflow.id} `),
    })
    const headers = { 'content-type': 'text/yaml' }
    const copied = await call('/api/v1/workflows?copy=1', { method: 'POST', headers, body: YAML })
    const { workflow: copy } = await body<{ workflow: WorkflowView }>(copied)
    const remove = () => call(`/api/v1/workflows/${copy.id}`, { method: 'DELETE' })
    expect([copied.status, (await remove()).status, (await remove()).status]).toEqual([201, 204, 404])
    expect((await call(copy.hook ?? '', { method: 'POST' })).status).toBe(404)
  })

  it('runs on a picture, and shows it with what was seen', async () => {
    const response = await call(hook, withPicture({ camera: 'door' }))
    expect(response.status).toBe(202)
    const { run } = await body<Outcome>(response)
    if (run === null) throw new Error('it was kept out')
    await box.engine.settled(run, 30_000)
    const view = await body<RunView>(call(`/api/v1/runs/${run}`))
    expect(view).toMatchObject({ status: 'done', steps: [{ outcome: 'somebody' }, { status: 'would_have' }] })
    const picture = await call(`/api/v1/media/${view.pictures[0]?.media}`)
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await picture.arrayBuffer()).equals(readFileSync(PICTURE))).toBe(true)
  })

  it('counts what it did', async () => {
    const text = await (await call('/metrics')).text()
    expect(text).toContain('\ngatehouse_runs_started_total 1\n')
    expect(text).toContain('\ngatehouse_runs_ended_total{status="done"} 1\n')
    expect(text).toMatch(/\ngatehouse_store_commits_total [1-9]\d*\n/)
    expect(text).toContain('\ngatehouse_inference_restarts_total 0\n')
    expect(text).toContain('\ngatehouse_moves_unsettled 0\n')
  })

  it('is as sure that nothing is written as the catalogue says', async () => {
    const yaml = YAML.replace('Door watch', 'Reader')
      .replace('people: { measure: count, of: person }', 'words: { measure: text }')
      .replace('people: { at_least: 1 }', 'words: { is_not: "" }')
    const saved = await box.engine.save(yaml)
    if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
    const coffee = readFileSync(resolve(PICTURE, '../coffee.jpg'))
    const form = new FormData()
    form.set('picture', new File([coffee], 'coffee.jpg'))
    const { run } = await body<Outcome>(call(saved.workflow.hook ?? '', { method: 'POST', body: form }))
    const view = await box.engine.settled(run ?? 0, 30_000)
    const { no_text } = Catalogue.load(resources().models).forTask('read').calibration
    expect(no_text).toBeGreaterThan(0.5)
    expect(view.steps[0]).toMatchObject({
      outcome: 'nobody',
      confidence: no_text,
      confidence_source: 'measured',
    })
  })

  it('says why no run starts: a guard, a repeat, Off', async () => {
    const json = { method: 'POST', headers: { 'content-type': 'application/json', 'webhook-id': 'd-1' } }
    const send = (init: RequestInit) => body<Outcome>(call(hook, init))
    expect(await send({ ...json, body: '{"colour":"red"}' })).toMatchObject({
      run: null,
      reason: { code: 'guard' },
    })
    expect(await send({ ...json, body: '{"colour":"red"}' })).toMatchObject({
      run: null,
      reason: { code: 'seen' },
    })
    await call('/api/v1/workflows/door-watch/state', { ...json, body: '{"state":"off"}' })
    expect(await send({ method: 'POST' })).toMatchObject({ run: null, reason: { code: 'off' } })
    await call('/api/v1/workflows/door-watch/state', { ...json, body: '{"state":"test"}' })
  })

  it('answers wrong requests as problems, whatever stands behind the route', async () => {
    const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const wrong: [string, RequestInit][] = [
      ['/api/v1/runs/1/settle', { ...json, body: '{"happened":true}' }],
      ['/api/v1/runs/999/stop', { ...json, body: '{}' }],
      ['/api/v1/workflows', { ...json, body: '{"yaml":"\\u0000"}' }],
      ['/api/v1/workflows', { ...json, body: JSON.stringify({ yaml: '['.repeat(100_000) }) }],
      ['/api/v1/workflows/door-watch/press', { method: 'POST' }],
      ['/api/v1/media/999', {}],
    ]
    for (const [path, init] of wrong) {
      const response = await call(path, init)
      expect([path, response.headers.get('content-type')]).toEqual([path, 'application/problem+json'])
      expect([path, response.status < 500]).toEqual([path, true])
    }
  })

  it('describes itself', async () => {
    for (const path of [
      'workflows/registry',
      'workflows/schema',
      'system/hardware',
      'system/models',
      'system/health',
    ])
      expect([path, (await call(`/api/v1/${path}`)).status]).toEqual([path, 200])
    expect(await body(call('/ready'))).toEqual({ status: 'ready' })
    const yaml = {
      method: 'POST',
      headers: { 'content-type': 'text/yaml' },
      body: YAML.replace('role:guard', 'guard'),
    }
    const { problems } = await body<{ problems: unknown[] }>(call('/api/v1/workflows/validate', yaml))
    expect(problems.length).toBeGreaterThan(0)
  })

  it.skipIf(!hasBrowser)('lets a person try it, and shows the trace as it comes', async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(`${url}/`)
      await page.getByRole('link', { name: 'Door watch', exact: true }).click()
      await page.getByLabel('Choose a picture').setInputFiles(PICTURE)
      await page.getByRole('button', { name: 'Run it' }).click()
      await page.getByRole('heading', { name: 'Somebody' }).waitFor()
      await page.locator('.word.object', { hasText: 'person' }).waitFor()
      await page.getByText('Would have:').waitFor()
    } finally {
      await browser.close()
    }
  })

  it('says who switched what', async () => {
    const [workflow] = (await body<{ workflows: WorkflowView[] }>(call('/api/v1/workflows'))).workflows
    const to = (state: string) =>
      call(`/api/v1/workflows/${workflow?.id}/state`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ state }),
      })
    expect((await to('off')).status).toBe(200)
    expect((await to(workflow?.state ?? '')).status).toBe(200)
    const { entries } = await body<{ entries: object[] }>(call('/api/v1/audit?limit=2'))
    expect(entries).toMatchObject([
      { by: 'this machine', action: `workflow.${workflow?.state}`, target: `workflow ${workflow?.slug}` },
      { by: 'this machine', action: 'workflow.off' },
    ])
  })
})
