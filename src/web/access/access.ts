import { type Clock, GatehouseError } from '../../core/index.ts'
import type { Store, UserRow } from '../../store/index.ts'
import { type Counted, Limits } from './limits.ts'
import { keyOf } from './names.ts'
import { Passwords } from './passwords.ts'
import { byToken, type Principal, signedIn } from './principal.ts'
import { isCode, mintCode } from './secrets.ts'
import { Sessions } from './sessions.ts'
import { Tokens } from './tokens.ts'
import { Users } from './users.ts'

export interface AccessDeps {
  store: Store
  clock: Clock
}

/** Where somebody asks from, as far as it is known. */
export interface From {
  /** The address; null: this machine, or not known. */
  address: string | null
  /** The same to the last digit, also of this machine. */
  peer?: string | null
  /** Which browser, in a few words. */
  device: string | null
}

const UNLOCK = ', or have it unlocked on the box (gatehouse users unlock NAME)'

/** Who may do what on this box. */
export class Access {
  readonly users: Users
  readonly sessions: Sessions
  readonly tokens: Tokens
  readonly #deps: AccessDeps
  readonly #passwords = new Passwords()
  readonly #limits: Limits
  readonly #listeners = new Set<() => void>()
  /** Known to whoever reads the console, for as long as this process runs. */
  #code: string | null = null

  constructor(deps: AccessDeps) {
    const { store, clock } = deps
    this.#deps = deps
    this.#limits = new Limits(store, clock)
    const onChange = () => this.changed()
    this.users = new Users({ store, clock, passwords: this.#passwords, limits: this.#limits, onChange })
    this.sessions = new Sessions(store, clock)
    this.tokens = new Tokens(store, clock, onChange)
  }

  /** Whether anybody has a login. */
  get claimed(): boolean {
    return this.#deps.store.users.any()
  }

  /** What the first admin shows to be the first; null: there is one. */
  get code(): string | null {
    if (this.claimed) return null
    this.#code ??= mintCode()
    return this.#code
  }

  /** Calls back whenever somebody may do something else than before, until the returned function is called. */
  onChange(callback: () => void): () => void {
    this.#listeners.add(callback)
    return () => this.#listeners.delete(callback)
  }

  /** Makes the first admin of whoever knows the code; answers with the secret of their session. */
  async claim(given: { code: unknown; name: unknown; password: unknown }, from: From): Promise<string> {
    const { code } = this
    if (code === null)
      throw new GatehouseError('claimed', 'This box has an admin already: sign in.', { status: 409 })
    const keys: Counted[] = ['claim', ...fromKeys(from)]
    await this.#limits.take(keys, ', or make one on the box (gatehouse users add NAME --role admin)')
    if (typeof given.code !== 'string' || !isCode(given.code, code))
      throw new GatehouseError('wrong_code', 'That is not the code that the console of the box shows.', {
        status: 403,
      })
    // Whoever knows the code may take some tries at a name and a password.
    await this.#deps.store.write(() => this.#forgive(keys))
    const user = await this.users.add({ ...given, role: 'admin', cameras: null }, null, { first: true })
    return this.#begin(this.users.known(user.id), from, [])
  }

  /** Signs somebody in; answers with the secret of their session. Throws `wrong_login`, `locked_out`, `busy`. */
  async login(given: { name: unknown; password: unknown }, from: From): Promise<string> {
    const name = typeof given.name === 'string' ? given.name.slice(0, 100) : ''
    const password = typeof given.password === 'string' ? given.password : ''
    const key = keyOf(name)
    const keys: Counted[] = [`name ${key}`, ...fromKeys(from)]
    const locks = await this.#limits.take(keys, UNLOCK)
    const user = this.#deps.store.users.byKey(key)
    if (!(await this.#passwords.fits(password, user?.password ?? null)) || !user) {
      if (locks.length)
        await this.#deps.store.write(() => this.#note('login.locked', locks.join(', '), 'this box'))
      throw new GatehouseError('wrong_login', 'Name or password is wrong.', { status: 401 })
    }
    return this.#begin(user, from, keys)
  }

  /** Changes one's own password; wrong ones count like at the door. */
  async changePassword(who: Principal, given: { password: unknown; next: unknown }): Promise<void> {
    const user = this.users.known(who.user ?? 0)
    const key: Counted = `name ${user.key}`
    await this.#limits.take([key], UNLOCK)
    const password = typeof given.password === 'string' ? given.password : ''
    if (!(await this.#passwords.fits(password, user.password)))
      throw new GatehouseError('wrong_login', 'The present password is wrong.', { status: 403 })
    await this.#deps.store.write(() => this.#forgive([key]))
    await this.users.setPassword(user.id, given.next, user.name, who.session)
  }

  /** Ends a session of one's own. Throws `session_unknown`. */
  async end(id: number, { user, author }: Principal): Promise<void> {
    const { store } = this.#deps
    const session = store.sessions.get(id)
    if (!session || session.userId !== user)
      throw new GatehouseError('session_unknown', 'There is no such session.', { status: 404 })
    await store.write(() => {
      if (store.sessions.end(id)) this.#note('logout', session.device ?? 'a program', author)
    })
    this.changed()
  }

  /** Ends the session in which somebody asks. */
  async leave(who: Principal): Promise<void> {
    if (who.session !== null) await this.end(who.session, who)
  }

  /** Who shows that secret, or null. */
  bySession(secret: string): Principal | null {
    const found = this.sessions.find(secret)
    return found && signedIn(found.user, found.session.id)
  }

  /** Who shows that token, or null. */
  byToken(token: string): Principal | null {
    const found = this.tokens.find(token)
    return found && byToken(found.user, found.token)
  }

  /** What a link that somebody shows leads to; wrong ones count like at the door. Throws `link_unknown`, `locked_out`. */
  async byLink<T>(from: From, find: () => T | null): Promise<T> {
    const keys = fromKeys(from)
    const locks = await this.#limits.take(keys, '')
    const found = find()
    await this.#deps.store.write(() => {
      if (found !== null) this.#forgive(keys)
      else if (locks.length) this.#note('login.locked', locks.join(', '), 'this box')
    })
    if (found !== null) return found
    throw new GatehouseError('link_unknown', 'This link does not hold any more: sign in to answer.', {
      status: 404,
    })
  }

  /** Whether somebody may still do exactly what they might when they asked. */
  still({ as, may, cameras, session, token }: Principal): boolean {
    if (as.by === 'loopback') return !this.claimed
    const now = session !== null ? this.#ofSession(session) : token !== null ? this.#ofToken(token) : null
    if (!now) return as.by === 'console'
    return (
      JSON.stringify(now.cameras) === JSON.stringify(cameras) &&
      now.may.size === may.size &&
      now.may.isSubsetOf(may)
    )
  }

  #ofSession(session: number): Principal | null {
    const user = this.sessions.holds(session)
    return user && signedIn(user, session)
  }

  #ofToken(id: number): Principal | null {
    const found = this.tokens.holds(id)
    return found && byToken(found.user, found.token)
  }

  /** The cameras that a user may see now, as they were last for one who was removed; null: all. */
  camerasOf(user: number): readonly string[] | null {
    return this.#deps.store.users.get(user)?.cameras ?? null
  }

  /** Somebody may do something else from now on. */
  changed(): void {
    for (const callback of this.#listeners) callback()
  }

  #begin(user: UserRow, { device, address }: From, keys: readonly Counted[]): Promise<string> {
    return this.#deps.store.write(() => {
      this.#forgive(keys)
      this.#note('login', `${device ?? 'a program'}, ${address ?? 'this machine'}`, user.name)
      return this.sessions.begin(user.id, device)
    })
  }

  /** Inside of a commit. */
  #forgive(keys: readonly Counted[]): void {
    for (const key of keys) {
      if (key.startsWith('from ')) this.#limits.forgive(key)
      else this.#limits.forget(key)
    }
  }

  /** Inside of a commit. */
  #note(action: string, target: string, author: string): void {
    const { store, clock } = this.#deps
    store.audit.add({ at: clock.now(), author, action, target, before: null, after: null })
  }
}

/** This machine has no address of its own to guess from: what stands before the box may be one for everybody. */
function fromKeys({ address }: From): Counted[] {
  return address === null ? [] : [`from ${address}`]
}
