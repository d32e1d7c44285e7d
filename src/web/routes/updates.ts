import { GatehouseError } from '../../core/index.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { json, type Route } from '../route.ts'

const ANSWER = {
  ...{ installed: 'string', available: 'object|null', checked_at: 'string|null', problem: 'string|null' },
  ...{ underway: 'object|null', last: 'object|null', source: 'string|null', auto: 'string|null' },
  not_here: 'string|null',
}

/** Which release runs, which one there is, and what came of the last update. */
export function updateRoutes({ updates }: WebDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/system/update',
      permission: 'system.view',
      summary: 'Which release runs, and whether there is a newer one',
      answer: ANSWER,
      handle: () => json(updates.view()),
    },
    {
      method: 'POST',
      path: '/api/v1/system/update',
      permission: 'system.manage',
      summary: 'Look for a newer release, or install it',
      body: { do: ['check', 'install'] },
      answer: ANSWER,
      status: 202,
      handle: async ({ request, who }) => {
        const what = field(await readJsonBody(request, MAX_TEXT), 'do')
        if (what !== 'check' && what !== 'install')
          throw new GatehouseError('bad_body', '`do` must be `check` or `install`.', { status: 422 })
        return json(await updates.ask(what, who.author), 202)
      },
    },
  ]
}
