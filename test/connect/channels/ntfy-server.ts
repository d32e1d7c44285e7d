/**
 * A server that speaks the API of ntfy (Debian has none): messages by PUT with their text or a file as the body, tokens,
 * limits, and the same id for what takes an earlier message's place.
 */
import { onTestFinished } from 'vitest'

export interface Received {
  topic: string
  title: string
  message: string
  priority: number
  tags: string
  click: string | null
  sequence: string | null
  id: string | null
  file: { name: string; type: string; bytes: Uint8Array } | null
}

export class NtfyServer {
  readonly received: Received[] = []
  token: string | null = null
  takesFiles = true
  /** What it answers instead. */
  answer: (() => Response | Promise<Response>) | null = null
  requests = 0
  #server: ReturnType<typeof Bun.serve> | null = null
  readonly port: number

  /** `until`: it ends with the test that made it, or where somebody takes it down. */
  constructor(until: 'test' | 'down' = 'test') {
    this.port = this.up(0)
    if (until === 'test') onTestFinished(() => this.down())
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  up(port = this.port): number {
    this.#server = Bun.serve({ port, hostname: '127.0.0.1', fetch: request => this.#hear(request) })
    return this.#server.port ?? 0
  }

  async down(): Promise<void> {
    await this.#server?.stop(true)
  }

  async #hear(request: Request): Promise<Response> {
    this.requests++
    const { headers } = request
    const body = new Uint8Array(await request.arrayBuffer())
    if (this.answer) return this.answer()
    if (request.method !== 'PUT') return error(404, 'page not found')
    if (this.token !== null && headers.get('authorization') !== `Bearer ${this.token}`)
      return error(401, 'unauthorized')
    const topic = new URL(request.url).pathname.slice(1)
    if (!/^[-_A-Za-z0-9]{1,64}$/.test(topic)) return error(404, 'page not found')
    const name = headers.get('x-filename')
    if (name !== null && !this.takesFiles) return error(400, 'invalid request: attachments not allowed')
    const sequence = headers.get('x-sequence-id')
    if (sequence !== null && !/^[-_A-Za-z0-9]{1,64}$/.test(sequence)) return error(400, 'invalid sequence id')
    const priority = Number(headers.get('x-priority'))
    if (!(priority >= 1 && priority <= 5)) return error(400, 'invalid priority parameter')
    this.received.push({
      ...{ topic, priority, sequence },
      title: decoded(headers.get('x-title') ?? ''),
      message: name === null ? new TextDecoder().decode(body) : decoded(headers.get('x-message') ?? ''),
      tags: headers.get('x-tags') ?? '',
      click: headers.get('x-click'),
      id: headers.get('webhook-id'),
      file: name === null ? null : { name, type: headers.get('content-type') ?? '', bytes: body },
    })
    return Response.json({ id: 'm', event: 'message', topic })
  }
}

function error(status: number, text: string): Response {
  return Response.json({ code: status * 100, http: status, error: text }, { status })
}

/** RFC 2047, as ntfy decodes every header that it reads. */
function decoded(text: string): string {
  return text.replace(/=\?UTF-8\?B\?([A-Za-z0-9+/=]*)\?=/g, (_all, base64: string) =>
    Buffer.from(base64, 'base64').toString(),
  )
}
