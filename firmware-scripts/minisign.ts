/** Signatures as minisign makes and checks them: whoever has a release needs nothing of ours to check it. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Ed25519 over the BLAKE2b hash of the file. */
const HASHED = 'ED'
/** How a public key says what it is for. */
const KEY = 'Ed'

/** A new key, as PEM: to be kept where releases are made, and nowhere else. */
export function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** The text of the public key, its second line being what `minisign -P` takes. */
export function publicKeyOf(pem: string): string {
  const key = privateKey(pem)
  const bytes = Buffer.concat([Buffer.from(KEY), idOf(key), rawPublic(key)])
  return `untrusted comment: Gatehouse releases\n${bytes.toString('base64')}\n`
}

/** The text of the signature; `comment` is signed too. */
export async function signatureOf(file: string, pem: string, comment: string): Promise<string> {
  if (comment.includes('\n')) throw new Error('the comment of a signature is one line')
  const key = privateKey(pem)
  const hash = createHash('blake2b512')
  await pipeline(createReadStream(file), hash)
  const signature = sign(null, hash.digest(), key)
  const overAll = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key)
  const first = Buffer.concat([Buffer.from(HASHED), idOf(key), signature]).toString('base64')
  const lines = ['untrusted comment: signature of a Gatehouse release', first]
  return `${[...lines, `trusted comment: ${comment}`, overAll.toString('base64')].join('\n')}\n`
}

function privateKey(pem: string): KeyObject {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error('the key is not an Ed25519 one: make one with --make-key')
  return key
}

function rawPublic(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32)
}

/** Any eight bytes name a key; these follow from it. */
function idOf(key: KeyObject): Buffer {
  return createHash('sha256').update(rawPublic(key)).digest().subarray(0, 8)
}
