import { type Clock, iso, mintSecret } from '../../core/index.ts'
import type { SessionRow, Store, UserRow } from '../../store/index.ts'
import { hashOf } from './secrets.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Nobody used it: signed out. */
const IDLE_MS = 7 * DAY
/** However much it is used: signed in anew. */
export const LONGEST_MS = 30 * DAY
/** A secret that is older is changed for another. */
const RENEW_MS = DAY
/** Requests that were under way when it was changed. */
const GRACE_MS = MINUTE
/** How exactly a row says when it was last used: less would write to the disk all the time. */
const SEEN_MS = 5 * MINUTE
const MOST_OF_USER = 20

export interface SessionView {
  id: number
  device: string | null
  /** The one that asks. */
  this: boolean
  since: string
  seen_at: string
}

/** Browsers in which somebody is signed in. Their secret is known to them alone, and is another one every day. */
export class Sessions {
  readonly #store: Store
  readonly #clock: Clock

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Begins one. Inside of a commit; answers with its secret. */
  begin(user: number, device: string | null): string {
    const { sessions } = this.#store
    const now = this.#clock.now()
    sessions.prune(now - IDLE_MS, now - LONGEST_MS)
    for (const { id } of sessions.ofUser(user).slice(MOST_OF_USER - 1)) sessions.end(id)
    const secret = mintSecret()
    sessions.add(user, hashOf(secret), device, now)
    return secret
  }

  /** Whose session it is, or null; that it was used is written down. */
  find(secret: string): { user: UserRow; session: SessionRow } | null {
    const now = this.#clock.now()
    const hash = hashOf(secret)
    const found = this.#alive(this.#store.sessions.byHash(hash), now)
    if (!found) return null
    const { session } = found
    const { id, former, formerUntil, seenAt } = session
    if (session.hash !== hash && formerUntil !== null && formerUntil <= now) return null
    const arrived = session.hash === hash && former !== null && formerUntil === null
    if (arrived || now - seenAt >= SEEN_MS) this.#used(id, now, arrived)
    return found
  }

  /** Whether it still holds: the user as well. */
  holds(id: number): UserRow | null {
    return this.#alive(this.#store.sessions.get(id), this.#clock.now())?.user ?? null
  }

  /** Another secret where the present one is a day old; null: it is not. */
  async renew(id: number): Promise<string | null> {
    const now = this.#clock.now()
    const session = this.#store.sessions.get(id)
    if (!session || now - session.renewedAt < RENEW_MS) return null
    const secret = mintSecret()
    await this.#store.write(() => this.#store.sessions.renew(id, hashOf(secret), now))
    return secret
  }

  /** Those of a user that hold. */
  list(user: number, own: number | null): SessionView[] {
    const now = this.#clock.now()
    return this.#store.sessions
      .ofUser(user)
      .filter(session => isAlive(session, now))
      .map(({ id, device, createdAt, seenAt }) => ({
        ...{ id, device, this: id === own },
        since: iso(createdAt),
        seen_at: iso(seenAt),
      }))
  }

  #alive(session: SessionRow | null, now: number): { user: UserRow; session: SessionRow } | null {
    if (!session || !isAlive(session, now)) return null
    const user = this.#store.users.get(session.userId)
    return user?.removedAt === null ? { user, session } : null
  }

  /** Once the new secret has arrived, the former one is not needed for long. */
  #used(id: number, now: number, arrived: boolean): void {
    const { sessions } = this.#store
    this.#store
      .write(() => {
        sessions.seen(id, now)
        if (arrived) sessions.closeFormer(id, now + GRACE_MS)
      })
      .catch(() => undefined)
  }
}

const isAlive = ({ seenAt, createdAt }: SessionRow, now: number): boolean =>
  now - seenAt < IDLE_MS && now - createdAt < LONGEST_MS
