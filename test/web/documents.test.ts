import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metricsText } from '../../src/web/metrics.ts'
import { schemaOf } from '../../src/web/openapi.ts'
import type { Route } from '../../src/web/route.ts'
import { type Box, startBox, workflowView } from './box.ts'

let box: Box
beforeAll(async () => {
  box = await startBox()
  box.engine.all.set(1, workflowView(1))
  box.engine.add(workflowView(1))
  box.engine.tell()
})
afterAll(() => box.stop())

const call = (path: string) => fetch(`http://127.0.0.1:${box.port}${path}`)

interface Operation {
  summary: string
  'x-permission': string
  parameters: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { content: Record<string, { schema: { properties?: object } }> }>
}

describe('openapi.json', () => {
  it('names every route of the table but those of the page', async () => {
    const document = (await (await call('/api/v1/openapi.json')).json()) as {
      openapi: string
      paths: Record<string, Record<string, Operation>>
    }
    expect(document.openapi).toBe('3.1.0')
    const routes = box.server.routes.filter(
      ({ path }) => path.startsWith('/api/') || ['/health', '/ready', '/metrics'].includes(path),
    )
    const asDocument = routes.map(({ method, path }) =>
      [method.toLowerCase(), path.replaceAll(/:(\w+)/g, '{$1}')].join(' '),
    )
    const named = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(method => `${method} ${path}`),
    )
    expect(named.sort()).toEqual(asDocument.sort())
    const operations = Object.values(document.paths).flatMap(each => Object.values(each))
    const ids = operations.map(each => (each as unknown as { operationId: string }).operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const settle = document.paths['/api/v1/runs/{id}/settle']?.post
    expect(settle).toMatchObject({
      'x-permission': 'workflows.approve',
      parameters: [{ name: 'id', in: 'path', required: true }],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              properties: { happened: { type: 'boolean' }, step: { type: 'integer' } },
              required: ['happened'],
            },
          },
        },
      },
      responses: { default: { content: { 'application/problem+json': {} } } },
    })
    const notices = document.paths['/api/v1/notices']?.get
    expect(notices?.parameters).toContainEqual({
      ...{ name: 'kind', in: 'query', required: false, schema: { enum: ['alert', 'notify'] } },
    })
    expect(document.paths['/api/v1/hooks/{id}']?.post?.responses).toHaveProperty('202')
  })

  it('says of answers what they are', async () => {
    let checked = 0
    for (const { method, path, answer } of box.server.routes as readonly Route[]) {
      if (method !== 'GET' || answer === undefined || path === '/api/v1/stream') continue
      const response = await call(path.replace(':id', '1').replace(':version', '1'))
      if (response.status !== 200) continue
      const type = response.headers.get('content-type') ?? ''
      if (typeof answer === 'string') {
        expect([path, type.startsWith(answer.replace('*', ''))]).toEqual([path, true])
        continue
      }
      const body = (await response.json()) as Record<string, unknown>
      const { properties, required } = schemaOf(answer)
      for (const name of required) {
        const schema = properties[name] as { type?: string | string[]; enum?: unknown[] }
        const value = body[name]
        const is = Array.isArray(value)
          ? 'array'
          : value === null
            ? 'null'
            : Number.isSafeInteger(value)
              ? 'integer'
              : typeof value
        expect([path, name, schema.enum?.includes(value) ?? [schema.type].flat().includes(is)]).toEqual([
          path,
          name,
          true,
        ])
      }
      checked++
    }
    expect(checked).toBeGreaterThanOrEqual(9)
  })
})

describe('/metrics', () => {
  it('is text that Prometheus reads', async () => {
    const response = await call('/metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    expect(text).toContain('# HELP gatehouse_runs Runs.\n# TYPE gatehouse_runs gauge\ngatehouse_runs 3\n')
    expect(text).toContain('\ngatehouse_shed_total{reason="queue_full"} 2\n')
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(
        /^(# (HELP|TYPE) gatehouse_[a-z_]+ .+|gatehouse_[a-z_]+(\{[a-z]+="[^"\n]*"\})? \d+)$/,
      )
  })

  it('lets no label out of its quotes', () => {
    const values = [{ labels: { reason: 'a"b\\c\nd' }, value: 1 }]
    expect(metricsText([{ name: 'x', help: 'X.', type: 'counter', values }])).toBe(
      '# HELP gatehouse_x X.\n# TYPE gatehouse_x counter\ngatehouse_x{reason="a\\"b\\\\c\\nd"} 1\n',
    )
  })
})
