import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { idOf, json, type Route } from '../route.ts'
import { list, orNull, text, USER } from '../schemas/index.ts'

/** Who may sign in, and as what. */
export function userRoutes({ access }: Pick<WebDeps, 'access'>): Route[] {
  const { users } = access
  return [
    {
      method: 'GET',
      path: '/api/v1/users',
      permission: 'users.manage',
      summary: 'List who may sign in',
      answer: { users: list(USER) },
      handle: () => json({ users: users.list() }),
    },
    {
      method: 'POST',
      path: '/api/v1/users',
      permission: 'users.manage',
      summary: 'Add somebody; `cameras` bounds what they see',
      body: {
        name: 'string',
        role: ['viewer', 'operator', 'admin'],
        password: 'string',
        'cameras?': orNull(list(text)),
      },
      answer: USER,
      status: 201,
      handle: async ({ request, who }) => {
        const body = await readJsonBody(request, MAX_TEXT)
        const [name, role, cameras, password] = ['name', 'role', 'cameras', 'password'].map(each =>
          field(body, each),
        )
        return json(await users.add({ name, role, cameras, password }, who.author), 201)
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/users/:id',
      permission: 'users.manage',
      summary: "Change somebody's role or cameras",
      body: { 'role?': ['viewer', 'operator', 'admin'], 'cameras?': orNull(list(text)) },
      answer: USER,
      handle: async call => {
        const id = idOf(call, 'user')
        const body = await readJsonBody(call.request, MAX_TEXT)
        const given = { role: field(body, 'role'), cameras: field(body, 'cameras') }
        return json(await users.change(id, given, call.who.author))
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/users/:id/password',
      permission: 'users.manage',
      summary: 'Give somebody another password; everywhere they are signed out',
      body: { password: 'string' },
      status: 204,
      handle: async call => {
        const id = idOf(call, 'user')
        const password = field(await readJsonBody(call.request, MAX_TEXT), 'password')
        await users.setPassword(id, password, call.who.author)
        return new Response(null, { status: 204 })
      },
    },
    {
      method: 'POST',
      path: '/api/v1/users/:id/unlock',
      permission: 'users.manage',
      summary: 'Let somebody sign in again after too many wrong passwords',
      answer: USER,
      handle: async call => json(await users.unlock(idOf(call, 'user'), call.who.author)),
    },
    {
      method: 'DELETE',
      path: '/api/v1/users/:id',
      permission: 'users.manage',
      summary: 'Remove somebody, with all sessions and tokens; the last admin stays',
      status: 204,
      handle: async call => {
        await users.remove(idOf(call, 'user'), call.who.author)
        return new Response(null, { status: 204 })
      },
    },
  ]
}
