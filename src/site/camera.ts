/** The cameras of a site, in its file under `cameras:`. */
import { dirname, resolve } from 'node:path'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Camera, CameraSource, Place } from './types.ts'
import { escapeKey } from './yaml.ts'

const ROLE = /^[a-z][a-z0-9_-]*$/
const NAME = '^[a-z][a-z0-9_-]{0,63}$'

const closed = <P extends { [key: string]: TSchema }>(properties: P, expects: string) =>
  Type.Object(properties, { additionalProperties: false, expects })
const name = Type.String({
  pattern: NAME,
  expects: 'a name: small letters, digits, _ and -, beginning with a letter',
})
const text = Type.String({ minLength: 1, maxLength: 500, expects: 'a text' })

const place = Type.Union(
  [
    text,
    closed(
      { url: text, user: Type.Optional(text), password: Type.Optional(closed({ secret: name }, 'a secret')) },
      'an address with user and password',
    ),
  ],
  { expects: 'an address, or { url, user, password: { secret: <name> } }' },
)

/** As the NVR calls it: its number, or its handle (`cam1`). */
const nvrCamera = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
  expects: 'the id of a camera of the NVR, such as cam1',
})

const zones = Type.Record(
  Type.String({ pattern: NAME }),
  Type.Array(
    Type.Array(Type.String({ pattern: '^(0(\\.\\d+)?|1(\\.0+)?)$', expects: 'a number from 0 to 1' }), {
      minItems: 2,
      maxItems: 2,
      expects: 'a point [x, y] with numbers from 0 to 1',
    }),
    { minItems: 3, maxItems: 64, expects: 'a list of at least three points [x, y]' },
  ),
  { additionalProperties: false, expects: 'zones by name' },
)

/** What each source is, as a problem names it. */
const SOURCES = ['folder', 'snapshot', 'rtsp', 'onvif', 'nvr'] as const

export const CameraSchema = closed(
  {
    name: Type.Optional(text),
    roles: Type.Optional(Type.Array(name, { expects: 'a list of names, such as [gate]' })),
    source: Type.Optional(
      closed(
        {
          folder: Type.Optional(text),
          snapshot: Type.Optional(place),
          rtsp: Type.Optional(place),
          onvif: Type.Optional(place),
          nvr: Type.Optional(nvrCamera),
        },
        'folder:, snapshot:, rtsp:, onvif: or nvr: with its place',
      ),
    ),
    stream: Type.Optional(place),
    ptz: Type.Optional(place),
    zones: Type.Optional(zones),
  },
  'a camera: name, roles, source, stream, ptz, zones',
)

type Report = (pointer: string, code: string, message: string) => void
type Data = Static<typeof CameraSchema>

/** What the rest of the file says, and who hears what no schema sees. */
interface Around {
  file: string
  hasNvr: boolean
  report: Report
}

/** What the file says of a camera. Where there is an NVR, a camera without a source is the NVR's. */
export function cameraOf(id: string, data: Data, { file, hasNvr, report }: Around): Camera {
  const pointer = `/cameras/${escapeKey(id)}`
  if (!data.roles && !ROLE.test(id)) {
    report(pointer, 'missing_key', `cameras.${id} needs roles: its id cannot serve as one.`)
  }
  const drawn = Object.entries(data.zones ?? {}).map(([zone, points]): [string, [number, number][]] => [
    zone,
    points.map(([x, y]): [number, number] => [Number(x), Number(y)]),
  ])
  const source = data.source
    ? sourceOf(data.source, `${pointer}/source`, { file, hasNvr, report })
    : hasNvr
      ? { kind: 'nvr' as const, camera: id }
      : null
  const stream = data.stream ? placeOf(data.stream, `${pointer}/stream`, 'rtsp', report) : null
  const ptz = data.ptz ? placeOf(data.ptz, `${pointer}/ptz`, 'http', report) : null
  return {
    id,
    name: data.name ?? id,
    roles: data.roles ?? [id],
    source,
    stream: stream ?? (source?.kind === 'rtsp' ? source : null),
    ptz: ptz ?? (source?.kind === 'onvif' ? source : null),
    zones: new Map(drawn),
  }
}

function sourceOf(
  data: NonNullable<Data['source']>,
  pointer: string,
  { file, hasNvr, report }: Around,
): CameraSource | null {
  const [kind, ...more] = SOURCES.filter(each => data[each] !== undefined)
  if (!kind || more.length) {
    const path = pathOf(pointer)
    report(pointer, 'wrong_value', `${path} must be one of folder:, snapshot:, rtsp:, onvif: and nvr:.`)
    return null
  }
  if (kind === 'folder') return { kind, path: resolve(dirname(file), data.folder ?? '') }
  if (kind === 'nvr') {
    if (!hasNvr)
      report(`${pointer}/nvr`, 'missing_key', `${pathOf(pointer)}.nvr needs the NVR: name it under nvr.`)
    return { kind, camera: data.nvr ?? '' }
  }
  const found = placeOf(data[kind] ?? '', `${pointer}/${kind}`, kind === 'rtsp' ? 'rtsp' : 'http', report)
  return found && { kind, ...found }
}

function placeOf(
  data: Static<typeof place>,
  pointer: string,
  scheme: 'http' | 'rtsp',
  report: Report,
): Place | null {
  const path = pathOf(pointer)
  const { url: address, user = null, password = null } = typeof data === 'string' ? { url: data } : data
  const url = URL.parse(address)
  const schemes = scheme === 'rtsp' ? ['rtsp:'] : ['http:', 'https:']
  if (!url || !schemes.includes(url.protocol) || url.hostname === '') {
    const begins = scheme === 'rtsp' ? 'rtsp://' : 'http'
    report(pointer, 'wrong_value', `${path} must be an address that begins with ${begins}.`)
    return null
  }
  if (url.username || url.password) {
    report(
      pointer,
      'credentials_in_url',
      `${path} holds credentials: write { url, user, password: { secret: <name> } }, and the password into the file secrets/<name> of the data folder.`,
    )
    return null
  }
  return { url, user, password }
}

function pathOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.')
}
