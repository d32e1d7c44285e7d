import { join } from 'node:path'
import { Elysia } from 'elysia'
import { GatehouseError, messageOf } from '../core/index.ts'
import { CONSOLE_DOOR, type Door, fromOf, NOBODY, type Principal, whoAsks } from './access/index.ts'
import { guard, saysItsOrigin } from './guard.ts'
import { Listening } from './listen/listening.ts'
import { isLoopback, Settings } from './listen/settings.ts'
import { TlsFiles } from './listen/tls-files.ts'
import { listenLocally, SOCKET } from './local-socket.ts'
import { asksForPage, nothingHere } from './nothing-here.ts'
import type { WebDeps } from './ports.ts'
import { problem, problemOf } from './problem.ts'
import { BodyRoom } from './room.ts'
import { paramsAt, type Route } from './route.ts'
import { routeTable } from './routes/index.ts'
import { StreamHub } from './stream.ts'

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
  readonly #listening: Listening
  #socket: (() => Promise<void>) | null = null

  constructor(deps: WebDeps) {
    this.#deps = deps
    this.#stream = new StreamHub(deps)
    this.#room = new BodyRoom(deps.mostBodyBytes)
    const { store, clock, log, port, pinned = {} } = deps
    const settings = new Settings({ store, clock, port, pinned })
    const listening = new Listening({
      settings,
      tls: new TlsFiles(deps.dataDir),
      clock,
      log,
      build: () => this.#build(() => this.#door()),
      tell: (title, why) => this.#tell(title, why),
    })
    this.#listening = listening
    const shed = () => ({ bodies: this.#room.shed })
    this.#routes = routeTable(deps, { settings, listening }, this.#stream, shed)
  }

  /** The table of routes, for whoever documents or checks them. */
  get routes(): readonly Omit<Route, 'handle'>[] {
    return this.#routes
  }

  /** On which it listens. */
  get ports(): number[] {
    const { server } = this.#listening
    return server?.port === undefined ? [] : [server.port]
  }

  /** Whether nobody but this machine gets here. */
  get isLocal(): boolean {
    return isLoopback(this.#listening.at.host)
  }

  /** SHA-256 of the certificate that it shows; null: it shows none. */
  get fingerprint(): string | null {
    return this.#listening.fingerprint
  }

  /** Listens. Throws `port_busy` where another program holds the port, `cannot_listen` or `bad_certificate`. */
  async start(): Promise<{ port: number; url: string }> {
    await this.#listening.start()
    this.#listenLocally()
    this.#stream.start()
    const { at } = this.#listening
    const url = this.#listening.urlOf(at)
    this.#deps.log.info({ url }, 'the page is up')
    return { port: at.port, url }
  }

  /** Ends the streams, then the server; requests that are under way are cut off. */
  async stop(): Promise<void> {
    this.#stream.stop()
    await this.#socket?.()
    this.#socket = null
    await this.#listening.stop()
  }

  /** Nobody has a login, and nobody but this machine gets here: then whoever does owns it. */
  #door(): Door {
    const { port, https } = this.#listening.at
    const secure = https !== 'off'
    const open = this.isLocal && !this.#deps.access.claimed
    return { console: false, open, secure, cookie: `${secure ? '__Host-' : ''}gatehouse_${port}` }
  }

  #tell(title: string, why: string): void {
    this.#deps.log.warn({ why }, title)
    this.#deps.tell?.({ title, body: why })
  }

  /** Without it the box goes on: its commands then work while it is stopped. */
  #listenLocally(): void {
    const path = join(this.#deps.dataDir, SOCKET)
    const app = this.#build(() => CONSOLE_DOOR)
    try {
      this.#socket = listenLocally(path, request => app.handle(request))
    } catch (error) {
      this.#deps.log.warn({ error: messageOf(error) }, 'commands on the box cannot reach it while it is up')
    }
  }

  #build(doorNow: () => Door): Elysia {
    const app = new Elysia({
      // Every request goes the same way: no short cuts past the guard.
      systemRouter: false,
      // Our own caps answer with a problem; the server's would answer with nothing.
      serve: { development: false, idleTimeout: 60, maxRequestBodySize: Number.MAX_SAFE_INTEGER },
    })
    app.onRequest(({ request }) => {
      const refusal = guard(request, doorNow())
      return refusal ? finish(refusal) : undefined
    })
    app.onError(({ code, error, request }) =>
      code === 'NOT_FOUND' ? this.#unrouted(request, doorNow()) : finish(problemOf(error, this.#deps.log)),
    )
    for (const route of this.#routes) {
      const { method, path } = route
      const handle = ({ request, params }: { request: Request; params: Record<string, string> }) =>
        this.#handle(route, request, params, doorNow())
      app.route(method, path, handle, { parse: 'none' })
      if (method === 'GET')
        // Not left to the framework, which waits for the end of the body: a stream has none.
        app.route('HEAD', path, async context => headOf(await handle(context)))
    }
    return app
  }

  async #handle(
    route: Route,
    request: Request,
    params: Record<string, string>,
    door: Door,
  ): Promise<Response> {
    try {
      if (route.path.startsWith('/api/') && this.#isStarting()) {
        return finish(
          problem(503, 'starting', 'Gatehouse is starting: try again in a moment.', {
            headers: { 'retry-after': '1' },
          }),
        )
      }
      const who = this.#admit(route, request, door)
      const from = fromOf(request, this.#listening.server?.requestIP(request)?.address ?? null)
      const query = new URL(request.url).searchParams
      if (route.slow) this.#listening.server?.timeout(request, 0)
      const call = { request, params, query, who, from, door }
      return finish(await this.#room.during(request, () => route.handle(call)))
    } catch (error) {
      return finish(problemOf(error, this.#deps.log))
    }
  }

  #isStarting(): boolean {
    const { ready, safe = false } = this.#deps.system.health()
    return !(ready || safe)
  }

  /** Who asks, where they may do what the route does. Throws 401 or 403. */
  #admit({ permission }: Route, request: Request, door: Door): Principal {
    const { access } = this.#deps
    if (permission === 'hook') return NOBODY
    const who = this.#whoAsks(permission === 'public', request, door)
    if (who.session !== null && !saysItsOrigin(request))
      throw new GatehouseError('no_origin', "A session is for the box's own page: programs use a token.", {
        status: 403,
      })
    if (permission === 'public' || who.may.has(permission)) return who
    if (who !== NOBODY) throw forbidden(who)
    if (access.claimed)
      throw new GatehouseError('login_needed', 'Sign in, or show a token of this box.', { status: 401 })
    const how = 'This box has no admin yet: claim it with the code that its console shows.'
    throw new GatehouseError('claim_needed', how, { status: 401 })
  }

  /** What shows nothing that holds is nobody, where nobody may come in. */
  #whoAsks(isPublic: boolean, request: Request, door: Door): Principal {
    try {
      return whoAsks(request, door, this.#deps.access)
    } catch (error) {
      if (isPublic) return NOBODY
      throw error
    }
  }

  /** The router misses paths behind a host of three letters and less. */
  async #unrouted(request: Request, door: Door): Promise<Response> {
    const { pathname } = new URL(request.url)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    for (const route of this.#routes) {
      const params = route.method === method ? paramsAt(route.path, pathname) : null
      if (!params) continue
      const response = await this.#handle(route, request, params, door)
      return request.method === 'HEAD' ? headOf(response) : response
    }
    return finish(this.#unknown(request))
  }

  /** 405 where the address takes other methods, else 404. */
  #unknown(request: Request): Response {
    const { pathname } = new URL(request.url)
    const methods = this.#routes.filter(({ path }) => paramsAt(path, pathname)).map(({ method }) => method)
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

function forbidden({ as }: Principal): GatehouseError {
  const what =
    as.by === 'loopback'
      ? 'Nobody has a login here yet: claim the box first.'
      : as.by === 'token'
        ? 'This token is not for that.'
        : 'You may not do that here: ask an admin.'
  return new GatehouseError('forbidden', what, { status: 403 })
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
