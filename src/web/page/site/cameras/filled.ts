/** A camera as it is filled in, and as it is set. */
import type { SetCamera } from './api.ts'

export const KINDS = ['rtsp', 'snapshot', 'onvif', 'nvr', 'folder'] as const

export interface Filled {
  name: string
  roles: string
  kind: (typeof KINDS)[number]
  folder: string
  nvr: string
  url: string
  user: string
  /** Typed now; empty: the one that is kept, if any. */
  password: string
  /** The one that is kept, and for which machine it was. */
  secret: { name: string; host: string } | null
}

const EMPTY: Filled = {
  ...{ name: '', roles: '', kind: 'rtsp', folder: '', nvr: '', url: '', user: '', password: '' },
  secret: null,
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

export function filledOf(id?: string, known?: SetCamera): Filled {
  if (!known) return EMPTY
  const { name = id ?? '', roles = [], source = {} } = known
  const kind = KINDS.find(each => source[each] !== undefined) ?? 'snapshot'
  const common = { ...EMPTY, name, roles: roles.join(', '), kind }
  if (kind === 'folder' || kind === 'nvr') return { ...common, [kind]: source[kind] ?? '' }
  const place = source[kind] ?? ''
  if (typeof place === 'string') return { ...common, url: place }
  const { url, user = '', password } = place
  return { ...common, url, user, secret: password ? { name: password.secret, host: hostOf(url) } : null }
}

/** `secret`: what the password that was typed is kept under. A kept one goes to no other machine. */
export function cameraOf(it: Filled, secret: string | null): SetCamera {
  const roles = it.roles
    .split(/[\s,]+/)
    .map(each => each.toLowerCase())
    .filter(Boolean)
  const common = { name: it.name.trim(), ...(roles.length && { roles }) }
  if (it.kind === 'folder' || it.kind === 'nvr')
    return { ...common, source: { [it.kind]: it[it.kind].trim() } }
  const url = it.url.trim()
  const kept = !it.password && it.secret?.host === hostOf(url) ? it.secret.name : null
  const password = secret ?? kept
  const user = it.user.trim()
  const place = { url, ...(user && { user }), ...(password && { password: { secret: password } }) }
  return { ...common, source: { [it.kind]: user || password ? place : url } }
}

/** `Main gate` → `main-gate`: what workflows, events and addresses call it. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll('ß', 'ss')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .replace(/-+$/, '')
    .slice(0, 64)
