import { GatehouseError } from '../../core/index.ts'
import { type Principal, SCOPES } from '../access/index.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { isIn } from '../query.ts'
import { idOf, json, type Route } from '../route.ts'
import { list, NEW_TOKEN, TOKENS, text } from '../schemas/index.ts'

/** What programs show instead of a password: one's own, and for an admin everybody's. */
export function tokenRoutes({ access }: Pick<WebDeps, 'access'>): Route[] {
  const { tokens, users } = access
  /** Whose tokens somebody reaches; null: everybody's. */
  const reach = ({ may, user }: Principal) => (may.has('users.manage') ? null : (user ?? 0))

  return [
    {
      method: 'GET',
      path: '/api/v1/tokens',
      permission: 'account',
      summary: 'List your tokens; ?all=true lists those of everybody, for an admin',
      query: { 'all?': ['true', 'false'] },
      answer: TOKENS,
      handle: ({ query, who }) => {
        const all = isIn(query, 'all') || who.user === null
        return json({ tokens: tokens.list(all ? reach(who) : who.user), scopes: SCOPES })
      },
    },
    {
      method: 'POST',
      path: '/api/v1/tokens',
      permission: 'account',
      summary: 'Make a token for a program; it is shown this once. An admin may make one for another `user`',
      body: { name: 'string', scopes: list(text), 'days?': 'integer|null', 'user?': 'string|null' },
      answer: NEW_TOKEN,
      status: 201,
      handle: async ({ request, who }) => {
        const body = await readJsonBody(request, MAX_TEXT)
        const named = field(body, 'user') ?? who.user
        if (typeof named !== 'string' && typeof named !== 'number')
          throw new GatehouseError('bad_user', 'Name the `user` whose token it is.', { status: 422 })
        const user = users.known(named)
        if (reach(who) !== null && user.id !== who.user)
          throw new GatehouseError('forbidden', 'Only an admin makes tokens for others.', { status: 403 })
        const [name, scopes, days] = ['name', 'scopes', 'days'].map(each => field(body, each))
        return json(await tokens.add(user, { name, scopes, days }, who.author), 201)
      },
    },
    {
      method: 'DELETE',
      path: '/api/v1/tokens/:id',
      permission: 'account',
      summary: 'Take a token back',
      status: 204,
      handle: async call => {
        await tokens.remove(idOf(call, 'token'), reach(call.who), call.who.author)
        return new Response(null, { status: 204 })
      },
    },
  ]
}
