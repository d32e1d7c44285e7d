/** What a webhook or a button press may bring: an event and pictures, as a form, as JSON, or nothing. */
import { GatehouseError, type JsonValue, type Picture } from '../core/index.ts'
import { cleanJson, parseJson, readJson, readTime } from '../kinds/index.ts'
import { pictureType } from '../vision/index.ts'
import {
  decode,
  formOf,
  isJson,
  MAX_BODY,
  MAX_PICTURE_JSON,
  mediaType,
  readBytes,
  unsupported,
} from './body.ts'

/** More pictures than a step looks at are of no use. */
const MAX_PICTURES = 8
const MAX_EVENT = 256 * 1024
/** The parts of a form that are read. */
const PARTS = ['picture', 'pictures', 'event']

export interface Delivery {
  event: { [key: string]: JsonValue }
  pictures: Picture[]
}

/** What is done on the way for whoever may send it. */
export interface Taking {
  /** Sees the body before anything of it is understood; throws where it is not taken. */
  check?(body: Uint8Array): void
  /** Fetches a picture that is sent as its address. Absent: that is not done. */
  fetch?(address: string): Promise<Uint8Array>
}

/**
 * Reads `multipart/form-data` (`picture` files, `event` as JSON), JSON (`{event?, picture?, pictures?}` with
 * base64, or the event itself), or an empty body; a picture may be an address, too. It counts as taken at the event's
 * `ts`, else on arrival (`now`, epoch ms). Throws 400, 413, 415 or 422.
 */
export async function readDelivery(
  request: Request,
  now: number,
  { check, fetch }: Taking = {},
): Promise<Delivery> {
  const type = mediaType(request)
  const bytes = await readBytes(request, isJson(type) ? MAX_PICTURE_JSON : MAX_BODY)
  check?.(bytes)
  if (type === 'multipart/form-data') return fromForm(await formOf(bytes, request), now, fetch)
  if (isJson(type)) return fromJson(parseJson(decode(bytes)), now, fetch)
  if (bytes.byteLength > 0) throw unsupported('multipart/form-data', 'application/json')
  return { event: {}, pictures: [] }
}

type Fetch = Taking['fetch']

async function fromForm(form: FormData, now: number, fetch: Fetch): Promise<Delivery> {
  for (const name of form.keys()) if (!PARTS.includes(name)) throw unknownPart(name)
  const texts = form.getAll('event')
  if (texts.length > 1) throw refuse('bad_event', 'Send one `event` field.')
  const [text = '{}'] = texts
  const event = eventOf(readJson(typeof text === 'string' ? text : decode(await bytesOf(text, MAX_EVENT))))
  const files = [...form.getAll('picture'), ...form.getAll('pictures')]
    // A form whose picture field was left empty sends a file without a name.
    .filter(file => typeof file === 'string' || file.size > 0 || file.name)
  const pictures = files.map((file): Sent => {
    if (typeof file !== 'string') return () => bytesOf(file, MAX_BODY)
    if (!isAddress(file) || !fetch)
      throw refuse('not_a_picture', 'Send `picture` as a file (with curl: -F picture=@photo.jpg).')
    return () => fetch(file)
  })
  return { event, pictures: await picturesOf(pictures, event, now) }
}

function unknownPart(name: string): GatehouseError {
  const part = name.length > 40 ? `${name.slice(0, 40)}…` : name
  return refuse(
    'unknown_part',
    `The form has a part “${part}” that nothing reads: send pictures as \`picture\` and values as JSON in \`event\`.`,
  )
}

async function fromJson(body: unknown, now: number, fetch: Fetch): Promise<Delivery> {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw refuse('bad_event', 'The body must be a JSON object.')
  const { picture, pictures, event, ...rest } = body as { [key: string]: unknown }
  const wrapped = picture !== undefined || pictures !== undefined || event !== undefined
  const fields = eventOf(cleanJson((wrapped ? event : rest) ?? {}))
  const encoded = [...(picture == null ? [] : [picture]), ...(Array.isArray(pictures) ? pictures : [])]
  const sent = encoded.map((each): Sent => {
    if (typeof each === 'string' && isAddress(each) && fetch) return () => fetch(each)
    const bytes = fromBase64(each)
    return async () => bytes
  })
  return { event: fields, pictures: await picturesOf(sent, fields, now) }
}

/** A picture that is there, or yet to be fetched. */
type Sent = () => Promise<Uint8Array>

const isAddress = (text: string) => /^https?:\/\//.test(text)

function eventOf(value: JsonValue): Delivery['event'] {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw refuse('bad_event', '`event` must be a JSON object.')
  if (JSON.stringify(value).length > MAX_EVENT)
    throw new GatehouseError('too_large', `\`event\` is larger than ${MAX_EVENT / 1024} kB.`, { status: 413 })
  return value
}

async function picturesOf(sent: Sent[], event: Delivery['event'], now: number): Promise<Picture[]> {
  if (sent.length > MAX_PICTURES) throw refuse('too_many_pictures', `Send at most ${MAX_PICTURES} pictures.`)
  const takenAt = Math.min(readTime(event.ts) ?? now, now)
  const pictures: Picture[] = []
  for (const each of sent) {
    const bytes = await each()
    if (!pictureType(bytes)) throw refuse('not_a_picture', 'The picture is not JPEG, PNG or WebP.')
    pictures.push({ bytes, takenAt, source: 'upload' })
  }
  return pictures
}

function fromBase64(text: unknown): Uint8Array {
  const encoded = typeof text === 'string' ? text.replace(/^data:[\w/+.-]{1,100};base64,/, '') : ''
  try {
    return Uint8Array.fromBase64(encoded)
  } catch {
    throw refuse('not_a_picture', '`picture` must be base64.')
  }
}

async function bytesOf(file: File, limit: number): Promise<Uint8Array> {
  if (file.size > limit)
    throw new GatehouseError('too_large', 'A part of the form is too large.', { status: 413 })
  return new Uint8Array(await file.arrayBuffer())
}

const refuse = (code: string, what: string) => new GatehouseError(code, what, { status: 422 })
