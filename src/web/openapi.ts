/** The table of routes as an OpenAPI 3.1 document, with what `documented/` says of each: no more, and no less. */
import { Kind, type TSchema } from '@sinclair/typebox'
import { DOCUMENT, type Example, type Said } from './documented/index.ts'
import { refusals } from './refusals.ts'
import type { Route, Shape } from './route.ts'
import { CASES, FILE_PROBLEM, OUTLINE, WANTED } from './schemas/index.ts'

type Json = { [key: string]: unknown }
type Line = Omit<Route, 'handle'>

const PICTURE = { type: 'string', format: 'binary' }

const FILE: Json = {
  'application/yaml': { schema: { type: 'string' } },
  'application/json': {
    schema: { type: 'object', properties: { yaml: { type: 'string' } }, required: ['yaml'] },
  },
}

/** Bodies that are no plain JSON object of known members, by their word in the table; what is first is the usual one. */
const BODIES: Record<string, Json> = {
  yaml: FILE,
  renamed: {
    'application/yaml': { schema: { type: 'string' } },
    'application/json': {
      schema: {
        type: 'object',
        properties: { yaml: { type: 'string' }, names: { type: 'object' } },
        required: ['yaml'],
      },
    },
  },
  'yaml?': FILE,
  csv: { 'text/csv': { schema: { type: 'string' } } },
  event: {
    'application/json': {
      schema: {
        type: 'object',
        description: 'An event or an alert in the envelope of its schema.',
        properties: {
          schema: { type: 'string' },
          id: { type: 'string' },
          camera_id: { type: ['string', 'null'] },
          payload: { type: 'object' },
        },
      },
    },
  },
  bytes: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  delivery: {
    'application/json': { schema: { type: 'object' } },
    'multipart/form-data': {
      schema: { type: 'object', properties: { picture: PICTURE, event: { type: 'object' } } },
    },
  },
}

const PROBLEM = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'One sentence that says what to do.' },
    code: { type: 'string', description: 'Stable: to compare with.' },
    problems: { type: 'array', items: FILE_PROBLEM, description: 'Of a file: all that is wrong with it.' },
    yaml: { type: 'string', description: 'Of an import: the file as it was read.' },
    outline: { anyOf: [OUTLINE, { type: 'null' }], description: 'Of an import: what it would do.' },
    wanted: { type: 'array', items: WANTED, description: 'Of an import: what the site lacks for it.' },
    cases: { ...CASES, description: 'Of a switch to On: what comes out differently.' },
  },
  required: ['type', 'title', 'status', 'detail', 'code'],
}

const SECURITY = {
  token: { type: 'http', scheme: 'bearer', description: 'A token of this box, as it is made under Access.' },
}

/** The document. Page views and their files are left out: they are for browsers. */
export function openApi(routes: readonly Line[], version: string): Json {
  const paths: Record<string, Json> = {}
  const named: Record<string, Json> = {}
  named.Problem = refer(PROBLEM, named) as Json
  for (const route of routes) {
    if (!route.summary) continue
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, named) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Times are ISO 8601 UTC, durations milliseconds. Programs show a token: Authorization: Bearer. Errors are application/problem+json; their codes stand at each route.',
    },
    servers: [{ url: '/' }],
    paths,
    components: { schemas: named, securitySchemes: SECURITY },
  }
}

function operation(route: Line, named: Record<string, Json>): Json {
  const { method, path, permission, summary, query, body, answer, status = 200 } = route
  const said: Said = DOCUMENT[`${method} ${path}`] ?? { examples: {} }
  const examples = Object.entries(said.examples)
  const given = (name: string, of: (example: Example) => unknown) => {
    const values = examples.flatMap(([title, example]) => {
      const value = of(example)
      return value === undefined ? [] : [[title, { value }] as const]
    })
    return values.length ? { [name]: Object.fromEntries(values) } : {}
  }
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
    ...given('examples', example => example.path && String(example.path[name])),
  }))
  const inQuery = Object.entries(schemaOf(query ?? {}).properties).map(([name, schema]) => ({
    ...{ name, in: 'query', required: false, schema },
    ...given('examples', example => example.query?.[name]),
  }))
  const done: Json = { description: 'Done.', ...contentOf(answer, status, named) }
  if (said.streams)
    done.content = { ...(done.content as Json), [said.streams]: { schema: { type: 'string' } } }
  const isOpen = permission === 'public' || permission === 'hook'
  return {
    summary,
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^a-zA-Z0-9]+/g, '_')}`,
    tags: [tagOf(path)],
    'x-permission': permission,
    security: isOpen ? [] : [{ token: [] }],
    parameters: [...inPath, ...inQuery],
    ...(body && {
      requestBody: {
        required: isNeeded(body),
        content: bodyOf(
          body,
          given('examples', each => each.body),
        ),
      },
    }),
    responses: {
      [status]: done,
      ...(said.also && { [said.also]: { ...done, description: 'Not yet.' } }),
      ...refusalsOf(route, said),
      default: { description: 'Refused, or failed.', content: problemOf() },
    },
    'x-codeSamples': examples.map(([label, example]) => ({
      ...{ lang: 'Shell', label, source: curl(route, example) },
    })),
  }
}

const isNeeded = (body: NonNullable<Route['body']>) => body !== 'delivery' && body !== 'yaml?'

/** Examples stand beside the usual form of a body. */
function bodyOf(body: NonNullable<Route['body']>, examples: object): Json {
  const forms = typeof body === 'string' ? BODIES[body] : { 'application/json': { schema: schemaOf(body) } }
  const [first, ...rest] = Object.entries(forms ?? {})
  if (!first) return {}
  return { [first[0]]: { ...(first[1] as object), ...examples }, ...Object.fromEntries(rest) }
}

function contentOf(answer: Route['answer'], status: number, named: Record<string, Json>): Json {
  if (status === 204) return {}
  if (typeof answer === 'string') return { content: { [answer]: { schema: { type: 'string' } } } }
  return { content: { 'application/json': { schema: answer ? refer(answerOf(answer), named) : {} } } }
}

/** What a route answers, as JSON Schema without names. */
export function answerOf(answer: Shape | TSchema): Json {
  return isSchema(answer) ? answer : schemaOf(answer)
}

function problemOf(codes?: readonly string[]): Json {
  const any = { $ref: '#/components/schemas/Problem' }
  const schema = codes ? { allOf: [any, { properties: { code: { enum: codes } } }] } : any
  return { 'application/problem+json': { schema } }
}

function refusalsOf(route: Line, said: Said): Json {
  return Object.fromEntries(
    [...refusals(route, said.refuses)].map(([status, codes]) => [
      status,
      { description: codes.join(', '), content: problemOf(codes) },
    ]),
  )
}

/** What has a title stands by itself, and is named where it is used. */
function refer(schema: unknown, named: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map(each => refer(each, named))
  if (schema === null || typeof schema !== 'object') return schema
  const { title, ...rest } = schema as Json
  const inside = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, refer(value, named)]))
  if (typeof title !== 'string')
    return title === undefined ? inside : { title: refer(title, named), ...inside }
  named[title] = inside
  return { $ref: `#/components/schemas/${title}` }
}

const tagOf = (path: string): string =>
  /^\/api\/v1\/(site|system|session|workflows)/.exec(path)?.[1] ?? path.split('/')[3] ?? 'box'

/** The example as a command. */
function curl({ method, path, body }: Line, { path: params = {}, query, body: given }: Example): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
  const address = `"$BOX${filled}${query ? `?${new URLSearchParams(query)}` : ''}"`
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const type = body === 'csv' ? 'text/csv' : 'application/yaml'
  const sent =
    given === undefined
      ? []
      : typeof given === 'string'
        ? ['-H', quoted(`content-type: ${type}`), '--data-binary', quoted(given)]
        : ['--json', quoted(JSON.stringify(given))]
  return ['curl', '-X', method, '-H', '"Authorization: Bearer $TOKEN"', ...sent, address].join(' ')
}

const isSchema = (value: object): value is TSchema => Kind in value

/** A shape as JSON Schema; more members may be there. */
export function schemaOf(shape: Shape): {
  type: 'object'
  properties: Record<string, Json>
  required: string[]
} {
  const properties: Record<string, Json> = {}
  const required: string[] = []
  for (const [member, type] of Object.entries(shape)) {
    const name = member.replace(/\?$/, '')
    if (name === member) required.push(name)
    if (Array.isArray(type)) properties[name] = { enum: type }
    else if (typeof type === 'object') properties[name] = type as Json
    else properties[name] = { type: type.includes('|') ? type.split('|') : type }
  }
  return { type: 'object', properties, required }
}
