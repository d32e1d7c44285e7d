import type { Identified } from '../../core/index.ts'
import type { TokenRow, UserRow } from '../../store/index.ts'
import { OF_CONSOLE, OF_OWNER, OF_ROLE, OF_SCOPE, type Permission } from './permissions.ts'

/** Whoever asks, as far as the box knows them. */
export interface Principal {
  /** As questions and presses name them. */
  readonly as: Identified
  /** As the audit and versions name them. */
  readonly author: string
  readonly may: ReadonlySet<Permission>
  /** Cameras that they may see, each `<id>` or `role:<role>`; null: all. */
  readonly cameras: readonly string[] | null
  readonly user: number | null
  readonly session: number | null
  readonly token: number | null
}

const nowhere = { cameras: null, user: null, session: null, token: null }

/** Nobody who is known. */
export const NOBODY: Principal = {
  as: { by: 'nobody', name: '' },
  author: 'nobody',
  may: new Set(),
  ...nowhere,
  cameras: [],
}

/** Whoever sits at this machine, as long as the box has no users. */
export const HERE: Principal = {
  as: { by: 'loopback', name: 'this machine' },
  author: 'this machine',
  may: OF_OWNER,
  ...nowhere,
}

/** A command on the box, by the socket in its data folder. */
export const CONSOLE: Principal = {
  as: { by: 'console', name: 'console' },
  author: 'console',
  may: OF_CONSOLE,
  ...nowhere,
}

/** Somebody who is signed in. */
export function signedIn({ id, name, role, cameras }: UserRow, session: number): Principal {
  const as = { by: 'session', name }
  return { as, author: name, may: OF_ROLE[role], cameras, user: id, session, token: null }
}

/** A program that shows a token: what the token is for, as far as its user may. */
export function byToken({ id, name, role, cameras }: UserRow, token: TokenRow): Principal {
  const asked = token.scopes.flatMap(scope =>
    Object.hasOwn(OF_SCOPE, scope) ? (OF_SCOPE[scope as keyof typeof OF_SCOPE] as readonly Permission[]) : [],
  )
  return {
    as: { by: 'token', name },
    author: `${name} (${token.name})`,
    may: new Set(asked.filter(each => OF_ROLE[role].has(each))),
    cameras,
    user: id,
    session: null,
    token: token.id,
  }
}
