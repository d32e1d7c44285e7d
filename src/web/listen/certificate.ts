import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { bits, integer, objectId, octets, sequence, setOf, time, tlv, utf8, yes } from './der.ts'

const ECDSA_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
const SERVER = '1.3.6.1.5.5.7.3.1'
/** Longer ones are refused by telephones. */
const DAYS = 820
const DAY_MS = 24 * 3_600_000

/**
 * A certificate that a box makes for itself, in PEM: for these names and addresses, signed with its own key (EC P-256),
 * for no other use than to be a server. `now`: epoch ms.
 */
export function selfSigned(key: KeyObject, names: readonly string[], now: number): string {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const algorithm = sequence(objectId(ECDSA_SHA256))
  const who = sequence(setOf(sequence(objectId(COMMON_NAME), utf8('Gatehouse'))))
  const body = sequence(
    tlv(0xa0, integer(Buffer.from([2]))),
    integer(serial()),
    algorithm,
    who,
    // A clock that is a little behind is nothing to be refused for.
    sequence(time(now - DAY_MS), time(now + DAYS * DAY_MS)),
    who,
    publicKey,
    tlv(0xa3, extensions(publicKey, names)),
  )
  const der = sequence(body, algorithm, bits(sign('sha256', body, key)))
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function extensions(publicKey: Uint8Array, names: readonly string[]): Uint8Array {
  const one = (id: string, value: Uint8Array, critical = false) =>
    sequence(objectId(id), ...(critical ? [yes()] : []), octets(value))
  return sequence(
    one('2.5.29.17', sequence(...names.map(alternative))),
    one('2.5.29.19', sequence(), true),
    one('2.5.29.15', bits(Buffer.from([0x80]), 7), true),
    one('2.5.29.37', sequence(objectId(SERVER))),
    one('2.5.29.14', octets(createHash('sha1').update(publicKey).digest())),
  )
}

function alternative(name: string): Uint8Array {
  return isIP(name) ? tlv(0x87, Buffer.from(ipaddr.parse(name).toByteArray())) : tlv(0x82, Buffer.from(name))
}

function serial(): Uint8Array {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 1
  return bytes
}
