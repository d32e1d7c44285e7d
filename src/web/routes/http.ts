import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import type { Listening } from '../listen/listening.ts'
import { HTTPS, type Settings } from '../listen/settings.ts'
import { json, type Route } from '../route.ts'
import { HTTP } from '../schemas/index.ts'

/** Where the box listens. Whoever changes that may lock everybody out: it holds only if somebody confirms it. */
export function httpRoutes(settings: Settings, listening: Listening): Route[] {
  const view = () => ({
    ...settings.view(),
    // Where any free port was asked for: the one that it is. A change is told as it will be.
    port: settings.now.port || listening.at.port,
    url: listening.urlOf(settings.now),
    fingerprint: listening.fingerprint,
  })
  return [
    {
      method: 'GET',
      path: '/api/v1/system/http',
      permission: 'system.manage',
      summary: 'Where the box listens',
      answer: HTTP,
      handle: () => json(view()),
    },
    {
      method: 'PUT',
      path: '/api/v1/system/http',
      permission: 'system.manage',
      summary: 'Listen somewhere else from now on, for five minutes: longer only if that is confirmed there',
      body: { 'host?': 'string', 'port?': 'integer', 'https?': HTTPS },
      answer: HTTP,
      status: 202,
      handle: async ({ request, who }) => {
        const body = await readJsonBody(request, MAX_TEXT)
        const [host, port, https] = ['host', 'port', 'https'].map(each => field(body, each))
        await listening.change(settings.check({ host, port, https }), who.author)
        return json(view(), 202)
      },
    },
    {
      method: 'POST',
      path: '/api/v1/system/http/confirm',
      permission: 'system.manage',
      summary: 'Keep where the box listens now',
      answer: HTTP,
      handle: async ({ who }) => {
        await listening.confirm(who.author)
        return json(view())
      },
    },
  ]
}
