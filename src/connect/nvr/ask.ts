/** Who stands at an address: an NVR's API, a NATS server. Each is asked one question; nothing is searched for. */
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

export const API_PORT = 8000
export const NATS_PORT = 4222
const WITHIN_MS = 2_000
/** The first line of a NATS server is far shorter. */
const MOST_INFO = 64 * 1024

const Info = Type.Object({
  version: Type.String({ maxLength: 100 }),
  auth_required: Type.Optional(Type.Boolean()),
  tls_required: Type.Optional(Type.Boolean()),
  jetstream: Type.Optional(Type.Boolean()),
})

export interface NvrFound {
  /** As it was asked. */
  host: string
  /** The API of an NVR, without `/api/v1`; null: none answers there. */
  api: URL | null
  /** The NATS server; null: none answers there. */
  nats: { version: string; needsAuth: boolean; needsTls: boolean; jetstream: boolean } | null
}

/** Asks one host, on the ports that an NVR has unless others are named. Shows no key and follows no redirect. */
export async function askNvr(host: string, ports = { api: API_PORT, nats: NATS_PORT }): Promise<NvrFound> {
  const [api, nats] = await Promise.all([askApi(host, ports.api), askNats(host, ports.nats)])
  return { host, api, nats }
}

/** An NVR refuses its internal route to whoever has no key, in JSON; whatever else listens there does not have it. */
async function askApi(host: string, port: number): Promise<URL | null> {
  const name = host.includes(':') ? `[${host}]` : host
  const base = URL.parse(`http://${name}:${port}`)
  if (!base) return null
  try {
    const answer = await fetch(new URL('/api/v1/internal/app/site-mode', base), {
      redirect: 'manual',
      signal: AbortSignal.timeout(WITHIN_MS),
    })
    await answer.body?.cancel()
    const json = answer.headers.get('content-type')?.includes('json') ?? false
    return json && [401, 403, 422].includes(answer.status) ? base : null
  } catch {
    return null
  }
}

/** A NATS server says what it is before it is asked for anything. */
async function askNats(hostname: string, port: number): Promise<NvrFound['nats']> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  let said = ''
  const decoder = new TextDecoder()
  const timer = setTimeout(() => resolve(null), WITHIN_MS)
  try {
    const socket = await Bun.connect({
      hostname,
      port,
      socket: {
        data(_, bytes) {
          said += decoder.decode(bytes, { stream: true })
          if (said.includes('\n')) resolve(said)
          else if (said.length > MOST_INFO) resolve(null)
        },
        close: () => resolve(null),
        error: () => resolve(null),
        connectError: () => resolve(null),
      },
    })
    promise.finally(() => socket.end())
    return infoOf(await promise)
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

function infoOf(line: string | null): NvrFound['nats'] {
  const text = /^INFO (\{.*\})\s*\r?\n/.exec(line ?? '')?.[1]
  if (text === undefined) return null
  try {
    const info: unknown = JSON.parse(text)
    if (!Value.Check(Info, info)) return null
    const { version, auth_required, tls_required, jetstream } = info
    return {
      version,
      ...{
        needsAuth: auth_required === true,
        needsTls: tls_required === true,
        jetstream: jetstream === true,
      },
    }
  } catch {
    return null
  }
}
