/** The cameras of a site, in its file under `cameras:`. */
import { dirname, resolve } from 'node:path'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Camera, CameraSource, Place, Polygon } from './types.ts'
import { escapeKey } from './yaml.ts'

/** A folder below the box's own for pictures. */
const BOXED = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
const ROLE = /^[a-z][a-z0-9_-]*$/
const NAME = '^[a-z][a-z0-9_-]{0,63}$'
/** Of one camera. */
const MOST_POLYGONS = 64
/** What covers less of a picture hides nothing. */
const LEAST_AREA = 1e-5

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

/** A site file is read as texts, what a page sends has numbers. */
const share = Type.Union(
  [Type.String({ pattern: '^(0(\\.\\d+)?|1(\\.0+)?)$' }), Type.Number({ minimum: 0, maximum: 1 })],
  { expects: 'a number from 0 to 1' },
)

const polygons = (expects: string) =>
  Type.Record(
    Type.String({ pattern: NAME }),
    Type.Array(
      Type.Array(share, {
        minItems: 2,
        maxItems: 2,
        expects: 'a point [x, y] with numbers from 0 to 1',
      }),
      { minItems: 3, maxItems: 64, expects: 'a list of at least three points [x, y]' },
    ),
    { additionalProperties: false, maxProperties: MOST_POLYGONS, expects },
  )

export const zonesSchema = polygons(`at most ${MOST_POLYGONS} zones by name`)
export const masksSchema = polygons(`at most ${MOST_POLYGONS} masks by name`)

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
    zones: Type.Optional(zonesSchema),
    masks: Type.Optional(masksSchema),
  },
  'a camera: name, roles, source, stream, ptz, zones, masks',
)

type Report = (pointer: string, code: string, message: string) => void
type Data = Static<typeof CameraSchema>

/** What the rest of the file says, and who hears what no schema sees. */
interface Around {
  file: string
  /** It was added on the box. */
  isSet: boolean
  hasNvr: boolean
  report: Report
}

/** What the file says of a camera. Where there is an NVR, a camera without a source is the NVR's. */
export function cameraOf(id: string, data: Data, around: Around): Camera {
  const { hasNvr, isSet, report } = around
  const pointer = `/cameras/${escapeKey(id)}`
  if (!data.roles && !ROLE.test(id)) {
    report(pointer, 'missing_key', `cameras.${id} needs roles: its id cannot serve as one.`)
  }
  const source = data.source
    ? sourceOf(data.source, `${pointer}/source`, around)
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
    zones: drawn(data.zones),
    masks: masksOf(data.masks, pointer, report),
    from: isSet ? 'page' : 'file',
  }
}

function drawn(polygons: Data['zones'] = {}): Map<string, Polygon> {
  return new Map(
    Object.entries(polygons).map(([name, points]) => [
      name,
      points.map(([x, y]): [number, number] => [Number(x), Number(y)]),
    ]),
  )
}

/** One that hides nothing was meant to hide something. */
function masksOf(masks: Data['masks'], pointer: string, report: Report): Map<string, Polygon> {
  const found = drawn(masks)
  for (const [name, points] of found)
    if (extentOf(points) < LEAST_AREA)
      report(
        `${pointer}/masks/${name}`,
        'wrong_value',
        `${pathOf(pointer)}.masks.${name} covers nothing: its points lie on one line.`,
      )
  return found
}

/** How much of a picture a polygon covers at least, whatever way it goes round: the largest of its triangles. */
function extentOf(points: Polygon): number {
  let largest = 0
  for (const [i, [ax, ay]] of points.entries())
    for (const [j, [bx, by]] of points.entries())
      for (const [cx, cy] of j > i ? points.slice(j + 1) : [])
        largest = Math.max(largest, Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2)
  return largest
}

function sourceOf(
  data: NonNullable<Data['source']>,
  pointer: string,
  { file, hasNvr, isSet, report }: Around,
): CameraSource | null {
  const [kind, ...more] = SOURCES.filter(each => data[each] !== undefined)
  if (!kind || more.length) {
    const path = pathOf(pointer)
    report(pointer, 'wrong_value', `${path} must be one of folder:, snapshot:, rtsp:, onvif: and nvr:.`)
    return null
  }
  if (kind === 'folder') {
    const folder = data.folder ?? ''
    if (!isSet) return { kind, path: resolve(dirname(file), folder) }
    if (!BOXED.test(folder))
      report(`${pointer}/folder`, 'wrong_value', `${pathOf(pointer)}.folder must be the name of a folder.`)
    return { kind, path: folder, boxed: true }
  }
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
