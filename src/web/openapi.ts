/** The table of routes as an OpenAPI 3.1 document: what the table knows, and no more. */
import type { Route, Shape } from './route.ts'

type Json = { [key: string]: unknown }

const PICTURE = { type: 'string', format: 'binary' }

/** Bodies that are no plain JSON object of known members, by their word in the table. */
const BODIES: Record<string, Json> = {
  yaml: {
    'text/yaml': { schema: { type: 'string' } },
    'application/json': {
      schema: { type: 'object', properties: { yaml: { type: 'string' } }, required: ['yaml'] },
    },
  },
  csv: { 'text/csv': { schema: { type: 'string' } } },
  event: { 'application/json': { schema: { type: 'object' } } },
  delivery: {
    'multipart/form-data': {
      schema: { type: 'object', properties: { picture: PICTURE, event: { type: 'object' } } },
    },
    'application/json': { schema: { type: 'object' } },
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
  },
  required: ['type', 'title', 'status', 'detail', 'code'],
}

/** The document. Page views and their files are left out: they are for browsers. */
export function openApi(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    if (!route.summary) continue
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version,
      description:
        'Times are ISO 8601 UTC, durations milliseconds. Programs show a token: Authorization: Bearer.',
    },
    paths,
    components: { schemas: { Problem: PROBLEM } },
  }
}

function operation({ method, path, permission, summary, query, body, answer, status = 200 }: Route): Json {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }))
  const inQuery = Object.entries(schemaOf(query ?? {}).properties).map(([name, schema]) => ({
    ...{ name, in: 'query', required: false, schema },
  }))
  const problem = { schema: { $ref: '#/components/schemas/Problem' } }
  return {
    summary,
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^a-zA-Z0-9]+/g, '_')}`,
    'x-permission': permission,
    parameters: [...inPath, ...inQuery],
    ...(body && {
      requestBody: {
        required: body !== 'delivery',
        content: typeof body === 'string' ? BODIES[body] : { 'application/json': { schema: schemaOf(body) } },
      },
    }),
    responses: {
      [status]: {
        description: 'Done.',
        content:
          typeof answer === 'string'
            ? { [answer]: { schema: { type: 'string' } } }
            : { 'application/json': { schema: answer ? schemaOf(answer) : {} } },
      },
      default: { description: 'Refused, or failed.', content: { 'application/problem+json': problem } },
    },
  }
}

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
    if (typeof type !== 'string') properties[name] = { enum: type }
    else if (type.endsWith('|null')) properties[name] = { type: [type.slice(0, -'|null'.length), 'null'] }
    else properties[name] = { type }
  }
  return { type: 'object', properties, required }
}
