/** People at the door of a box in a test: browsers with their cookie, programs with their token. */
import type { Box } from './box.ts'

export const PASSWORD = 'four words in a row'

type Role = 'admin' | 'operator' | 'viewer'

/** Somebody who asks: sends what their browser or program would. */
export type Asks = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Response>

interface Where {
  port: number
}

/** A browser: keeps its cookie, and says where its page came from. */
export function browser({ port }: Where): Asks & { cookie: string | null } {
  const base = `http://localhost:${port}`
  const ask = Object.assign(
    async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          host: `localhost:${port}`,
          origin: base,
          ...(ask.cookie !== null && { cookie: ask.cookie }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...more,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const set = response.headers.get('set-cookie')
      if (set !== null) ask.cookie = /^[^=]+=[^;]+/.exec(set)?.[0] ?? null
      return response
    },
    { cookie: null as string | null },
  )
  return ask
}

/** A program that shows a token. */
export function program({ port }: Where, token: string): Asks {
  return (method, path, body, more = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
}

/** Claims the box for Ada, who is signed in then. */
export async function claimed(box: Pick<Box, 'port' | 'access'>) {
  const ada = browser(box)
  const { code } = box.access
  const response = await ada('POST', '/api/v1/session/claim', { code, name: 'Ada', password: PASSWORD })
  if (response.status !== 201) throw new Error(`not claimed: ${await response.text()}`)
  return ada
}

/** Adds somebody and signs them in. */
export async function somebody(
  box: Pick<Box, 'port' | 'access'>,
  name: string,
  role: Role,
  cameras: string[] | null = null,
) {
  await box.access.users.add({ name, role, cameras, password: PASSWORD }, 'Ada')
  const asks = browser(box)
  const response = await asks('POST', '/api/v1/session/login', { name, password: PASSWORD })
  if (response.status !== 200) throw new Error(`not signed in: ${await response.text()}`)
  return asks
}

/** Makes a token of somebody. */
export async function tokenOf(box: Pick<Box, 'port' | 'access'>, name: string, ...scopes: string[]) {
  const { users, tokens } = box.access
  const { token } = await tokens.add(users.known(name), { name: 'a script', scopes }, name)
  return program(box, token)
}

/** Status and code of an answer. */
export async function said(response: Response | Promise<Response>): Promise<[number, string?]> {
  const answer = await response
  const text = await answer.text()
  return answer.status < 400 ? [answer.status] : [answer.status, (JSON.parse(text) as { code: string }).code]
}
