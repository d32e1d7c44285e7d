/** Addresses that something is sent to, in the site file under `destinations:`. */
import type { SiteData } from './schema.ts'
import type { Destination } from './types.ts'
import { escapeKey } from './yaml.ts'

type Report = (pointer: string, code: string, message: string) => void

/** What the file says of a destination that is an address; `report` hears what no schema sees. */
export function destinationOf(
  name: string,
  data: Omit<NonNullable<SiteData['destinations']>[string], 'topic'>,
  report: Report,
): Destination {
  const pointer = `/destinations/${name}`
  const url = httpUrl(data.url ?? '')
  if (data.url === undefined) {
    const message = `destinations.${name} needs url, or topic for one on the MQTT broker: add it.`
    report(pointer, 'missing_key', message)
  } else if (!url) {
    report(
      `${pointer}/url`,
      'wrong_value',
      `destinations.${name}.url must be an address that begins with http.`,
    )
  } else if (url.username || url.password) {
    report(
      `${pointer}/url`,
      'credentials_in_url',
      `destinations.${name}.url holds credentials: put them into a secret and name it under headers.`,
    )
  }
  if (data.retain !== undefined || data.qos !== undefined)
    report(pointer, 'wrong_value', `destinations.${name}: retain and qos belong to topics: leave them out.`)
  const headers = Object.entries(data.headers ?? {}).map(([header, value]) => ({ name: header, value }))
  for (const { name: header, value } of headers) {
    const at = `${pointer}/headers/${escapeKey(header)}`
    if (RESERVED.has(header.toLowerCase())) {
      report(at, 'wrong_value', `destinations.${name}.headers.${header} is set by Gatehouse: leave it out.`)
    } else if (typeof value === 'string' && !/^[\t\x20-\x7e]*$/.test(value)) {
      report(at, 'wrong_value', `destinations.${name}.headers.${header} must be plain ASCII on one line.`)
    }
  }
  return {
    name,
    url: url ?? new URL('http://invalid'),
    class: data.class,
    method: data.method ?? null,
    headers,
    sign: data.sign ?? null,
  }
}

/** What the sender computes, or what would change where a request goes. */
const RESERVED = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-correlation-id',
])

function httpUrl(text: string): URL | null {
  const url = URL.parse(text)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? url : null
}
