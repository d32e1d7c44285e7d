import { cookieFor, NOBODY } from '../access/index.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { type Call, idOf, json, type Route } from '../route.ts'
import { list, SESSION, SIGNED_IN } from '../schemas/index.ts'

/** Coming in and going out: who one is here, the claim of a new box, signing in, one's own password and sessions. */
export function sessionRoutes({ access }: WebDeps): Route[] {
  const view = ({ who }: Pick<Call, 'who'>) => ({
    claimed: access.claimed,
    ...who.as,
    may: [...who.may],
    cameras: who.cameras,
  })
  /** Signed in from now on. */
  const entered = ({ door }: Call, secret: string, status: number) => {
    const who = access.bySession(secret) ?? NOBODY
    return json(view({ who }), status, { 'set-cookie': cookieFor(secret, door) })
  }

  return [
    {
      method: 'GET',
      path: '/api/v1/session',
      permission: 'public',
      summary: 'Who you are here, and what you may do',
      answer: SESSION,
      handle: call => json(view(call)),
    },
    {
      method: 'POST',
      path: '/api/v1/session/claim',
      permission: 'public',
      summary: 'Become the first admin, with the code that the console of the box shows',
      body: { code: 'string', name: 'string', password: 'string' },
      answer: SESSION,
      status: 201,
      handle: async call => {
        const body = await readJsonBody(call.request, MAX_TEXT)
        const given = { code: field(body, 'code'), ...loginIn(body) }
        return entered(call, await access.claim(given, call.from), 201)
      },
    },
    {
      method: 'POST',
      path: '/api/v1/session/login',
      permission: 'public',
      summary: 'Sign in',
      body: { name: 'string', password: 'string' },
      answer: SESSION,
      handle: async call => {
        const given = loginIn(await readJsonBody(call.request, MAX_TEXT))
        const secret = await access.login(given, call.from)
        if (call.who.session !== null) await access.leave(call.who)
        return entered(call, secret, 200)
      },
    },
    {
      method: 'POST',
      path: '/api/v1/session/renew',
      permission: 'account',
      summary: "Keep a session: its secret is another one where it is a day old. For the box's own page",
      answer: SESSION,
      handle: async call => {
        const { session } = call.who
        const secret = session === null ? null : await access.sessions.renew(session)
        return json(view(call), 200, secret === null ? {} : { 'set-cookie': cookieFor(secret, call.door) })
      },
    },
    {
      method: 'POST',
      path: '/api/v1/session/logout',
      permission: 'account',
      summary: 'Sign out',
      status: 204,
      handle: async ({ who, door }) => {
        await access.leave(who)
        return new Response(null, { status: 204, headers: { 'set-cookie': cookieFor(null, door) } })
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/session/password',
      permission: 'account',
      summary: 'Change your own password; everywhere else you are signed out',
      body: { password: 'string', next: 'string' },
      status: 204,
      handle: async ({ request, who }) => {
        const body = await readJsonBody(request, MAX_TEXT)
        const given = { password: field(body, 'password'), next: field(body, 'next') }
        await access.changePassword(who, given)
        return new Response(null, { status: 204 })
      },
    },
    {
      method: 'GET',
      path: '/api/v1/sessions',
      permission: 'account',
      summary: 'List where you are signed in',
      answer: { sessions: list(SIGNED_IN) },
      handle: ({ who }) => json({ sessions: access.sessions.list(who.user ?? 0, who.session) }),
    },
    {
      method: 'DELETE',
      path: '/api/v1/sessions/:id',
      permission: 'account',
      summary: 'Sign out somewhere else',
      status: 204,
      handle: async call => {
        await access.end(idOf(call, 'session'), call.who)
        return new Response(null, { status: 204 })
      },
    },
  ]
}

const loginIn = (body: unknown) => ({ name: field(body, 'name'), password: field(body, 'password') })
