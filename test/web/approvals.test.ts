import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { type ManualClock, noLog } from '../../src/core/index.ts'
import type { ApprovalView, RunView, WorkflowView } from '../../src/engine/index.ts'
import { Site } from '../../src/site/index.ts'
import { type Box, startBox } from './box.ts'

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

describe('questions over HTTP', () => {
  let box: Box<ManualClock>
  beforeEach(async () => {
    box = await startBox()
  })
  afterEach(() => box.stop())
  const call = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${box.port}/api/v1${path}`, init)
  const problem = async (response: Response | Promise<Response>) => {
    const { status, code } = (await (await response).json()) as { status: number; code: string }
    return [status, code]
  }

  it('are listed, all or only the open ones', async () => {
    const open = box.engine.ask({})
    const decided = box.engine.ask({ status: 'expired', left_ms: null })
    expect(await (await call('/approvals')).json()).toEqual({ approvals: [open, decided] })
    expect(await (await call('/approvals?open=true')).json()).toEqual({ approvals: [open] })
    expect(await problem(call('/approvals?open=yes'))).toEqual([400, 'bad_query'])
  })

  it('are answered once, by whoever sits at this machine', async () => {
    const { id } = box.engine.ask({})
    const answered = await call(`/approvals/${id}`, post({ reply: 'Yes' }))
    expect(answered.status).toBe(200)
    expect(await answered.json()).toMatchObject({ answered_by: 'this machine', identified_by: 'loopback' })
    expect(await problem(call(`/approvals/${id}`, post({ reply: 'Yes' })))).toEqual([409, 'already_decided'])
    for (const body of [{}, { reply: 1 }, { answer: 'Yes' }, []])
      expect(await problem(call(`/approvals/${id}`, post(body)))).toEqual([422, 'bad_body'])
    expect(await problem(call('/approvals/x', post({ reply: 'Yes' })))).toEqual([404, 'not_found'])
    expect(await problem(call('/approvals', post({ reply: 'Yes' })))).toEqual([405, 'method_not_allowed'])
  })

  it('have two routes, and answering one takes the permission to approve', () => {
    const others = box.server.routes.filter(({ path }) => path.startsWith('/api/v1/approvals'))
    expect(others.map(({ method, path, permission }) => `${method} ${path} ${permission}`).sort()).toEqual([
      'GET /api/v1/approvals workflows.view',
      'POST /api/v1/approvals/:id workflows.approve',
    ])
  })

  it('are told on the stream, first those that are open or were decided lately', async () => {
    const at = (ms: number) => new Date(box.clock.now() - ms).toISOString()
    box.engine.ask({ message: 'open' })
    box.engine.ask({ message: 'lately', status: 'answered', decided_at: at(60_000) })
    box.engine.ask({ message: 'long ago', status: 'answered', decided_at: at(3_600_000) })
    const reader = (await call('/stream')).body?.getReader()
    const decoder = new TextDecoder()
    const next = async () => {
      const text = decoder.decode((await reader?.read())?.value)
      const [, event, data = ''] = /^event: (.*)\n(?:(?:id|retry): .*\n)*data: (.*)\n\n$/.exec(text) ?? []
      return { event, data: JSON.parse(data) as ApprovalView & { approvals: ApprovalView[] } }
    }
    const first = await next()
    expect([first.event, first.data.approvals.map(({ message }) => message)]).toEqual([
      'init',
      ['open', 'lately'],
    ])
    box.engine.ask({ id: 7, message: 'new' })
    box.clock.advance(100)
    expect(await next()).toMatchObject({ event: 'approval', data: { id: 7, message: 'new' } })
    await reader?.cancel()
  })
})

describe('a question of the whole box', () => {
  const yaml = `contract: workflow.v1
name: Door
state: on
when: { webhook: {} }
then:
  - ask_person: { who: role:guard, message: Open?, replies: ["Yes", "No"], timeout: 1h }
`
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-ask-'))
  const site = Site.load('people:\n  guard: { roles: [guard] }\n', 'site.yaml')
  const box = new Appliance({ dataDir, resources: resources(), site, log: noLog, port: 0 })
  let url = ''
  beforeAll(async () => {
    url = `${((await box.start()).url ?? '').replace('localhost', '127.0.0.1')}`
  })
  afterAll(async () => {
    await box.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const api = async <T>(path: string, init?: RequestInit) =>
    (await (await fetch(`${url}/api/v1${path}`, init)).json()) as T
  const open = async () => (await api<{ approvals: ApprovalView[] }>('/approvals?open=true')).approvals

  it('is ended by its own answer, and by no other route that does not stop its run', async () => {
    const { workflow } = await api<{ workflow: WorkflowView }>('/workflows', post({ yaml }))
    const { run } = await api<{ run: number }>((workflow.hook ?? '').replace('/api/v1', ''), {
      method: 'POST',
    })
    await expect.poll(async () => (await open()).length, { timeout: 10_000 }).toBe(1)
    const [question] = await open()
    const id = question?.id ?? 0
    const table = await startBox()
    const everything = {
      ...{ id, ids: [id], all: true, run, reply: 'Yes', status: 'answered', happened: true, step: 0 },
      ...{ state: 'test', right: true, note: 'x', version: 1, yaml, set: {}, paused: true, ms: 1 },
    }
    const tried: string[] = []
    for (const { method, path } of table.server.routes) {
      if (method === 'GET' || ['/api/v1/approvals/:id', '/api/v1/runs/:id/stop'].includes(path)) continue
      const address = path.replace(/:[a-z]+/, String(workflow.id)).replace(/:[a-z]+/, 'x')
      await fetch(url + address, { ...post(everything), method })
      tried.push(path)
      expect([path, (await open()).map(each => each.id)]).toEqual([path, [id]])
    }
    await table.stop()
    expect(tried.length).toBeGreaterThan(8)
    expect(await api(`/approvals/${id}`, post({ reply: 'No' }))).toMatchObject({ answer: 'No' })
    await expect
      .poll(async () => (await api<RunView>(`/runs/${run}`)).status, { timeout: 10_000 })
      .toBe('done')
    expect(await open()).toEqual([])
  })
})
