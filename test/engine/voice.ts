/**
 * A voice of the tests' own: a server on this machine that is told of calls and says what came of them, and the port
 * that speaks to it. Nobody's telephone rings, and nothing of this is in the product.
 */
import type { CallRequest, World } from '../../src/kinds/index.ts'

export class Voice {
  readonly placed: CallRequest[] = []
  /** Ids of calls whose caller went away before anything came of them. */
  readonly hungUp: string[] = []
  /** What comes of a call: JSON, or a status that is none. Nothing at all while it is pending. */
  comes: (request: CallRequest) => unknown = () => new Promise(() => {})
  /** Why nobody can be called. */
  lacks: string | null = null
  readonly #waiting: (() => boolean)[] = []
  readonly #server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: async request => {
      const call = (await request.json()) as CallRequest
      this.placed.push(call)
      request.signal.addEventListener('abort', () => {
        this.hungUp.push(call.id)
        this.#told()
      })
      this.#told()
      const came = await this.comes(call)
      return typeof came === 'number' ? new Response('no', { status: came }) : Response.json(came)
    },
  })

  readonly world: World = { voice: this }

  async place(request: CallRequest, signal: AbortSignal) {
    const body = JSON.stringify(request)
    const response = await fetch(this.#server.url, { method: 'POST', body, signal })
    if (!response.ok) throw new Error(`the exchange answered ${response.status}`)
    return (await response.json()) as never
  }

  /** Resolves once so many calls were placed. */
  rings(calls = 1): Promise<void> {
    return this.#until(() => this.placed.length >= calls)
  }

  /** Resolves once so many callers have hung up. */
  silence(calls = 1): Promise<void> {
    return this.#until(() => this.hungUp.length >= calls)
  }

  async stop(): Promise<void> {
    await this.#server.stop(true)
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(() => {
        if (holds()) resolve()
        return holds()
      })
      this.#told()
    })
  }

  #told(): void {
    for (const each of [...this.#waiting]) if (each()) this.#waiting.splice(this.#waiting.indexOf(each), 1)
  }
}
