import { type Clock, GatehouseError, iso } from '../../core/index.ts'
import type { Store, UserRow } from '../../store/index.ts'
import type { Limits } from './limits.ts'
import { checkCameras, checkName, keyOf } from './names.ts'
import type { Passwords } from './passwords.ts'
import { ROLES, type Role } from './permissions.ts'

/** Somebody who may sign in, as others see them. */
export interface UserView {
  id: number
  name: string
  role: Role
  /** Null: all. */
  cameras: string[] | null
  created_at: string
  /** Nobody may sign in under that name before then. */
  locked_until: string | null
  /** Browsers that are signed in. */
  sessions: number
  tokens: number
}

export interface UsersDeps {
  store: Store
  clock: Clock
  passwords: Passwords
  limits: Limits
  /** Somebody may do something else from now on, or nothing any more. */
  onChange(): void
}

/** A user as they are to be; all of it is checked. */
export interface NewUser {
  name: unknown
  role: unknown
  cameras: unknown
  password: unknown
}

/** Most boxes have a handful. */
const MOST_USERS = 100

/** Who may sign in. What is changed is in the audit, and there is always an admin. */
export class Users {
  readonly #deps: UsersDeps

  constructor(deps: UsersDeps) {
    this.#deps = deps
  }

  list(): UserView[] {
    return this.#deps.store.users.list().map(row => this.#view(row))
  }

  /** By number, or by name as names are compared. Throws 404. */
  known(idOrName: number | string): UserRow {
    const { users } = this.#deps.store
    const row = typeof idOrName === 'number' ? users.get(idOrName) : users.byKey(keyOf(idOrName))
    if (row && row.removedAt === null) return row
    throw new GatehouseError('user_unknown', 'There is no such user.', { status: 404 })
  }

  /** `first`: only as the first one. Throws `bad_name`, `bad_role`, `bad_cameras`, `bad_password`, `name_taken`. */
  async add(given: NewUser, by: string | null, options: { first?: boolean } = {}): Promise<UserView> {
    const { store, clock, passwords } = this.#deps
    const name = checkName(given.name)
    const role = checkRole(given.role)
    const cameras = scoped(role, checkCameras(given.cameras))
    const key = keyOf(name)
    const password = await passwords.make(given.password, name)
    const createdAt = clock.now()
    const added = await store.write(() => {
      if (options.first && store.users.any()) return 'claimed'
      if (store.users.byKey(key)) return 'taken'
      if (store.users.list().length >= MOST_USERS) return 'full'
      const id = store.users.add({ name, key, role, cameras, password, createdAt })
      this.#note(options.first ? 'claim' : 'user.add', `${name}: ${wordsOf(role, cameras)}`, by ?? name)
      return id
    })
    if (added === 'claimed') throw conflict('claimed', 'This box has an admin already: ask them for a login.')
    if (added === 'taken')
      throw conflict('name_taken', `There is a user ${name} already: choose another name.`)
    if (added === 'full') throw conflict('too_many', `There are ${MOST_USERS} users: remove one first.`)
    this.#deps.onChange()
    return this.#view(this.known(added))
  }

  /** Another role or other cameras; what is not named stays. */
  async change(id: number, given: { role?: unknown; cameras?: unknown }, by: string): Promise<UserView> {
    const { store } = this.#deps
    const row = this.known(id)
    const role = given.role === undefined ? row.role : checkRole(given.role)
    const asked = given.cameras === undefined ? row.cameras : checkCameras(given.cameras)
    const cameras = role === 'admin' && given.cameras === undefined ? null : scoped(role, asked)
    const before = wordsOf(row.role, row.cameras)
    const after = wordsOf(role, cameras)
    if (before === after) return this.#view(row)
    const done = await store.write(() => {
      if (role !== 'admin' && this.#isLastAdmin(id)) return false
      store.users.update(id, { role, cameras })
      this.#note('user.change', `${row.name}: ${after}, before: ${before}`, by)
      return true
    })
    if (!done) throw lastAdmin(row.name)
    this.#deps.onChange()
    return this.#view(this.known(id))
  }

  /** Everywhere but in the session `but` they are signed out. */
  async setPassword(id: number, value: unknown, by: string, but: number | null = null): Promise<void> {
    const { store, passwords, limits } = this.#deps
    const row = this.known(id)
    const password = await passwords.make(value, row.name)
    await store.write(() => {
      store.users.update(id, { password })
      store.sessions.endOf(id, but)
      limits.forget(`name ${row.key}`)
      this.#note('user.password', row.name, by)
    })
    this.#deps.onChange()
  }

  /** With all sessions and tokens. */
  async remove(id: number, by: string): Promise<void> {
    const { store, clock } = this.#deps
    const row = this.known(id)
    const done = await store.write(() => {
      if (this.#isLastAdmin(id)) return false
      store.users.update(id, { removedAt: clock.now() })
      store.sessions.endOf(id, null)
      store.tokens.removeOf(id)
      this.#note('user.remove', row.name, by)
      return true
    })
    if (!done) throw lastAdmin(row.name)
    this.#deps.onChange()
  }

  /** Whoever guessed under that name keeps nobody out any more. */
  async unlock(id: number, by: string): Promise<UserView> {
    const row = this.known(id)
    await this.#deps.store.write(() => {
      if (this.#deps.limits.forget(`name ${row.key}`)) this.#note('user.unlock', row.name, by)
    })
    return this.#view(row)
  }

  #isLastAdmin(id: number): boolean {
    const admins = this.#deps.store.users.list().filter(({ role }) => role === 'admin')
    return admins.length === 1 && admins[0]?.id === id
  }

  #note(action: string, target: string, author: string): void {
    const at = this.#deps.clock.now()
    this.#deps.store.audit.add({ at, author, action, target, before: null, after: null })
  }

  #view({ id, name, key, role, cameras, createdAt }: UserRow): UserView {
    const { store, limits } = this.#deps
    const until = limits.lockedUntil(`name ${key}`)
    return {
      id,
      name,
      role,
      cameras,
      created_at: iso(createdAt),
      locked_until: until === null ? null : iso(until),
      sessions: store.sessions.ofUser(id).length,
      tokens: store.tokens.list(id).length,
    }
  }
}

function checkRole(value: unknown): Role {
  const role = ROLES.find(each => each === value)
  if (role) return role
  throw new GatehouseError('bad_role', '`role` must be viewer, operator or admin.', { status: 422 })
}

/** Whoever sets the site's rules gives themselves any camera: a bound admin would only look like one. */
function scoped(role: Role, cameras: string[] | null): string[] | null {
  if (role !== 'admin' || cameras === null) return cameras
  const message = 'An admin sees all cameras: choose operator or viewer, or leave `cameras` out.'
  throw new GatehouseError('bad_cameras', message, { status: 422 })
}

const wordsOf = (role: Role, cameras: readonly string[] | null) =>
  `${role}, ${cameras === null ? 'all cameras' : cameras.join(' ')}`

const lastAdmin = (name: string) =>
  conflict('last_admin', `${name} is the last admin: make somebody else an admin first.`)

const conflict = (code: string, what: string) => new GatehouseError(code, what, { status: 409 })
