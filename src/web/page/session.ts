/** Who is signed in at this browser, and what the box knows of users and tokens. */
import { ask, post } from './api.ts'

export interface Session {
  claimed: boolean
  by: 'nobody' | 'loopback' | 'session' | 'token' | 'console'
  name: string
  may: string[]
  /** Null: all. */
  cameras: string[] | null
}

export interface User {
  id: number
  name: string
  role: Role
  cameras: string[] | null
  locked_until: string | null
}

export type Role = 'viewer' | 'operator' | 'admin'

export interface Token {
  id: number
  user: string
  name: string
  scopes: string[]
  used_at: string | null
  expires_at: string | null
}

export interface SignedIn {
  id: number
  device: string | null
  this: boolean
  seen_at: string
}

export const getSession = (): Promise<Session> => ask('/session')

export const claim = (code: string, name: string, password: string): Promise<Session> =>
  ask('/session/claim', post({ code, name, password }))

export const login = (name: string, password: string): Promise<Session> =>
  ask('/session/login', post({ name, password }))

export const renew = (): Promise<Session> => ask('/session/renew', post({}))

export const logout = (): Promise<void> => ask('/session/logout', post({}))

export const changePassword = (password: string, next: string): Promise<void> =>
  ask('/session/password', post({ password, next }, 'PUT'))

export const getSignedIn = async (): Promise<SignedIn[]> =>
  (await ask<{ sessions: SignedIn[] }>('/sessions')).sessions

export const signOutAt = (id: number): Promise<void> => ask(`/sessions/${id}`, { method: 'DELETE' })

export const getUsers = async (): Promise<User[]> => (await ask<{ users: User[] }>('/users')).users

export const addUser = (given: {
  name: string
  role: Role
  cameras: string[] | null
  password: string
}): Promise<User> => ask('/users', post(given))

export const changeUser = (id: number, change: Partial<Pick<User, 'role' | 'cameras'>>): Promise<User> =>
  ask(`/users/${id}`, post(change, 'PUT'))

export const givePassword = (id: number, password: string): Promise<void> =>
  ask(`/users/${id}/password`, post({ password }, 'PUT'))

export const unlockUser = (id: number): Promise<User> => ask(`/users/${id}/unlock`, post({}))

export const removeUser = (id: number): Promise<void> => ask(`/users/${id}`, { method: 'DELETE' })

export const getTokens = (all: boolean): Promise<{ tokens: Token[]; scopes: string[] }> =>
  ask(`/tokens${all ? '?all=true' : ''}`)

export const makeToken = (name: string, scopes: string[]): Promise<Token & { token: string }> =>
  ask('/tokens', post({ name, scopes }))

export const takeBack = (id: number): Promise<void> => ask(`/tokens/${id}`, { method: 'DELETE' })

/** Where the box is reached. */
export interface Http {
  host: string
  port: number
  https: 'off' | 'own' | 'files'
  url: string
  fingerprint: string | null
  /** A change that nobody has confirmed yet. */
  trial: { until: string; by: string } | null
}

export const getHttp = (): Promise<Http> => ask('/system/http')

export const setHttp = (given: Pick<Http, 'host' | 'port' | 'https'>): Promise<Http> =>
  ask('/system/http', post(given, 'PUT'))

export const confirmHttp = (): Promise<Http> => ask('/system/http/confirm', post({}))
