import { Decrypter, Encrypter } from 'age-encryption'
import { GatehouseError } from '../../core/index.ts'

/** Memory for a passphrase: 2^15 × 1 KiB, which a small box has; the passphrase itself has to be a good one. */
const WORK = 15

/** Who can open a backup: everybody, who knows the passphrase, or who has the key behind `age1…`. */
export type Seal = null | { passphrase: string } | { recipient: string }
export type Key = null | { passphrase: string } | { identity: string }

const MAGIC = 'age-encryption.org/v1'

/** Throws `bad_request` for a recipient that is none. */
export function seal(bytes: ReadableStream<Uint8Array>, how: Seal): Promise<ReadableStream<Uint8Array>> {
  const encrypter = new Encrypter()
  if (!how) return Promise.resolve(bytes)
  encrypter.setScryptWorkFactor(WORK)
  try {
    if ('passphrase' in how) encrypter.setPassphrase(how.passphrase)
    else encrypter.addRecipient(how.recipient)
  } catch {
    throw new GatehouseError('bad_request', 'The recipient is no public key of age: it begins with age1.')
  }
  return encrypter.encrypt(bytes)
}

export const isSealed = (start: Uint8Array): boolean =>
  Buffer.from(start.subarray(0, MAGIC.length)).toString() === MAGIC

/** Throws `bad_request` where the key does not fit. */
export async function unseal(
  bytes: ReadableStream<Uint8Array>,
  key: Key,
): Promise<ReadableStream<Uint8Array>> {
  const decrypter = new Decrypter()
  try {
    if (key && 'passphrase' in key) decrypter.addPassphrase(key.passphrase)
    else if (key) decrypter.addIdentity(key.identity)
    return await decrypter.decrypt(bytes)
  } catch (cause) {
    throw new GatehouseError('bad_request', 'The passphrase or key does not open this backup.', { cause })
  }
}
