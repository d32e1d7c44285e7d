import type { TSchema } from '@sinclair/typebox'
import type { JsonValue } from '../core/index.ts'
import type { Door, From, Permission, Principal } from './access/index.ts'
import { notFound } from './problem.ts'

/**
 * Members of a JSON object or of a query, with their JSON types (`integer`, `array|null` …), the words that they may
 * be, or a form of `schemas/`; `name?` may be left out.
 */
export type Shape = Readonly<Record<string, string | readonly string[] | TSchema>>

/** One line of the table of routes. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From the root, with `:name` for what varies. */
  path: string
  permission: Permission
  /** What it does, in a few words; every route has one but the page's own. */
  summary?: string
  query?: Shape
  /** What it takes: members of a JSON object, or a form of its own; `yaml?` may be left out. */
  body?: Shape | 'yaml' | 'yaml?' | 'renamed' | 'csv' | 'event' | 'delivery' | 'bytes'
  /** What it answers: members of a JSON object that are always there, a form of `schemas/`, or a media type. */
  answer?: Shape | TSchema | string
  /** Of its answer, where that is not 200. */
  status?: number
  /** It may take minutes: the connection is held as long, though nothing is sent over it. */
  slow?: true
  handle(call: Call): Response | Promise<Response>
}

/** A request as a route sees it. */
export interface Call {
  request: Request
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Who asks: known to hold the route's permission. */
  who: Principal
  from: From
  door: Door
}

/** A JSON answer; never cached, since it is somebody's data. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value as JsonValue), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}

/** What varies in an address of that path; null: it is none. */
export function paramsAt(path: string, pathname: string): Record<string, string> | null {
  const parts = path.split('/')
  const given = pathname.replace(/(.)\/$/, '$1').split('/')
  if (parts.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const there = given[at] ?? ''
    if (part.startsWith(':') && there !== '') {
      const value = decoded(there)
      if (value === null) return null
      params[part.slice(1)] = value
    } else if (part !== there) return null
  }
  return params
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** A row id out of the address. Throws 404 for what cannot be one. */
export function idOf(call: Call, what: string): number {
  const text = call.params.id ?? ''
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound(what)
  return Number(text)
}
