/** Files that come and go over HTTP, and what the box says that they do: a real engine, a real store. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import type { Outline, RunSummary, TestHistory, Wanted, WorkflowView } from '../../src/engine/index.ts'
import { Site } from '../../src/site/index.ts'

const CONCIERGE = readFileSync(
  resolve(import.meta.dirname, '../../templates/gate-concierge.yaml'),
  'utf8',
).replace('state: test', 'state: on')
const BUTTON = `contract: workflow.v1
name: Ring
state: test
when: { button: {} }
then:
  - notify: { who: person:guard, message: Somebody rings }
`
const SITE = `cameras:
  north: { name: North gate, roles: [gate] }
people:
  guard: { name: Guard, roles: [guard, recipient] }
lists: { residents: [], deliveries: [] }
destinations:
  gate: { url: "http://127.0.0.1:9/", class: move }
`

let dataDir: string
let box: Appliance
let url: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-exchange-'))
  const site = Site.load(SITE, 'site.yaml')
  box = new Appliance({ dataDir, resources: resources(), site, log: noLog, port: 0 })
  url = `${((await box.start()).url ?? '').replace('localhost', '127.0.0.1')}/api/v1`
})
afterAll(async () => {
  await box.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const bring = async (yaml: string, query = '') => {
  const headers = { 'content-type': 'text/yaml' }
  const response = await fetch(`${url}/workflows/import${query}`, { method: 'POST', headers, body: yaml })
  return { status: response.status, ...((await response.json()) as Imported) }
}
interface Imported {
  code?: string
  problems: { severity: string; message: string }[]
  outline: Outline
  yaml: string
  wanted: Wanted[]
  workflow: WorkflowView | null
}
const get = async <T>(path: string) => (await (await fetch(url + path)).json()) as T

describe('import', () => {
  it('says what a file would do here, and stores nothing', async () => {
    const { status, outline, workflow } = await bring(CONCIERGE)
    expect([status, workflow]).toEqual([200, null])
    expect(outline).toMatchObject({ name: 'Gate concierge', trigger: 'event', reads: ['plates'] })
    const moves = outline.acts.filter(({ effect }) => effect === 'move')
    expect(moves).toMatchObject([{ action: 'webhook', target: 'gate', guard: 'reply' }])
    expect(outline.asks.length).toBeGreaterThan(0)
    expect(outline.cameras).toEqual({ gate: ['North gate'] })
    expect(outline.needs_admin).toBe('it moves something')
    expect(await get('/workflows')).toEqual({ workflows: [] })
  })

  it('refuses a file with errors, all of them at their place', async () => {
    const { status, code, problems } = await bring(CONCIERGE.replaceAll('to: gate', 'to: drawbridge'))
    expect([status, code]).toEqual([422, 'bad_workflow'])
    expect(problems.map(({ message }) => message).join()).toContain('drawbridge')
    expect(await get('/workflows')).toEqual({ workflows: [] })
  })

  it('says which of its names are not here, and takes others of this site in their place', async () => {
    const foreign = CONCIERGE.replace('name: Gate concierge', 'name: Foreign # theirs')
      .replaceAll('to: gate', 'to: drawbridge')
      .replaceAll('destinations: { gate: move }', 'destinations: { drawbridge: move }')
      .replaceAll('list: residents', 'list: tenants')
    const send = async (body: object, query = '') => {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(`${url}/workflows/import${query}`, init)
      return { status: response.status, ...((await response.json()) as Imported) }
    }
    const looked = await send({ yaml: foreign })
    expect([looked.status, looked.code]).toEqual([422, 'bad_workflow'])
    expect(looked.outline.name).toBe('Foreign')
    const missing = looked.wanted.filter(({ here }) => !here).map(({ what, name }) => `${what} ${name}`)
    expect(missing).toEqual(['lists tenants', 'destinations drawbridge'])
    const wanted = (what: string) => looked.wanted.find(each => each.what === what && !each.here)?.choices
    expect(wanted('destinations')).toEqual([{ name: 'gate', says: 'move' }])
    expect(looked.wanted.find(({ what }) => what === 'cameras')).toMatchObject({
      name: 'gate',
      here: true,
      choices: [{ name: 'gate', says: 'North gate' }],
    })
    const names = { lists: { tenants: 'residents' }, destinations: { drawbridge: 'gate' } }
    const mapped = await send({ yaml: foreign, names })
    expect([mapped.status, mapped.workflow]).toEqual([200, null])
    expect(mapped.yaml).toContain('name: Foreign # theirs')
    expect(mapped.wanted.every(({ here }) => here)).toBe(true)
    const stored = await send({ yaml: foreign, names }, '?save=true')
    expect(stored.workflow).toMatchObject({ name: 'Foreign', state: 'off' })
    expect(await box.engine.workflowYaml(stored.workflow?.id ?? 0)).toBe(mapped.yaml)
    await box.engine.remove(stored.workflow?.id ?? 0)
    for (const bad of [{ lists: { tenants: 7 } }, { lists: [] }, { lists: { tenants: 'a\nb' } }])
      expect(await send({ yaml: foreign, names: bad })).toMatchObject({ status: 422, code: 'bad_body' })
  })

  it('arrives Off whatever the file says; a taken name is refused, unless a copy is asked for', async () => {
    const first = await bring(CONCIERGE, '?save=true')
    expect(first.workflow).toMatchObject({ name: 'Gate concierge', state: 'off' })
    const taken = await bring(CONCIERGE, '?save=true')
    expect([taken.status, taken.code]).toEqual([409, 'name_taken'])
    const copy = await bring(CONCIERGE, '?save=true&copy=1')
    expect(copy.workflow).toMatchObject({ state: 'off' })
    expect(copy.workflow?.id).not.toBe(first.workflow?.id)
  })
})

describe('export', () => {
  it('gives a portable file, that comes back as it went', async () => {
    const { workflow } = await bring(BUTTON, '?save=true')
    const out = async (id = 0) => {
      const response = await fetch(`${url}/workflows/${id}/export`)
      expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="ring[-\d]*\.yaml"$/)
      return response.text()
    }
    const yaml = await out(workflow?.id)
    expect(yaml).toContain('role:recipient')
    expect(yaml).not.toContain('person:')
    const again = await bring(yaml, '?save=true&copy=1')
    expect(await out(again.workflow?.id)).toBe(yaml)
  })
})

describe('outline', () => {
  it('counts what was done in Test, and lists find those runs', async () => {
    const { workflows } = await get<{ workflows: WorkflowView[] }>('/workflows')
    const ring = workflows.find(({ name }) => name === 'Ring')
    await box.engine.setState(ring?.id ?? 0, 'test')
    const pressed = await fetch(`${url}/workflows/${ring?.id}/press`, { method: 'POST' })
    const { run } = (await pressed.json()) as { run: number }
    await box.engine.settled(run, 5000)
    const outline = await get<Outline & { test: TestHistory }>(`/workflows/${ring?.id}/outline`)
    expect(outline.test).toEqual({ runs: 1, done: 1, failed: 0, stopped: 0 })
    expect(outline.acts).toMatchObject([{ effect: 'tell', action: 'notify', target: 'person:guard' }])
    expect(outline.needs_admin).toBeNull()
    const runs = async (query: string) =>
      (await get<{ runs: RunSummary[] }>(`/runs?${query}`)).runs.map(({ id }) => id)
    expect(await runs(`state=test&workflow=${ring?.id}&status=done,failed`)).toEqual([run])
    expect(await runs('state=on')).toEqual([])
    expect(await runs('acted=true')).toEqual([])
    expect(await runs('decision=unsure')).toEqual([])
    expect(await runs('since=2001-01-01T00:00:00Z')).toEqual([run])
    expect(await runs('until=2001-01-01T00:00:00Z')).toEqual([])
    for (const bad of ['status=odd', 'since=yesterday', 'acted=maybe', 'state=off'])
      expect([bad, (await fetch(`${url}/runs?${bad}`)).status]).toEqual([bad, 400])
  })
})

describe('templates', () => {
  it('are listed with their files, each of which can be stored as it is', async () => {
    const { templates } = await get<{ templates: { file: string; name: string; yaml: string }[] }>(
      '/workflows/templates',
    )
    expect(templates.map(({ file }) => file)).toContain('gate-concierge.yaml')
    for (const { yaml } of templates) expect(yaml).toMatch(/^contract: workflow\.v1$/m)
  })
})
