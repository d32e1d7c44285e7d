/** What is sent to a route by somebody who means no good, made from the route's own forms. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { DOCUMENT } from '../../../src/web/documented/index.ts'
import type { Operation } from '../document.ts'

type Json = Record<string, unknown>

/** A value that nobody may ever be shown again. */
export const SENTINEL = 'SeNtInEl-4711-never-say-this'

export interface Request {
  method: string
  address: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | null
}

const NASTY_TEXT = [
  '',
  ' ',
  '\0',
  '\u202e',
  '\ud800',
  '../../etc/passwd',
  "' OR 1=1 --",
  '__proto__',
  'constructor',
  '{plate}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'é'.normalize('NFD'),
  '99999999999999999999',
  '-1',
  '1e400',
  'x'.repeat(5000),
] as const

/** As they are written: JSON has no NaN, and people send it all the same. */
const NASTY_JSON = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '9007199254740993',
  'NaN',
  'Infinity',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '[]',
  '{}',
  '[[[[[[[[]]]]]]]]',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  `"${'x'.repeat(70_000)}"`,
  `[${Array.from({ length: 25_000 }, () => 0).join(',')}]`,
] as const

const SEGMENTS = [
  '0',
  '-1',
  '1e3',
  '01',
  '999999999999999999999',
  'NaN',
  '__proto__',
  'constructor',
  '..',
  '%2e%2e',
  '..%2f..%2f..%2fetc%2fpasswd',
  '%00',
  '1%00',
  '%',
  '%ff%fe',
  '%0d%0aset-cookie:%20x=1',
  'residents.csv%00.jpg',
  encodeURIComponent("1' OR '1'='1"),
  encodeURIComponent('ünï codé'),
  'x'.repeat(3000),
] as const

/** JSON of a form: mostly as it should be, with some of it broken. */
function bodyFor(schema: Json): fc.Arbitrary<string> {
  const {
    properties = {},
    type,
    enum: words,
  } = schema as { properties?: Json; type?: unknown; enum?: unknown[] }
  const wrong = fc.constantFrom(...NASTY_JSON)
  const right = words
    ? fc.constantFrom(...words.map(word => JSON.stringify(word)))
    : type === 'boolean'
      ? fc.constantFrom('true', 'false')
      : type === 'integer' || type === 'number'
        ? fc.constantFrom('1', '2', '3')
        : fc.constantFrom(...NASTY_TEXT.map(text => JSON.stringify(text)), '"1h"')
  const names = Object.keys(properties)
  if (!names.length) return fc.oneof(right, wrong)
  const members = names.map(name =>
    fc.oneof(
      {
        weight: 3,
        arbitrary: valueFor(name, properties[name] as Json).map(value => `${JSON.stringify(name)}:${value}`),
      },
      { weight: 1, arbitrary: wrong.map(value => `${JSON.stringify(name)}:${value}`) },
      // Twice, and not at all.
      { weight: 1, arbitrary: wrong.map(value => `"${name}":1,"${name}":${value}`) },
      { weight: 1, arbitrary: fc.constant('') },
    ),
  )
  const more = fc.constantFrom(
    '',
    '"__proto__":{"role":"admin"}',
    '"constructor":1',
    '"":[]',
    '"x":{"x":{"x":1}}',
  )
  return fc.tuple(...members, more).map(all => `{${all.filter(Boolean).join(',')}}`)
}

/** What is a secret is one that is never to be said again. */
const valueFor = (name: string, schema: Json): fc.Arbitrary<string> =>
  /^(password|next|code|link)$/.test(name) ? fc.constant(JSON.stringify(SENTINEL)) : bodyFor(schema)

const WHOLE = [
  '',
  '[]',
  'null',
  '"text"',
  '{',
  '{"a":1,}',
  "{'a':1}",
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
  'a: &a [*a]',
  '--- !!js/function "x"',
  `name: ${'x'.repeat(100_000)}`,
  'contract: workflow.v1\nname: X\nstate: on\nwhen: { button: {} }\nthen: [ app: { id: a, action: b } ]',
  `a: ${'{ a: '.repeat(2000)}1${' }'.repeat(2000)}`,
  'x'.repeat(1_100_000),
] as const

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => new Uint8Array(values)
const BOMB: Uint8Array<ArrayBuffer> = new Uint8Array(gzipSync(new Uint8Array(30_000_000)))

/** The same text in another coat. */
const COATS: readonly ((text: string) => [string | Uint8Array<ArrayBuffer>, Record<string, string>])[] = [
  ...Array.from({ length: 6 }, () => (text: string) => [text, {}] as [string, Record<string, string>]),
  text => [`\ufeff${text}`, {}],
  text => [new Uint8Array(Buffer.from(text, 'utf16le')), {}],
  text => [new Uint8Array([...Buffer.from(text.slice(0, 200)), 0xff, 0xfe, 0x80]), {}],
  text => [new Uint8Array(gzipSync(text)), { 'content-encoding': 'gzip' }],
  text => [text, { 'content-encoding': 'br' }],
  () => [BOMB, { 'content-encoding': 'gzip' }],
  () => [bytes(0, 159, 146, 150), {}],
]

const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/json, text/yaml',
  'application/x-www-form-urlencoded',
  'text/plain',
  'text/csv',
  'application/yaml',
  'application/problem+json',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'image/jpeg',
  ';',
  'x'.repeat(4000),
] as const

const part = (name: string, value: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

const FORMS = [
  part('event', '{"camera":"gate"}'),
  `${part('event', '{"camera":"gate"}')}--b--\r\n`,
  `${part('event', '{')}--b--\r\n`,
  `${part('event', '{}')}${part('event', '[]')}--b--\r\n`,
  `${part('__proto__', '{"a":1}')}--b--\r\n`,
  `${part('picture', 'no picture at all', '; filename="../../../evil.jpg"')}--b--\r\n`,
  `${part('picture', '', '; filename="a.jpg"')}--b--\r\n`,
  `${Array.from({ length: 200 }, (_, i) => part(`p${i}`, 'x', '; filename="x"')).join('')}--b--\r\n`,
  `--b\r\n\r\nno name\r\n--b--\r\n`,
  `--b\nContent-Disposition: form-data; name=event\n\n{}\n--b--`,
  '--b--',
] as const

const HEADERS: readonly Record<string, string>[] = [
  ...Array.from({ length: 12 }, () => ({})),
  { authorization: `Bearer ${SENTINEL}` },
  { authorization: 'Basic YTpi' },
  { authorization: `Bearer ${'x'.repeat(7000)}` },
  { cookie: `gatehouse=${SENTINEL}; a=b; ;;;=` },
  { cookie: 'x'.repeat(7000) },
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { host: 'evil.example' },
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
  { 'x-http-method-override': 'DELETE', 'x-original-url': '/api/v1/users' },
  { 'idempotency-key': 'x'.repeat(7000) },
  { 'webhook-id': SENTINEL, 'x-delivery-id': '../..' },
  { range: 'bytes=9999999-,1-2' },
  { 'last-event-id': 'x'.repeat(500) },
  { 'last-event-id': '99999999999999999999' },
  { 'if-none-match': '*', 'if-match': '"x"', expect: '100-continue' },
  { accept: 'image/avif', 'accept-encoding': 'x'.repeat(3000) },
  { 'content-length-x': '-1', te: 'trailers', upgrade: 'websocket', connection: 'close' },
]

function queryFor(parameters: Operation['parameters']): fc.Arbitrary<string> {
  const known = parameters.filter(each => each.in === 'query')
  const values = (schema: Json) =>
    fc.oneof(
      fc.constantFrom(...((schema.enum as string[]) ?? ['1', '2', '2026-11-30T00:00:00Z'])),
      fc.constantFrom(...NASTY_TEXT),
    )
  const pairs = fc.oneof(
    ...known.map(({ name, schema }) => values(schema).map(value => [name, value] as const)),
    fc.tuple(fc.constantFrom('__proto__', 'x', 'limit', '', 'a[b]', 'token'), fc.constantFrom(...NASTY_TEXT)),
  )
  const whole = fc.array(pairs, { maxLength: 4 }).map(all => {
    const text = all.map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`,
    )
    return text.length ? `?${text.join('&')}` : ''
  })
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    { weight: 1, arbitrary: fc.constantFrom('?', '?%', '?a=%ff', '?&&&=', `?${'a=1&'.repeat(1500)}`) },
  )
}

/** Requests to a route; `ids`: rows that are there, by the beginning of paths. */
export function hostile(
  method: string,
  path: string,
  operation: Operation,
  idsFor: (path: string) => readonly string[],
): fc.Arbitrary<Request> {
  const forms = operation.requestBody?.content ?? {}
  const [type] = Object.keys(forms)
  const schema = forms['application/json']?.schema ?? {}
  const examples = Object.values(DOCUMENT[`${method} ${path}`]?.examples ?? {}).flatMap(({ body }) =>
    body === undefined ? [] : [typeof body === 'string' ? body : JSON.stringify(body)],
  )
  const texts = fc.oneof(
    { weight: 5, arbitrary: bodyFor(schema) },
    { weight: 2, arbitrary: fc.constantFrom(...(examples.length ? examples : ['{}'])) },
    { weight: 2, arbitrary: fc.constantFrom(...WHOLE) },
  )
  const coated = fc.tuple(
    texts,
    fc.constantFrom(...COATS),
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constant(type?.startsWith('multipart') ? 'application/json' : (type ?? '')),
      },
      { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
    ),
  )
  const asForm = fc.constantFrom(...FORMS).map(form => ({
    body: form as Request['body'],
    headers: { 'content-type': 'multipart/form-data; boundary=b' } as Record<string, string>,
  }))
  const asText = coated.map(([text, coat, named]) => {
    const [body, more] = coat(text.toWellFormed())
    return { body: body as Request['body'], headers: { ...(named && { 'content-type': named }), ...more } }
  })
  const sent = 'multipart/form-data' in forms ? fc.oneof(asForm, asText) : asText
  const ids = idsFor(path)
  const segment = fc.oneof(...(ids.length ? [{ weight: 3, arbitrary: fc.constantFrom(...ids) }] : []), {
    weight: 1,
    arbitrary: fc.constantFrom(...SEGMENTS),
  })
  const count = path.split(':').length - 1
  return fc
    .record({
      segments: fc.array(segment, { minLength: count, maxLength: count }),
      query: queryFor(operation.parameters),
      sent: method === 'GET' ? fc.constant({ body: null, headers: {} }) : sent,
      headers: fc.constantFrom(...HEADERS),
    })
    .map(({ segments, query, sent: { body, headers: own }, headers }) => {
      let at = 0
      const filled = path.replaceAll(/:\w+/g, () => segments[at++] ?? '0')
      return { method, address: filled + query, headers: { ...own, ...headers }, body }
    })
}
