import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Box, startBox, workflowView } from './box.ts'

let box: Box
beforeAll(async () => {
  box = await startBox()
})
afterAll(() => box.stop())

const call = (path: string, init: RequestInit = {}) =>
  fetch(box.url.replace('localhost', '127.0.0.1') + path, init)
const post = (path: string, body: unknown, method = 'POST') =>
  call(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

async function expectProblem(response: Response, status: number, code: string) {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const body = (await response.json()) as Record<string, unknown>
  expect(body).toMatchObject({ type: 'about:blank', title: expect.any(String), status, code })
  expect(body.detail).toMatch(/^[^\n]+[.:]?$/)
  expect(response.status).toBe(status)
  return body
}

describe('workflows', () => {
  it('are written as YAML or JSON, listed, read and replaced', async () => {
    const made = await call('/api/v1/workflows', {
      method: 'POST',
      headers: { 'content-type': 'text/yaml; charset=utf-8' },
      body: 'name: x',
    })
    expect(made.status).toBe(201)
    const { workflow } = (await made.json()) as { workflow: { id: number } }
    expect(made.headers.get('location')).toBe(`/api/v1/workflows/${workflow.id}`)
    const put = await post(`/api/v1/workflows/${workflow.id}`, { yaml: 'name: y' }, 'PUT')
    expect(put.status).toBe(200)
    expect(await (await call('/api/v1/workflows')).json()).toMatchObject({ workflows: [{ id: workflow.id }] })
    const read = await (await call(`/api/v1/workflows/workflow-${workflow.id}`)).json()
    expect(read).toMatchObject({ id: workflow.id, yaml: 'name: x\n' })
  })

  it('with errors are refused with all problems, and nothing is stored', async () => {
    const before = box.engine.all.size
    const refused = await expectProblem(
      await post('/api/v1/workflows', { yaml: 'nothing' }),
      422,
      'bad_workflow',
    )
    expect(refused.problems).toMatchObject([{ line: 1, column: 1, code: 'missing_key' }])
    expect(box.engine.all.size).toBe(before)
  })

  it('go On where marked runs come out differently only when that is confirmed', async () => {
    box.engine.all.set(8, workflowView(8, { name: 'Flips' }))
    const state = () => box.engine.all.get(8)?.state
    const refused = await expectProblem(
      await post('/api/v1/workflows/8/state', { state: 'on' }),
      409,
      'cases_flipped',
    )
    expect([refused.cases, state()]).toEqual([{ tried: [], worse: 1, better: 0 }, 'test'])
    expect((await post('/api/v1/workflows/8/state', { state: 'off' })).status).toBe(200)
    expect((await post('/api/v1/workflows/8/state?confirm=true', { state: 'on' })).status).toBe(200)
    // Where it is On already nothing is looked at anew.
    expect((await post('/api/v1/workflows/8/state', { state: 'on' })).status).toBe(200)
    expect(state()).toBe('on')
  })

  it('are switched, with a word that is one of three', async () => {
    box.engine.all.set(9, workflowView(9))
    expect(await (await post('/api/v1/workflows/9/state', { state: 'on' })).json()).toMatchObject({
      state: 'on',
    })
    await expectProblem(await post('/api/v1/workflows/9/state', { state: 'ON' }), 422, 'bad_state')
    await expectProblem(await post('/api/v1/workflows/9/state', null), 422, 'bad_state')
    await expectProblem(await post('/api/v1/workflows/77/state', { state: 'on' }), 404, 'not_found')
  })

  it('are checked and described without being stored', async () => {
    expect(await (await post('/api/v1/workflows/validate', { yaml: 'x' })).json()).toEqual({ problems: [] })
    expect(await (await call('/api/v1/workflows/registry')).json()).toEqual({ triggers: [] })
    expect(await (await call('/api/v1/workflows/schema')).json()).toEqual({ type: 'object' })
  })
})

describe('runs', () => {
  it('come newest first, page by page, of all workflows or of one', async () => {
    const [a, b] = [workflowView(21), workflowView(22)]
    box.engine.all.set(21, a).set(22, b)
    const ids = [a, b, a].map(workflow => box.engine.add(workflow).id).reverse()
    const page = async (path: string) =>
      (await (await call(path)).json()) as { runs: { id: number }[]; next: number }
    const first = await page('/api/v1/runs?limit=2')
    expect(first.runs.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const second = await page(`/api/v1/runs?limit=1&before=${first.next}`)
    expect(second.runs.map(({ id }) => id)).toEqual(ids.slice(2, 3))
    expect((await page('/api/v1/workflows/22/runs')).runs.map(({ id }) => id)).toEqual([ids[1]])
    for (const bad of ['limit=0', 'limit=201', 'limit=x', 'before=-1', 'before=1e3'])
      await expectProblem(await call(`/api/v1/runs?${bad}`), 400, 'bad_query')
  })

  it('are read, stopped and settled', async () => {
    const { id } = box.engine.add(workflowView(21))
    expect(await (await call(`/api/v1/runs/${id}`)).json()).toEqual(box.engine.run(id))
    expect(await (await post(`/api/v1/runs/${id}/stop`, {})).json()).toMatchObject({ status: 'stopped' })
    const settled = await (await post(`/api/v1/runs/${id}/settle`, { happened: false })).json()
    expect(settled).toMatchObject({ values: { happened: false, by: 'this machine' } })
    await expectProblem(await post(`/api/v1/runs/${id}/settle`, { happened: 'yes' }), 422, 'bad_body')
    for (const none of ['0', '-1', '1.5', '1e2', '999999', 'x', '%00', '9'.repeat(30)])
      await expectProblem(await call(`/api/v1/runs/${none}`), 404, 'not_found')
  })
})

describe('the box', () => {
  it('says how it is', async () => {
    expect(await (await call('/health')).json()).toEqual({ status: 'ok', version: '0.1.0' })
    expect((await call('/ready')).status).toBe(200)
    expect(await (await call('/api/v1/system/health')).json()).toEqual({
      ready: true,
      free_bytes: 1,
      storage: { low: false, free_bytes: null, stored_bytes: null },
      time_zone: 'Europe/Berlin',
      version: '0.1.0',
      shed: { queue_full: 2, bodies: 0 },
    })
    expect(await (await call('/api/v1/system/hardware')).json()).toEqual({ cores: 2 })
    expect(await (await call('/api/v1/system/models')).json()).toEqual({ models: [] })
  })

  it('hands out pictures as pictures and everything else as a file', async () => {
    box.pictures.set(1, { bytes: new Uint8Array([1, 2, 3]), type: 'image/webp' })
    box.pictures.set(2, { bytes: new TextEncoder().encode('<script>'), type: 'text/html' })
    const picture = await call('/api/v1/media/1')
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=31536000, immutable',
    })
    expect(new Uint8Array(await picture.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]))
    const other = await call('/api/v1/media/2')
    expect(other.headers.get('content-type')).toBe('application/octet-stream')
    expect(other.headers.get('content-disposition')).toBe('attachment')
    await expectProblem(await call('/api/v1/media/3'), 404, 'not_found')
  })

  it('plays clips, whole or the part that a player asks for', async () => {
    box.pictures.set(5, { bytes: new TextEncoder().encode('0123456789'), type: 'video/mp4' })
    const part = (range: string, method = 'GET') =>
      call('/api/v1/media/5', { method, headers: { range } }).then(async answer => [
        answer.status,
        answer.headers.get('content-range'),
        await answer.text(),
      ])
    const whole = await call('/api/v1/media/5')
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-disposition': 'inline',
      'accept-ranges': 'bytes',
    })
    expect(await whole.text()).toBe('0123456789')
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await part('bytes=-99')).toEqual([206, 'bytes 0-9/10', '0123456789'])
    expect(await part('bytes=0-99')).toEqual([206, 'bytes 0-9/10', '0123456789'])
    for (const odd of ['bytes=0-1,3-4', 'bytes=-', 'lines=1-2', 'bytes=a-b', 'bytes=99999999999999999-'])
      expect(await part(odd)).toEqual([200, null, '0123456789'])
    for (const none of ['bytes=10-', 'bytes=4-2', 'bytes=-0']) {
      const [status, range] = await part(none)
      expect([status, range]).toEqual([416, 'bytes */10'])
    }
  })

  it('serves the page with its policy, at every address of a view', async () => {
    for (const path of ['/', '/runs/1', '/workflows/2']) {
      const page = await call(path)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      const html = await page.text()
      const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(match => match[1] ?? '')
      expect(assets.map(name => name.split('.').at(-1)).sort()).toEqual(['css', 'js', 'svg'])
      for (const asset of assets)
        expect((await call(asset)).headers.get('cache-control')).toContain('immutable')
      expect(html).not.toMatch(/<script>|<style|style="/)
    }
    await expectProblem(await call('/assets/__proto__'), 404, 'not_found')
    await expectProblem(await call('/assets/..%2F..%2Fpackage.json'), 404, 'not_found')
  })
})

describe('what is asked wrongly', () => {
  it('is a small page for a browser, with a way back', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const response = await fetch(`http://localhost:${box.port}/nonsense`, { headers: { accept } })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(await response.text()).toContain('<a href="/">')
    const program = await fetch(`http://localhost:${box.port}/nonsense`)
    expect(program.headers.get('content-type')).toBe('application/problem+json')
  })

  it('is answered with 404 or 405, and how to ask', async () => {
    await expectProblem(await call('/api/v1/nothing'), 404, 'not_found')
    const wrong = await call('/api/v1/workflows/1/press')
    expect(wrong.headers.get('allow')).toBe('POST')
    await expectProblem(wrong, 405, 'method_not_allowed')
    const deleted = await call('/api/v1/workflows', { method: 'DELETE' })
    expect(deleted.headers.get('allow')).toBe('GET, HEAD, POST')
    await expectProblem(deleted, 405, 'method_not_allowed')
  })

  it('is answered with 400, 413 and 415 about the body', async () => {
    const json = { 'content-type': 'application/json' }
    const path = '/api/v1/workflows'
    const send = (body: BodyInit, headers: Record<string, string>) =>
      call(path, { method: 'POST', body, headers })
    await expectProblem(await send('{"yaml":', json), 400, 'bad_json')
    await expectProblem(await send(new Uint8Array([0x22, 0xff, 0x22]), json), 400, 'bad_encoding')
    await expectProblem(await send('name: x', { 'content-type': 'application/pdf' }), 415, 'unsupported_type')
    await expectProblem(
      await send('x'.repeat(1024 * 1024 + 1), { 'content-type': 'text/yaml' }),
      413,
      'too_large',
    )
    const endless = new ReadableStream({
      pull: controller => controller.enqueue(new Uint8Array(65_536).fill(32)),
    })
    await expectProblem(await send(endless, { 'content-type': 'text/yaml' }), 413, 'too_large')
  })

  it('may be absent where the stored file does', async () => {
    box.engine.all.set(1, workflowView(1))
    const tried = await call('/api/v1/workflows/1/try', { method: 'POST' })
    expect([tried.status, await tried.json()]).toMatchObject([200, { tried: [] }])
    await expectProblem(await call('/api/v1/workflows/try', { method: 'POST' }), 422, 'bad_body')
    const watched = await call('/api/v1/workflows/1/try?watch=true', { method: 'POST' })
    expect([watched.headers.get('content-type'), await watched.text()]).toEqual([
      'application/x-ndjson',
      '{"ended":{"tried":0,"flipped":0}}\n',
    ])
    // What is refused before the first line is refused as ever.
    const bad = { method: 'POST', headers: { 'content-type': 'text/yaml' }, body: 'x' }
    await expectProblem(await call('/api/v1/workflows/try?watch=true', bad), 422, 'bad_workflow')
  })

  it('that is an old version which does not hold any more says what to change', async () => {
    box.engine.all.set(1, workflowView(1))
    const place = { line: 4, column: 1, path: 'needs' }
    const message = 'This site lists gate as tell.'
    const problem = { severity: 'error', code: 'destination_class', message, ...place } as const
    const rollback = vi
      .spyOn(box.engine, 'rollback')
      .mockResolvedValueOnce({ ok: false, problems: [problem] })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ version: 2 })
    const answer = await call('/api/v1/workflows/1/rollback', { method: 'POST', headers, body })
    const { detail, problems } = (await answer.json()) as { detail: string; problems: unknown[] }
    expect([answer.status, problems]).toEqual([422, [problem]])
    expect(detail).toBe(
      'Version 2 does not hold at this site any more: This site lists gate as tell. Change the site so that it does, or save a file that does.',
    )
    rollback.mockRestore()
  })

  it('keeps its details inside where the fault is ours', async () => {
    const { registry } = { registry: box.engine.workflows }
    box.engine.workflows = () => {
      throw new Error('secret path /var/lib/x')
    }
    const body = await expectProblem(await call('/api/v1/workflows'), 500, 'internal')
    box.engine.workflows = registry
    expect(JSON.stringify(body)).not.toContain('secret')
  })
})

describe('the table of routes', () => {
  it('names a permission for each, and GET and HEAD change nothing', async () => {
    const before = JSON.stringify([...box.engine.all, ...box.engine.runViews, box.engine.events.length])
    for (const { method, path, permission } of box.server.routes) {
      expect(permission).toMatch(/^(public|hook|account|(workflows|events|site|system|users)\.[a-z]+)$/)
      if (method !== 'GET' || path === '/api/v1/stream') continue
      const get = await call(path.replace(':id', '1'))
      await get.body?.cancel()
      const head = await call(path.replace(':id', '1'), { method: 'HEAD' })
      expect([path, head.status]).toEqual([path, get.status])
      expect(await head.text()).toBe('')
    }
    expect(JSON.stringify([...box.engine.all, ...box.engine.runViews, box.engine.events.length])).toBe(before)
  })
})

describe('drafts', () => {
  it('are answered with their problems, and nothing is stored', async () => {
    const before = box.engine.all.size
    const drafted = await post('/api/v1/workflows/draft', { sentence: 'Tell me' })
    expect([drafted.status, await drafted.json()]).toEqual([
      200,
      { yaml: 'name: Tell me\n', problems: [], rounds: 1, model: 'scripted' },
    ])
    expect(box.engine.all.size).toBe(before)
  })

  it('are refused without a sentence, and say what to do without a model', async () => {
    await expectProblem(await post('/api/v1/workflows/draft', {}), 422, 'bad_body')
    await expectProblem(await post('/api/v1/workflows/draft', { sentence: 'down' }), 503, 'llm_down')
  })
})
