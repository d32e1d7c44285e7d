import { GatehouseError } from '../../core/index.ts'
import type { Destination } from '../../site/index.ts'
import { type Secrets, secretFor } from '../secrets.ts'

/** The headers that a destination is listed with, secrets filled in, names in small letters. Throws `bad_request`. */
export function listedHeaders({ name, headers }: Destination, secrets: Secrets): Record<string, string> {
  const values = headers.map(({ name: header, value }): [string, string] => {
    if (typeof value === 'string') return [header.toLowerCase(), value]
    return [header.toLowerCase(), headerValue(name, header, secretFor(name, value.secret, secrets))]
  })
  return Object.fromEntries(values)
}

/** Throws `bad_request` where a header cannot bear that value. */
export function headerValue(to: string, header: string, value: string): string {
  if (/^[\x20-\x7e]{1,4096}$/.test(value)) return value
  throw new GatehouseError('bad_request', `${to}: the value of ${header} must be plain ASCII on one line.`)
}
