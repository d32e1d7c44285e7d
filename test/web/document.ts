/** The OpenAPI document as a test reads it: what a route takes, and whether an answer is what it says. */
import Ajv2020 from 'ajv/dist/2020'

type Json = Record<string, unknown>

export interface Operation {
  'x-permission': string
  parameters: { name: string; in: 'path' | 'query'; schema: Json }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> }
  responses: Record<string, { content?: Record<string, { schema?: Json }> }>
  'x-codeSamples': { label: string; source: string }[]
}

export interface OpenApi {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

/** Holds answers against a document. Nothing may be there of which it does not know. */
export class Judge {
  readonly #document: OpenApi
  readonly #ajv: Ajv2020

  constructor(document: OpenApi) {
    const { schemas } = document.components
    this.#document = document
    this.#ajv = new Ajv2020({ strict: false, allErrors: true })
    this.#ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    this.#ajv.addFormat('binary', true)
    this.#ajv.addSchema({ $id: 'box', components: { schemas: closed(schemas) } })
  }

  operation(method: string, path: string): Operation {
    const found = this.#document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    if (!found) throw new Error(`The document has no ${method} ${path}.`)
    return found
  }

  /** What an answer has that was not said of it; empty: it is as it was said. */
  wrong(method: string, path: string, status: number, type: string, text: string): string[] {
    const { responses } = this.operation(method, path)
    const said = responses[status]
    if (!said) return [`${status} is not among its answers: ${text.slice(0, 300)}`]
    const media = type.split(';', 1)[0] ?? ''
    if (!said.content) return text === '' ? [] : ['there is a body']
    const form = Object.entries(said.content).find(
      ([each]) => each === media || (each.endsWith('/*') && media.startsWith(each.slice(0, -1))),
    )
    if (!form) return [`it is ${media}`]
    const schema = form[1].schema ?? {}
    if (!/[/+]json$/.test(media)) return []
    const isProblem = media === 'application/problem+json'
    const check = this.#ajv.compile(pointed(isProblem ? schema : closed(schema)))
    if (check(JSON.parse(text))) return []
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}

/** Every object with known members takes no others. */
function closed(schema: unknown): Json {
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (node === null || typeof node !== 'object') return node
    const inside = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, walk(value)]))
    const isOne = inside.type === 'object' && typeof inside.properties === 'object'
    return isOne ? { additionalProperties: false, ...inside } : inside
  }
  return walk(schema) as Json
}

/** References lead to the document. */
const pointed = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"box#/components'))
