import type { UserRow } from '../../store/index.ts'

/**
 * What a route takes. `public`: nothing; `hook`: to know the secret id in the address; `account`: to be signed in as
 * oneself.
 */
export type Permission =
  | 'public'
  | 'hook'
  | 'account'
  | 'workflows.view'
  | 'workflows.manage'
  | 'workflows.press'
  | 'workflows.message'
  | 'workflows.approve'
  /** To turn On what moves something, or reads plates or faces. */
  | 'workflows.arm'
  | 'events.send'
  /** To set the mode that the site is in. */
  | 'site.mode'
  | 'site.manage'
  | 'system.view'
  | 'system.manage'
  | 'users.manage'

export type Role = UserRow['role']
export const ROLES = ['viewer', 'operator', 'admin'] as const satisfies readonly Role[]

const VIEWER: readonly Permission[] = ['account', 'workflows.view', 'system.view']
const OPERATOR: readonly Permission[] = [
  ...VIEWER,
  'workflows.manage',
  'workflows.press',
  'workflows.message',
  'workflows.approve',
  'site.mode',
]
const ADMIN: readonly Permission[] = [
  ...OPERATOR,
  'workflows.arm',
  'events.send',
  'site.manage',
  'system.manage',
  'users.manage',
]

/** What people of a role may do. */
export const OF_ROLE: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  viewer: new Set(VIEWER),
  operator: new Set(OPERATOR),
  admin: new Set(ADMIN),
}

/** Whoever sits at a machine whose box has no users: all but what would make some. */
export const OF_OWNER: ReadonlySet<Permission> = new Set(
  ADMIN.filter(each => each !== 'users.manage' && each !== 'account'),
)

/** A command on the box: nobody by name, so it neither answers questions nor presses. */
export const OF_CONSOLE: ReadonlySet<Permission> = new Set(
  ADMIN.filter(each => !['workflows.approve', 'workflows.press', 'site.mode'].includes(each)),
)

/** What a token may be for → what it then may, as far as its user may. None of them makes users or tokens. */
export const OF_SCOPE = {
  read: ['workflows.view', 'system.view'],
  approve: ['workflows.approve'],
  'workflows.press': ['workflows.press'],
  'workflows.message': ['workflows.message'],
  'workflows.manage': ['workflows.manage', 'workflows.arm'],
  'events.write': ['events.send'],
  'site.manage': ['site.manage'],
} as const satisfies Record<string, readonly Permission[]>

export type Scope = keyof typeof OF_SCOPE
export const SCOPES = Object.keys(OF_SCOPE) as Scope[]
