import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { ranged } from '../range.ts'
import { idOf, json, type Route } from '../route.ts'
import { CHECKUP, HARDWARE, HEALTH, MACHINE, MODELS } from '../schemas/index.ts'
import { Sight } from '../sight.ts'
import type { StreamHub } from '../stream.ts'

/** Shown as what it is; anything else is handed out as a file. */
const SHOWN = ['image/jpeg', 'image/png', 'image/webp', 'video/mp4']

/** The box about itself, its pictures, and the stream. `shed`: what this floor refused for want of room. */
export function systemRoutes(
  { engine, media, system, care }: WebDeps,
  stream: StreamHub,
  shed: () => Record<string, number>,
): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/stream',
      permission: 'workflows.view',
      summary: 'Follow what happens, as server-sent events',
      query: { 'after?': 'string' },
      answer: 'text/event-stream',
      handle: ({ who, query, request }) =>
        // A browser says it by itself; a page that makes a new connection says it in the address.
        stream.open(who, request.headers.get('last-event-id') ?? query.get('after')),
    },
    {
      method: 'GET',
      path: '/api/v1/media/:id',
      permission: 'workflows.view',
      summary: 'Read a picture or a clip, or a part of it',
      answer: 'image/*',
      handle: async call => {
        const id = idOf(call, 'picture')
        const found = new Sight(call.who, engine).media(id) ? await media.open(id) : null
        if (!found) throw notFound('picture')
        const shown = SHOWN.includes(found.type)
        return ranged(call.request, found.body, {
          'content-type': shown ? found.type : 'application/octet-stream',
          'content-disposition': shown ? 'inline' : 'attachment',
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'private, max-age=31536000, immutable',
        })
      },
    },
    {
      method: 'GET',
      path: '/api/v1/system/hardware',
      permission: 'system.view',
      summary: 'What this box is',
      answer: HARDWARE,
      handle: async () => json(await system.hardware()),
    },
    {
      method: 'GET',
      path: '/api/v1/system/checkup',
      permission: 'system.manage',
      summary: 'Look at everything, for whoever looks after the box',
      answer: CHECKUP,
      handle: async () => json(await system.checkup()),
    },
    {
      method: 'GET',
      path: '/api/v1/system/models',
      permission: 'system.view',
      summary: 'The models of this box',
      answer: MODELS,
      handle: async () => json(await system.models()),
    },
    {
      method: 'GET',
      path: '/api/v1/system/health',
      permission: 'system.view',
      summary: 'How the box is',
      answer: HEALTH,
      handle: ({ who }) => {
        const { ready, details, shed: below = {} } = system.health()
        const all = { ...engine.shed(), ...below, ...shed() }
        const time_zone = system.timeZone()
        return json({
          ...new Sight(who, engine).health(details),
          storage: engine.upkeep.view(),
          ready,
          time_zone,
          version: system.version,
          shed: all,
        })
      },
    },
    {
      method: 'GET',
      path: '/api/v1/system/machine',
      permission: 'system.view',
      summary: 'How the machine and the processes of the box are right now',
      answer: MACHINE,
      handle: ({ who }) => {
        new Sight(who, engine).demandWhole()
        return json(care.machine())
      },
    },
    {
      method: 'GET',
      path: '/health',
      permission: 'public',
      summary: 'Whether the box is alive',
      answer: { status: 'string', version: 'string' },
      handle: () => json({ status: 'ok', version: system.version }),
    },
    {
      method: 'GET',
      path: '/ready',
      permission: 'public',
      summary: 'Whether the box takes work',
      answer: { status: 'string' },
      handle: () => {
        const { ready, safe = false } = system.health()
        return json({ status: ready ? 'ready' : safe ? 'safe_mode' : 'starting' }, ready ? 200 : 503)
      },
    },
  ]
}
