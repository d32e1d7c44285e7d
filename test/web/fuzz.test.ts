import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Box, JPEG, startBox, workflowView } from './box.ts'

let box: Box
beforeAll(async () => {
  box = await startBox()
  box.engine.all.set(1, workflowView(1))
  box.engine.all.set(2, workflowView(2, { trigger: 'button', hook: null }))
})
afterAll(() => box.stop())

const json = fc.json({ maxDepth: 4 })
const bodies = fc.oneof(
  fc.constant({ type: 'application/json', body: '{"state":"on","happened":true,"yaml":"name: x"}' }),
  fc.record({ type: fc.constant('application/json'), body: fc.oneof(json, fc.string()) }),
  fc.record({ type: fc.constant('text/yaml'), body: fc.string({ unit: 'binary' }) }),
  fc.record({
    type: fc.constantFrom(
      'multipart/form-data; boundary=b',
      'multipart/form-data',
      'a/b',
      '',
      ';',
      'x'.repeat(2000),
    ),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(fc.constantFrom('event', 'picture', '__proto__', ''), fc.oneof(json, fc.string()))
        .map(
          ([name, value]) =>
            `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`,
        ),
      fc.constant(JPEG),
    ),
  }),
)
const ids = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('1', '2', 'secret-1') },
  fc.constantFrom('workflow-1', '%00', '..', '%2e%2e', '%'),
  fc.string(),
)

it('no route answers anything with a fault of its own', async () => {
  const routes = box.server.routes.filter(({ path }) => path !== '/api/v1/stream')
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...routes),
      ids,
      bodies,
      fc.dictionary(fc.constantFrom('before', 'limit', '__proto__', 'x'), fc.string()),
      async ({ method, path }, id, { type, body }, query) => {
        const address = path.replace(/:\w+/, id.startsWith('%') ? id : encodeURIComponent(id))
        const response = await fetch(`http://127.0.0.1:${box.port}${address}?${new URLSearchParams(query)}`, {
          method,
          headers: type ? { 'content-type': type } : {},
          ...(method === 'GET' ? {} : { body: body as BodyInit }),
        })
        const text = await response.text()
        seen.add(response.status)
        expect([method, address, response.status < 500]).toEqual([method, address, true])
        if (response.status < 400) return
        expect(response.headers.get('content-type')).toBe('application/problem+json')
        expect(JSON.parse(text)).toMatchObject({
          status: response.status,
          code: expect.stringMatching(/^[a-z_]+$/),
        })
      },
    ),
    { numRuns: 600 },
  )
  // It went in deep enough to be taken seriously.
  expect([...seen].sort()).toEqual(expect.arrayContaining([200, 400, 404, 415, 422]))
})
