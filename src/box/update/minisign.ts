/** What `minisign -V` does: whether a file is what the holder of a key signed. */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { GatehouseError } from '../../core/index.ts'

/** Ed25519 over the BLAKE2b hash of the file; the older form, over the file itself, is not taken. */
const HASHED = 'ED'
const KEY = 'Ed'
/** What stands before the 32 bytes of an Ed25519 key in DER. */
const DER = Buffer.from('302a300506032b6570032100', 'hex')
const COMMENT = 'trusted comment: '

export interface SigningKey {
  id: Buffer
  key: KeyObject
}

/** The key in a text as `minisign` writes it, or its second line alone. Throws `bad_key`. */
export function signingKeyIn(text: string): SigningKey {
  const line = text
    .split(/\r?\n/)
    .map(each => each.trim())
    .find(each => each !== '' && !each.startsWith('untrusted comment:'))
  const bytes = Buffer.from(line ?? '', 'base64')
  if (bytes.length !== 42 || bytes.subarray(0, 2).toString() !== KEY)
    throw new GatehouseError('bad_key', 'The key for updates is no public key of minisign: write it anew.')
  const der = Buffer.concat([DER, bytes.subarray(10)])
  return { id: bytes.subarray(2, 10), key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

/** The comment that was signed with a file, or with bytes. Throws `bad_signature`, before anything else of the file is looked at. */
export async function signedComment(
  file: string | Uint8Array,
  signature: string,
  key: SigningKey,
): Promise<string> {
  const [, first = '', third = '', fourth = ''] = signature.split(/\r?\n/)
  const bytes = Buffer.from(first, 'base64')
  const overAll = Buffer.from(fourth, 'base64')
  const whole = bytes.length === 74 && bytes.subarray(0, 2).toString() === HASHED && overAll.length === 64
  if (!whole || !third.startsWith(COMMENT)) throw bad('it is none of minisign')
  if (!bytes.subarray(2, 10).equals(key.id)) throw bad('it was made with another key')
  const hash = createHash('blake2b512')
  if (typeof file === 'string') await pipeline(createReadStream(file), hash)
  else hash.update(file)
  const own = bytes.subarray(10)
  const comment = third.slice(COMMENT.length)
  if (!verify(null, hash.digest(), key.key, own)) throw bad('the file is not what was signed')
  if (!verify(null, Buffer.concat([own, Buffer.from(comment)]), key.key, overAll))
    throw bad('its comment is not what was signed')
  return comment
}

function bad(why: string): GatehouseError {
  return new GatehouseError(
    'bad_signature',
    `The signature of the release does not hold: ${why}. Nothing was unpacked; fetch the release again from whoever made it.`,
  )
}
