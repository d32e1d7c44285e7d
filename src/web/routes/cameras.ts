import { GatehouseError } from '../../core/index.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { json, type Route } from '../route.ts'
import { FOUND_CAMERAS, OFFERED_CAMERAS, TRIED_CAMERA } from '../schemas/index.ts'
import { Sight } from '../sight.ts'

/** Longer sides of a picture that is shown. */
const SIDES = { small: 480, large: 1280 } as const

/** What cameras show now, and adding some. */
export function cameraRoutes({ cameras, engine }: WebDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/cameras/:id/picture',
      permission: 'workflows.view',
      summary: 'What a camera shows now',
      query: { 'size?': ['small', 'large'] },
      answer: 'image/jpeg',
      handle: async ({ params, query, who }) => {
        const id = params.id ?? ''
        if (!new Sight(who, engine).camera(id)) throw notFound('camera')
        const { bytes, takenAt } = await cameras.picture(
          id,
          SIDES[query.get('size') === 'large' ? 'large' : 'small'],
        )
        return new Response(bytes as Uint8Array<ArrayBuffer>, {
          headers: {
            'content-type': 'image/jpeg',
            'content-security-policy': "default-src 'none'; sandbox",
            'cache-control': 'no-store',
            ...(takenAt !== null && { 'last-modified': new Date(takenAt).toUTCString() }),
          },
        })
      },
    },
    {
      method: 'POST',
      path: '/api/v1/site/cameras/try',
      permission: 'site.manage',
      summary: 'Ask a camera for a picture before it is added',
      body: { id: 'string', camera: 'object', 'password?': 'string|null' },
      answer: TRIED_CAMERA,
      slow: true,
      handle: async ({ request }) => {
        const body = await readJsonBody(request, MAX_TEXT)
        const password = field(body, 'password') ?? null
        if (password !== null && typeof password !== 'string') throw bad('`password` must be a text.')
        return json(await cameras.try(textIn(body, 'id'), field(body, 'camera'), password))
      },
    },
    {
      method: 'POST',
      path: '/api/v1/site/cameras/password',
      permission: 'site.manage',
      summary: "Keep a camera's password, as a secret that a camera of the site's rules names",
      body: { password: 'string' },
      answer: { secret: 'string' },
      handle: async ({ request, who }) => {
        const password = textIn(await readJsonBody(request, MAX_TEXT), 'password')
        return json({ secret: await cameras.keepPassword(password, who.author) })
      },
    },
    {
      method: 'GET',
      path: '/api/v1/site/cameras/offered',
      permission: 'site.manage',
      summary: 'The cameras that the NVR has',
      answer: OFFERED_CAMERAS,
      slow: true,
      handle: async ({ request }) => json({ cameras: await cameras.offered(request.signal) }),
    },
    {
      method: 'POST',
      path: '/api/v1/site/cameras/discover',
      permission: 'site.manage',
      summary: 'Call for the cameras in the networks of this box (ONVIF)',
      answer: FOUND_CAMERAS,
      slow: true,
      handle: async ({ request }) => json({ cameras: await cameras.discover(request.signal) }),
    },
  ]
}

function textIn(body: unknown, name: string): string {
  const value = field(body, name)
  if (typeof value !== 'string') throw bad(`\`${name}\` must be a text.`)
  return value
}

const bad = (message: string) => new GatehouseError('bad_body', message, { status: 422 })
