/** The NVR of a site, in its file under `nvr:`. */
import { type Static, Type } from '@sinclair/typebox'
import type { NvrSetting } from './types.ts'

const secret = Type.Object(
  { secret: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$', expects: 'the name of a secret' }) },
  { additionalProperties: false, expects: '{ secret: <name> }' },
)

export const NvrSchema = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 500,
      expects: 'an address such as http://192.168.1.10:8000',
    }),
    key: Type.Optional(secret),
    token: Type.Optional(secret),
    site_mode: Type.Optional(
      Type.Union([Type.Literal('nvr'), Type.Literal('box')], { expects: 'nvr or box' }),
    ),
  },
  { additionalProperties: false, expects: 'an NVR: url, key, token, site_mode' },
)

type Report = (pointer: string, code: string, message: string) => void

/** What the file says of the NVR; `report` hears what no schema sees. */
export function nvrOf(data: Static<typeof NvrSchema> | undefined, report: Report): NvrSetting | null {
  if (!data) return null
  const { key = null, token = null, site_mode: siteMode = 'nvr' } = data
  const url = URL.parse(data.url)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    report('/nvr/url', 'wrong_value', 'nvr.url must be an address that begins with http.')
  else if (url.username || url.password)
    report(
      '/nvr/url',
      'credentials_in_url',
      'nvr.url holds credentials: name the key under nvr.key: { secret: <name> }, and write it into the file secrets/<name> of the data folder.',
    )
  else if (url.search || url.hash)
    report('/nvr/url', 'wrong_value', 'nvr.url ends with its host, port and path: take away what follows.')
  if (!key && !token)
    report('/nvr', 'missing_key', 'nvr needs key: { secret: <name> }, the internal key of the NVR.')
  return { url: baseOf(url ?? new URL('http://invalid')), key, token, siteMode }
}

/** Without the part that every route begins with, and without a slash at its end. */
function baseOf(url: URL): URL {
  const base = new URL(url)
  base.pathname = base.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  return base
}
