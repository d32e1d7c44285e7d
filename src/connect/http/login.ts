import { GatehouseError } from '../../core/index.ts'
import type { Place } from '../../site/index.ts'
import { type Secrets, secretFor } from '../secrets.ts'
import { authorization, type Challenge, challengeIn } from './challenge.ts'

/**
 * How somebody is known to one server. Nothing is shown before the server asks; what it asked for is remembered, so
 * that the next request is taken at once. The password is looked up each time and kept nowhere.
 */
export class Login {
  readonly #label: string
  readonly #place: Place
  readonly #secrets: Secrets
  #challenge: Challenge | null = null
  #count = 0

  /** `label`: for people, in errors. */
  constructor(label: string, place: Place, secrets: Secrets) {
    this.#label = label
    this.#place = place
    this.#secrets = secrets
  }

  /** Whether there is anybody to be known as. */
  get named(): boolean {
    return this.#place.user !== null || this.#place.password !== null
  }

  /** User and password. Throws `bad_request` where the secret is not there. */
  who(): { user: string; password: string } {
    const { user, password } = this.#place
    const secret = password ? secretFor(this.#label, password.secret, this.#secrets) : ''
    return { user: user ?? '', password: secret }
  }

  /** The header for a request, null before anything was asked for. Throws as `who` does, before anything is sent. */
  header(method: string, uri: string): string | null {
    if (!this.named) return null
    const challenge = this.#challenge
    const who = this.who()
    if (!challenge) return null
    if (/[\r\n\0]/.test(`${who.user}${uri}`)) {
      throw new GatehouseError('bad_request', `${this.#label}: user and address must be on one line.`)
    }
    return authorization(challenge, who, { method, uri, count: ++this.#count })
  }

  /**
   * The server refused a request and said what it wants; `sent`: the header that the request bore. False: there is
   * nothing else to answer, or it was answered already.
   */
  challenged(header: string | null, sent: string | null): boolean {
    if (!this.named) return false
    const challenge = challengeIn(header) ?? (header === null ? { scheme: 'basic' as const } : null)
    const before = this.#challenge
    this.#challenge = null
    if (!challenge || (sent !== null && !this.#isNew(challenge, before))) return false
    this.#challenge = challenge
    this.#count = 0
    return true
  }

  /** A nonce that has run out is answered anew; a password that is wrong is not sent again and again. */
  #isNew(challenge: Challenge, before: Challenge | null): boolean {
    if (challenge.scheme !== 'digest') return false
    if (before?.scheme !== 'digest') return true
    return challenge.nonce !== before.nonce && (challenge.stale || this.#count > 1)
  }
}
