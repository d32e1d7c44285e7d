import { Elysia } from 'elysia'
import { GatehouseError } from '../core/index.ts'
import { guard } from './guard.ts'
import { asksForPage, nothingHere } from './nothing-here.ts'
import type { WebDeps } from './ports.ts'
import { problem, problemOf } from './problem.ts'
import { BodyRoom } from './room.ts'
import type { Route } from './route.ts'
import { routeTable } from './routes/index.ts'
import { StreamHub } from './stream.ts'

/** Only this machine, until there is a login. */
const HOST = '127.0.0.1'

/** Unless a route says otherwise: nothing is guessed, framed, embedded elsewhere or told to other sites. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** The HTTP side of the box. */
export class WebServer {
  readonly #deps: WebDeps
  readonly #stream: StreamHub
  readonly #routes: Route[]
  readonly #room: BodyRoom
  #app: Elysia | null = null

  constructor(deps: WebDeps) {
    this.#deps = deps
    this.#stream = new StreamHub(deps)
    this.#room = new BodyRoom(deps.mostBodyBytes)
    this.#routes = routeTable(deps, this.#stream, () => ({ bodies: this.#room.shed }))
  }

  /** The table of routes, for whoever documents or checks them. */
  get routes(): readonly Omit<Route, 'handle'>[] {
    return this.#routes
  }

  /** Listens on loopback. Throws `port_busy` where another program holds the port. */
  async start(): Promise<{ port: number; url: string }> {
    const app = this.#build()
    try {
      app.listen({ hostname: HOST, port: this.#deps.port, reusePort: false })
    } catch (cause) {
      const { port } = this.#deps
      if ((cause as { code?: unknown }).code !== 'EADDRINUSE') throw cause
      throw new GatehouseError(
        'port_busy',
        `Port ${port} is in use: stop the program that holds it, or choose another with --port.`,
        { status: 500, cause },
      )
    }
    this.#app = app
    this.#stream.start()
    const port = app.server?.port ?? this.#deps.port
    const url = `http://localhost:${port}`
    this.#deps.log.info({ url }, 'the page is up, on this machine only: there is no login yet')
    return { port, url }
  }

  /** Ends the streams, then the server; requests that are under way are cut off. */
  async stop(): Promise<void> {
    this.#stream.stop()
    await this.#app?.stop(true)
    this.#app = null
  }

  #build(): Elysia {
    const app = new Elysia({
      // Every request goes the same way: no short cuts past the guard.
      systemRouter: false,
      // Our own caps answer with a problem; the server's would answer with nothing.
      serve: { development: false, idleTimeout: 60, maxRequestBodySize: Number.MAX_SAFE_INTEGER },
    })
    app.onRequest(({ request }) => {
      const refusal = guard(request)
      return refusal ? finish(refusal) : undefined
    })
    app.onError(({ code, error, request }) =>
      finish(code === 'NOT_FOUND' ? this.#unknown(request) : problemOf(error, this.#deps.log)),
    )
    for (const route of this.#routes) {
      const { method, path } = route
      app.route(method, path, ({ request, params }) => this.#handle(route, request, params), {
        parse: 'none',
      })
      if (method === 'GET')
        // Not left to the framework, which waits for the end of the body: a stream has none.
        app.route('HEAD', path, async ({ request, params }) =>
          headOf(await this.#handle(route, request, params)),
        )
    }
    return app
  }

  async #handle(route: Route, request: Request, params: Record<string, string>): Promise<Response> {
    try {
      if (route.path.startsWith('/api/') && !this.#deps.system.health().ready) {
        return finish(
          problem(503, 'starting', 'Gatehouse is starting: try again in a moment.', {
            headers: { 'retry-after': '1' },
          }),
        )
      }
      const query = new URL(request.url).searchParams
      if (route.slow) this.#app?.server?.timeout(request, 0)
      return finish(await this.#room.during(request, () => route.handle({ request, params, query })))
    } catch (error) {
      return finish(problemOf(error, this.#deps.log))
    }
  }

  /** 405 where the address takes other methods, else 404. */
  #unknown(request: Request): Response {
    const { pathname } = new URL(request.url)
    const methods = this.#routes.filter(({ path }) => matches(path, pathname)).map(({ method }) => method)
    if (!methods.length)
      return asksForPage(request)
        ? nothingHere()
        : problem(404, 'not_found', 'There is nothing at this address.')
    const allow = [...new Set(methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
    return problem(405, 'method_not_allowed', `Use ${allow.join(' or ')} here.`, {
      headers: { allow: allow.join(', ') },
    })
  }
}

/** The same answer without its body. */
async function headOf(response: Response): Promise<Response> {
  await response.body?.cancel()
  return new Response(null, response)
}

function finish(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS))
    if (!response.headers.has(name)) response.headers.set(name, value)
  return response
}

function matches(path: string, pathname: string): boolean {
  const parts = path.split('/')
  const given = pathname.replace(/(.)\/$/, '$1').split('/')
  return (
    parts.length === given.length &&
    parts.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  )
}
