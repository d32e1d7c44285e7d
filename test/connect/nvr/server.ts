import { onTestFinished } from 'vitest'
import { jpeg } from '../helpers.ts'

export const KEY = 'the-internal-key'
export const TOKEN = 'a-token-of-the-operator'

/** What reached the server. */
export interface Seen {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  body: unknown
}

type Answer = (seen: Seen) => Response | Promise<Response> | undefined

/**
 * A real HTTP server with the routes of the NVR that the box uses, as they are documented: keys are asked for, ids are
 * numbers, what is not there is 404. It is no NVR: what one would do besides is not here.
 */
export class NvrServer {
  readonly seen: Seen[] = []
  cameras: unknown[] = [
    {
      camera_id: 'cam1',
      open_nvr_camera_id: '1',
      name: 'Gate',
      frame_url: 'rtsp://nvr:8554/cam-1?jwt=secret',
    },
    { camera_id: 'cam2', open_nvr_camera_id: '2', name: 'Yard', frame_url: 'rtsp://nvr:8554/cam-2' },
  ]
  events: Record<string, unknown>[] = []
  evidence = new Map<string, Uint8Array<ArrayBuffer>>()
  /** Recorded frames by `camera at`. */
  frames = new Map<string, Uint8Array<ArrayBuffer>>()
  pictures = new Map<string, Uint8Array<ArrayBuffer>>([['1', jpeg(1)]])
  pictureHeaders: Record<string, string> = {}
  mode: unknown = { mode: 'disarmed', changed_at: null, changed_by: null }
  apps: unknown = []
  /** Whether it has the route by which programs have apps do something, or people's only. */
  internalActions = true
  /** What an app answers. */
  action: Answer = () => Response.json({ ok: true })
  /** Answers before everything else does, where it answers. */
  before: Answer = () => undefined
  #server: Bun.Server<undefined> | null = null
  #port = 0

  constructor() {
    this.start()
    onTestFinished(() => this.stop())
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** On the same port, each time it is started. */
  start(): void {
    this.#server = Bun.serve({
      port: this.#port,
      hostname: '127.0.0.1',
      reusePort: false,
      fetch: request => this.#take(request),
    })
    this.#port = this.#server.port ?? 0
  }

  async stop(): Promise<void> {
    await this.#server?.stop(true)
    this.#server = null
  }

  /** Requests of a route, by the end of its path. */
  of(method: string, path: string): Seen[] {
    return this.seen.filter(each => each.method === method && each.path === `/api/v1${path}`)
  }

  async #take(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const text = await request.text()
    const seen: Seen = {
      method: request.method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(request.headers),
      body: text ? JSON.parse(text) : null,
    }
    this.seen.push(seen)
    return (await this.before(seen)) ?? this.#answer(seen)
  }

  #answer(seen: Seen): Response {
    const { method, path, query, headers } = seen
    const route = `${method} ${path.replace('/api/v1', '')}`
    const known = headers['x-internal-api-key'] === KEY
    const person = headers.authorization === `Bearer ${TOKEN}`
    const forPeople = route === 'PUT /site-mode' || route.startsWith('POST /apps/')
    if (!(forPeople ? person : known || (person && route === 'GET /apps')))
      return Response.json({ detail: 'invalid internal api key' }, { status: 401 })
    const [, camera] = /^GET \/internal\/app\/cameras\/(.+)\/snapshot$/.exec(route) ?? []
    if (camera !== undefined) return picture(this.pictures.get(camera), this.pictureHeaders)
    const [, event] = /^GET \/internal\/camera-agent\/events\/(.+)\/evidence$/.exec(route) ?? []
    if (event !== undefined) return picture(this.evidence.get(event))
    const [, kept] = /^GET \/internal\/app\/evidence\/(.+)$/.exec(route) ?? []
    if (kept !== undefined) return picture(this.evidence.get(kept))
    switch (route) {
      case 'GET /internal/camera-agent/cameras':
        return Response.json({ cameras: this.cameras })
      case 'GET /internal/camera-agent/recordings/frame':
        return picture(this.frames.get(`${query.camera_id} ${query.at}`))
      case 'GET /internal/camera-agent/events':
        return Response.json({ events: this.#found(query) })
      case 'GET /internal/app/site-mode':
        return Response.json(this.mode)
      case 'PUT /site-mode':
        return this.#setMode(seen.body as { mode: string })
      case 'GET /apps':
        return Response.json(this.apps)
      default:
        return this.#act(route, seen) ?? Response.json({ detail: 'Not Found' }, { status: 404 })
    }
  }

  #act(route: string, seen: Seen): Response | undefined {
    const [, internal, id, name] = /^POST (\/internal)?\/apps\/([^/]+)\/actions\/([^/]+)$/.exec(route) ?? []
    if (id === undefined || (internal && !this.internalActions)) return undefined
    const app = (this.apps as { id: string; manifest: { actions: { name: string }[] } }[]).find(
      each => each.id === id,
    )
    if (!app?.manifest.actions.some(each => each.name === name))
      return Response.json({ detail: `App '${id}' declares no action '${name}'` }, { status: 404 })
    return this.action(seen) as Response
  }

  #found({ camera_id: camera, from, to, limit = '100' }: Record<string, string>) {
    const [since, until] = [from, to].map(text => Date.parse(text ?? ''))
    return this.events
      .filter(each => camera === undefined || String(each.camera_id) === camera)
      .filter(each => !(Date.parse(String(each.started_at)) < (since ?? 0)))
      .filter(each => !(Date.parse(String(each.started_at)) > (until ?? 0)))
      .slice(0, Number(limit))
  }

  #setMode({ mode }: { mode: string }): Response {
    if (!['disarmed', 'armed_home', 'armed_away'].includes(mode))
      return Response.json({ detail: `unknown mode ${mode}` }, { status: 422 })
    this.mode = { mode, changed_at: new Date().toISOString(), changed_by: 'user:operator' }
    return Response.json(this.mode)
  }
}

function picture(bytes: Uint8Array<ArrayBuffer> | undefined, headers: Record<string, string> = {}): Response {
  return bytes
    ? new Response(bytes, { headers: { 'content-type': 'image/jpeg', ...headers } })
    : Response.json({ detail: 'not found' }, { status: 404 })
}

/** Answers that no NVR should give, and that one may give all the same. */
export const HOSTILE: readonly [name: string, answer: () => Response | Promise<Response>][] = [
  ['nothing', () => new Response('')],
  ['a page', () => new Response('<html><body>Log in</body></html>')],
  ['half a JSON', () => new Response('{"cameras": [{"camera_id": "cam1"')],
  ['a number', () => Response.json(7)],
  ['null', () => Response.json(null)],
  ['a list of nonsense', () => Response.json([null, 1, 'x', [], { camera_id: { a: 1 } }, { id: [] }])],
  ['lists where objects are', () => Response.json({ cameras: {}, events: {}, mode: [], apps: 3 })],
  ['depth', () => new Response('['.repeat(100_000))],
  ['prototypes', () => new Response('{"__proto__": {"mode": "armed_away"}, "constructor": {"cameras": []}}')],
  ['too much', () => new Response('x'.repeat(5 * 1024 * 1024))],
  ['no UTF-8', () => new Response(new Uint8Array([0xff, 0xfe, 0x00, 0xd8, 0x22]))],
  ['a failure', () => Response.json({ detail: 'boom' }, { status: 500 })],
  ['a refusal', () => Response.json({ detail: 'no' }, { status: 403 })],
  ['a way elsewhere', () => Response.redirect('http://127.0.0.1:9/', 307)],
]
