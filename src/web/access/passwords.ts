import { GatehouseError } from '../../core/index.ts'
import { keyOf } from './names.ts'

/** What OWASP names for a machine with little memory: 19 MiB, some 25 ms on a small box. */
const ARGON = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
const LEAST = 10
const MOST = 200
/** Checked one after another: a crowd at the door takes neither memory nor time from the runs. */
const MOST_WAITING = 8

/** Makes and checks passwords. */
export class Passwords {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  /** Checked where there is no such user, so that it takes as long. */
  #nobody: Promise<string> | null = null

  /** Throws `bad_password` (422) for one that is easily guessed. */
  async make(value: unknown, name: string): Promise<string> {
    const password = checkPassword(value, name)
    return this.#one(() => Bun.password.hash(password, ARGON))
  }

  /** Whether it is the password of `hash`; null: there is nobody, which takes as long. Throws `busy` (503). */
  async fits(password: string, hash: string | null): Promise<boolean> {
    return this.#one(async () => {
      this.#nobody ??= Bun.password.hash(crypto.randomUUID(), ARGON)
      const known = hash ?? (await this.#nobody)
      if (password === '' || password.length > MOST) return false
      return (await Bun.password.verify(password.normalize('NFC'), known)) && hash !== null
    })
  }

  async #one<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING)
      throw new GatehouseError('busy', 'Too many sign in at once: try again in a moment.', { status: 503 })
    this.#waiting++
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      this.#waiting--
    }
  }
}

function checkPassword(value: unknown, name: string): string {
  const password = typeof value === 'string' ? value.normalize('NFC') : ''
  if (password.length < LEAST || password.length > MOST)
    throw refuse(`A password has ${LEAST} to ${MOST} characters: a few words in a row do well.`)
  const plain = password.toLowerCase()
  const rest = plain.replaceAll(keyOf(name), '').replaceAll('gatehouse', '').replaceAll('password', '')
  if (new Set(rest).size < 5) throw refuse('That password is easily guessed: take a few words in a row.')
  return password
}

const refuse = (what: string) => new GatehouseError('bad_password', what, { status: 422 })
