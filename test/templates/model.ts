import type { JsonValue } from '../../src/core/index.ts'

/** What a model says at one turn: a call of a tool, or values of fields. */
export type Says = { [key: string]: JsonValue }

/**
 * A model server that says what a case tells it, as the protocol of OpenAI has it. A call is made where a tool may be
 * called, else the model has done with tools; values fill the keys that are asked for. With nothing left to say it
 * answers an empty object.
 */
export class SayingModel {
  says: Says[] = []
  /** The user's messages of the last request. */
  told = ''
  readonly #server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: request => this.#answer(request) })

  get port(): number {
    return this.#server.port ?? 0
  }

  async stop(): Promise<void> {
    await this.#server.stop(true)
  }

  async #answer(request: Request): Promise<Response> {
    const { messages, response_format: form } = (await request.json()) as {
      messages: { role: string; content: JsonValue }[]
      response_format?: { json_schema?: { schema?: { required?: string[]; anyOf?: JsonValue } } }
    }
    this.told = JSON.stringify(messages.filter(({ role }) => role === 'user'))
    const said = JSON.stringify(this.#next(form?.json_schema?.schema ?? {}))
    return Response.json({
      choices: [{ message: { role: 'assistant', content: said }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 50, completion_tokens: 9 },
    })
  }

  #next({ required = [], anyOf }: { required?: string[]; anyOf?: JsonValue }): Says {
    const [next] = this.says
    if (!next) return {}
    const call = typeof next.tool === 'string'
    if (anyOf && !call) return { tool: 'finish', args: {} }
    this.says.shift()
    if (call) return { args: {}, ...next }
    const usual: Says = { reason: 'as it looks', self_reported: 0.5 }
    return Object.fromEntries(required.map(key => [key, next[key] ?? usual[key] ?? null]))
  }
}
