import { type Clock, GatehouseError, iso } from '../../core/index.ts'
import type { Store, TokenRow, UserRow } from '../../store/index.ts'
import { OF_ROLE, OF_SCOPE, SCOPES, type Scope } from './permissions.ts'
import { hashOf, mintToken } from './secrets.ts'

const DAY = 24 * 3_600_000
const LONGEST_DAYS = 3_650
const USED_MS = 5 * 60_000
const MOST_OF_USER = 50

export interface TokenView {
  id: number
  user: string
  name: string
  scopes: string[]
  created_at: string
  /** To within a few minutes; null: never. */
  used_at: string | null
  expires_at: string | null
}

/** A token as it is to be; all of it is checked. */
export interface NewToken {
  name: unknown
  scopes: unknown
  /** How long it holds; null or absent: until it is taken back. */
  days?: unknown
}

/** What programs show instead of a password. Each is somebody's, and may at most what they may. */
export class Tokens {
  readonly #store: Store
  readonly #clock: Clock
  readonly #onChange: () => void

  constructor(store: Store, clock: Clock, onChange: () => void) {
    this.#store = store
    this.#clock = clock
    this.#onChange = onChange
  }

  /** Of one user, or of all (null). */
  list(user: number | null): TokenView[] {
    return this.#store.tokens.list(user).map(row => this.#view(row))
  }

  /** Answers with the token, which nobody is shown again. Throws `bad_token_name`, `bad_scopes`, `bad_days`. */
  async add(user: UserRow, given: NewToken, by: string): Promise<TokenView & { token: string }> {
    const name = checkLabel(given.name)
    const scopes = checkScopes(given.scopes, user)
    const createdAt = this.#clock.now()
    const days = checkDays(given.days)
    const expiresAt = days === null ? null : createdAt + days * DAY
    const token = mintToken()
    const row = { userId: user.id, name, hash: hashOf(token), scopes, createdAt, expiresAt }
    const id = await this.#store.write(() => {
      if (this.#store.tokens.list(user.id).length >= MOST_OF_USER) return null
      this.#note('token.add', `${name}: ${scopes.join(' ')}, as ${user.name}`, by)
      return this.#store.tokens.add(row)
    })
    if (id === null)
      throw refuse('too_many', `${user.name} has ${MOST_OF_USER} tokens: take one back first.`, 409)
    return { ...this.#view({ ...row, id, usedAt: null }), token }
  }

  /** `of`: only if it is theirs. Throws `token_unknown`. */
  async remove(id: number, of: number | null, by: string): Promise<void> {
    const row = this.#store.tokens.get(id)
    if (!row || (of !== null && row.userId !== of))
      throw refuse('token_unknown', 'There is no such token.', 404)
    await this.#store.write(() => {
      if (this.#store.tokens.remove(id)) this.#note('token.remove', row.name, by)
    })
    this.#onChange()
  }

  /** Whose token it is, or null; that it was used is written down. */
  find(token: string): { user: UserRow; token: TokenRow } | null {
    const now = this.#clock.now()
    const found = this.holds(this.#store.tokens.byHash(hashOf(token))?.id ?? 0)
    const { id, usedAt } = found?.token ?? { id: 0, usedAt: null }
    if (found && (usedAt === null || now - usedAt >= USED_MS))
      this.#store.write(() => this.#store.tokens.used(id, now)).catch(() => undefined)
    return found
  }

  /** Whether it still holds. */
  holds(id: number): { user: UserRow; token: TokenRow } | null {
    const token = this.#store.tokens.get(id)
    if (!token || (token.expiresAt !== null && token.expiresAt <= this.#clock.now())) return null
    const user = this.#store.users.get(token.userId)
    return user?.removedAt === null ? { user, token } : null
  }

  #note(action: string, target: string, author: string): void {
    const at = this.#clock.now()
    this.#store.audit.add({ at, author, action, target, before: null, after: null })
  }

  #view({ id, userId, name, scopes, createdAt, usedAt, expiresAt }: TokenRow): TokenView {
    return {
      id,
      user: this.#store.users.get(userId)?.name ?? '',
      name,
      scopes,
      created_at: iso(createdAt),
      used_at: usedAt === null ? null : iso(usedAt),
      expires_at: expiresAt === null ? null : iso(expiresAt),
    }
  }
}

function checkLabel(value: unknown): string {
  const label = typeof value === 'string' ? value.normalize('NFC').trim() : ''
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'-]{0,63}$/u.test(label))
    throw refuse('bad_token_name', 'Name what the token is for, in 1 to 64 letters, digits, spaces or . _ -')
  return label
}

function checkScopes(value: unknown, { name, role }: UserRow): Scope[] {
  const given = Array.isArray(value) ? value : []
  const scopes = SCOPES.filter(scope => given.includes(scope))
  if (!scopes.length || scopes.length !== new Set(given).size)
    throw refuse('bad_scopes', `\`scopes\` must be a list of ${SCOPES.join(', ')}.`)
  const beyond = scopes.find(scope => !OF_ROLE[role].has(OF_SCOPE[scope][0]))
  if (beyond)
    throw refuse('bad_scopes', `${name} is ${role} and may not do ${beyond}: a token may no more than they.`)
  return scopes
}

function checkDays(value: unknown): number | null {
  if (value === null || value === undefined) return null
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= LONGEST_DAYS) return Number(value)
  throw refuse('bad_days', `\`days\` must be a whole number from 1 to ${LONGEST_DAYS}, or null.`)
}

const refuse = (code: string, what: string, status = 422) => new GatehouseError(code, what, { status })
