import type { WebDeps } from '../ports.ts'
import { json, type Route } from '../route.ts'
import { SITE_TEST } from '../schemas/index.ts'

/** Whether what the site names works: tried on demand, never by moving anything. */
export function siteTestRoutes({ siteTests }: WebDeps): Route[] {
  const of = (
    [folder, kind, param]: readonly [string, 'channel' | 'destination' | 'camera', string],
    summary: string,
  ): Route => ({
    method: 'POST',
    path: `/api/v1/site/${folder}/:${param}/test`,
    permission: 'site.manage',
    summary,
    answer: SITE_TEST,
    slow: true,
    handle: async ({ request, params, who }) =>
      json(await siteTests.run(kind, params[param] ?? '', who.author, request.signal)),
  })
  return [
    of(['channels', 'channel', 'name'], 'Tell everybody of a channel that it works'),
    of(['destinations', 'destination', 'name'], 'Send a test to a destination; what moves is left'),
    of(['cameras', 'camera', 'id'], 'Ask a camera for a picture'),
  ]
}
