import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { GatehouseError } from '../../core/index.ts'
import { selfSigned } from './certificate.ts'

const DAY_MS = 24 * 3_600_000
/** A certificate of our own is made anew when it holds for less than this. */
const RENEW_MS = 60 * DAY_MS

/** What a server shows, and the key to it, in PEM. */
export interface Tls {
  cert: string
  key: string
  /** SHA-256, as browsers show it. */
  fingerprint: string
}

/** The box's certificates, in the folder `tls` of its data: its own, which it makes, and its owner's. */
export class TlsFiles {
  readonly #dir: string

  constructor(dataDir: string) {
    this.#dir = join(dataDir, 'tls')
  }

  /** The box's own, made where there is none, or none that holds for long and for all its names; the key stays. */
  own(now: number): Tls {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
    const key = this.#ownKey()
    const names = namesOf()
    const known = read(join(this.#dir, 'own-cert.pem'))
    if (known !== null && isGood(known, key, names, now)) return tls(known, key)
    const cert = selfSigned(key, names, now)
    write(join(this.#dir, 'own-cert.pem'), cert)
    return tls(cert, key)
  }

  /** The owner's: `cert.pem` (with what it hangs on behind it) and `key.pem`. Throws `bad_certificate` (422). */
  owners(): Tls {
    const [cert, key] = ['cert.pem', 'key.pem'].map(name => read(join(this.#dir, name)))
    if (!cert || !key) throw bad(`put cert.pem and key.pem into ${this.#dir}`)
    try {
      const secret = createPrivateKey(key)
      if (!new X509Certificate(cert).checkPrivateKey(secret)) throw bad('key.pem is not the key to cert.pem')
      return tls(cert, secret)
    } catch (error) {
      if (error instanceof GatehouseError) throw error
      throw bad('cert.pem or key.pem is not in PEM, or is damaged')
    }
  }

  /** When the owner's files were last changed, as one text that differs where they do. */
  get stamp(): string {
    const at = (name: string) => statSync(join(this.#dir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
    return `${at('cert.pem')} ${at('key.pem')}`
  }

  #ownKey(): KeyObject {
    const path = join(this.#dir, 'own-key.pem')
    const known = read(path)
    if (known !== null) {
      try {
        return createPrivateKey(known)
      } catch {
        // Damaged: another one, which browsers have to be told anew.
      }
    }
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    write(path, String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    return privateKey
  }
}

/** The names and addresses under which this machine is found. */
export function namesOf(): string[] {
  const name = hostname().toLowerCase()
  const plain = /^[a-z0-9.-]{1,253}$/.test(name)
    ? [name, ...(name.includes('.') ? [] : [`${name}.local`])]
    : []
  return [...new Set(['localhost', ...plain, '127.0.0.1', '::1', ...addresses()])]
}

/** Of this machine in its networks; link-local ones left aside. */
export function addresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap(each => each ?? [])
  return all.filter(({ internal, address }) => !internal && !/^fe80:/i.test(address)).map(it => it.address)
}

function isGood(cert: string, key: KeyObject, names: readonly string[], now: number): boolean {
  try {
    const known = new X509Certificate(cert)
    const holds = Date.parse(known.validFrom) <= now && Date.parse(known.validTo) - now > RENEW_MS
    const has = (name: string) => (known.checkHost(name) ?? known.checkIP(name)) !== undefined
    return holds && known.checkPrivateKey(key) && names.every(has)
  } catch {
    return false
  }
}

function tls(cert: string, key: KeyObject): Tls {
  const { fingerprint256 } = new X509Certificate(cert)
  return { cert, key: String(key.export({ type: 'pkcs8', format: 'pem' })), fingerprint: fingerprint256 }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function write(path: string, text: string): void {
  writeFileSync(`${path}.part`, text, { mode: 0o600 })
  renameSync(`${path}.part`, path)
}

const bad = (what: string) =>
  new GatehouseError('bad_certificate', `That certificate cannot be used: ${what}.`, { status: 422 })
