import type { Clock, Log } from '../core/index.ts'
import type { Store } from '../store/index.ts'
import { Access, CONSOLE_DOOR, whoAsks } from './access/index.ts'
import { notFound, problemOf } from './problem.ts'
import { paramsAt } from './route.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { userRoutes } from './routes/users.ts'

/**
 * The routes of users and tokens over a store without a box around it: for a command while the box is stopped. Whoever
 * holds the data folder owns the box.
 */
export function accessDesk(store: Store, clock: Clock, log: Log): (request: Request) => Promise<Response> {
  const access = new Access({ store, clock })
  const routes = [...userRoutes({ access }), ...tokenRoutes({ access })]
  const door = CONSOLE_DOOR
  return async request => {
    try {
      const { pathname, searchParams: query } = new URL(request.url)
      for (const route of routes) {
        const params = route.method === request.method ? paramsAt(route.path, pathname) : null
        const call = { request, query, who: whoAsks(request, door, access), door }
        if (params) return await route.handle({ ...call, params, from: { address: null, device: null } })
      }
      throw notFound('address')
    } catch (error) {
      return problemOf(error, log)
    }
  }
}
