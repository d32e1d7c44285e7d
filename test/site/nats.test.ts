import { expect, test } from 'vitest'
import { Site, SiteError } from '../../src/site/index.ts'

const load = (nats: string) => Site.load(`nats: ${nats}\n`, '/site/site.yaml').nats
const problems = (nats: string) => {
  try {
    load(nats)
  } catch (error) {
    if (error instanceof SiteError) return error.problems.map(({ path, code }) => `${path} ${code}`)
    throw error
  }
  return []
}

test('a site names its NATS server, how the box says who it is, and whom it trusts', () => {
  expect(Site.load('', 'site.yaml').nats).toBeNull()
  expect(load('{ url: "nats://192.168.1.20" }')).toEqual({
    servers: [{ host: '192.168.1.20', port: 4222, tls: false }],
    auth: { kind: 'none' },
    tls: false,
    ca: null,
    queue: 'gatehouse',
    jetstream: null,
  })
  expect(
    load('{ url: ["tls://nvr.lan:4443", "nats://[fd00::2]:4222"], tls: { ca: ca.pem }, queue: box-2 }'),
  ).toMatchObject({
    servers: [
      { host: 'nvr.lan', port: 4443, tls: true },
      { host: '[fd00::2]', port: 4222, tls: false },
    ],
    tls: true,
    ca: '/site/ca.pem',
    queue: 'box-2',
  })
  expect(load('{ url: "tls://nvr.lan" }')?.tls).toBe(true)
  expect(load('{ url: "nats://a", jetstream: { stream: NVR } }')?.jetstream).toEqual({
    stream: 'NVR',
    durable: 'gatehouse',
  })
  const auth = (it: string) => load(`{ url: "nats://a", auth: ${it} }`)?.auth
  expect(auth('{ token: { secret: nats } }')).toEqual({ kind: 'token', token: { secret: 'nats' } })
  expect(auth('{ user: box, password: { secret: pw } }')).toEqual({
    kind: 'user',
    user: 'box',
    password: { secret: 'pw' },
  })
  expect(auth('{ nkey: { secret: seed } }')).toEqual({ kind: 'nkey', seed: { secret: 'seed' } })
})

test.each([
  ['{ url: "192.168.1.20:4222" }', 'nats.url wrong_value'],
  ['{ url: "ws://a:80" }', 'nats.url wrong_value'],
  ['{ url: "nats://" }', 'nats.url wrong_value'],
  ['{ url: "nats://a/path" }', 'nats.url wrong_value'],
  ['{ url: ["nats://a", "nats://user:pw@b"] }', 'nats.url.1 credentials_in_url'],
  ['{ url: "nats://token@a" }', 'nats.url credentials_in_url'],
  ['{ url: "nats://a", auth: { token: { secret: t }, nkey: { secret: n } } }', 'nats.auth wrong_value'],
  ['{ url: "nats://a", auth: { user: u, token: { secret: t } } }', 'nats.auth wrong_value'],
  ['{ url: "nats://a", auth: { password: { secret: p } } }', 'nats.auth missing_key'],
])('it refuses %s', (nats, problem) => {
  expect(problems(nats)).toEqual([problem])
})

test.each([
  '{}',
  'nats://a',
  '{ url: [] }',
  '{ url: "nats://a", auth: { token: plain } }',
  '{ url: "nats://a", queue: "a b" }',
  '{ url: "nats://a", queue: "*" }',
  '{ url: "nats://a", servers: x }',
  '{ url: "nats://a", jetstream: NVR }',
  '{ url: "nats://a", jetstream: { stream: "a.b" } }',
])('it does not take %s', nats => {
  expect(problems(nats).length).toBeGreaterThan(0)
})
