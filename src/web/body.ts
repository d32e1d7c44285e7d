/** Bodies from outside: read up to a cap, and by the type that they are said to be. */
import { GatehouseError } from '../core/index.ts'
import { parseJson } from '../kinds/index.ts'
import { roomOf } from './room.ts'

/** Largest body of any route: a few pictures. */
export const MAX_BODY = 25 * 1024 * 1024
/** Largest JSON with a picture inside it as base64; larger ones come as multipart. */
export const MAX_PICTURE_JSON = 12 * 1024 * 1024
/** Largest JSON or YAML without pictures. */
export const MAX_TEXT = 1024 * 1024

/**
 * The bytes of a body. Throws `too_large` (413) as soon as it is known to be over `limit`, by its declared length
 * or while it comes in; `busy` (503) where all bodies under way would be too much; `broken_off` (400) where the
 * sender went away.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () =>
    new GatehouseError('too_large', `The body is larger than ${megabytes(limit)}: send less at once.`, {
      status: 413,
    })
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > limit) throw tooLarge()
  if (!request.body) return new Uint8Array()
  const room = roomOf(request)
  room?.check(declared)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of pieces(request.body)) {
    length += chunk.byteLength
    if (length > limit) throw tooLarge()
    room?.take(chunk.byteLength)
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

async function* pieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk
  } catch (cause) {
    throw new GatehouseError('broken_off', 'The body broke off before its end: send it again.', { cause })
  }
}

/** The media type without its parameters, in lower case; empty where none is named. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** `application/json` and every `+json`. */
export const isJson = (type: string): boolean =>
  type === 'application/json' || /^[\w.-]+\/[\w.-]+\+json$/.test(type)

/** Text in UTF-8. Throws `bad_encoding` (400) otherwise. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new GatehouseError('bad_encoding', 'The body is not UTF-8 text.')
  }
}

/** A JSON body, parsed and not yet cleaned. Throws 400, 413 or 415. */
export async function readJsonBody(request: Request, limit: number): Promise<unknown> {
  if (!isJson(mediaType(request))) throw unsupported('application/json')
  return parseJson(decode(await readBytes(request, limit)))
}

/** A `multipart/form-data` body that was read. Throws 400. */
export async function formOf(bytes: Uint8Array<ArrayBuffer>, request: Request): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch {
    throw new GatehouseError('bad_form', 'The multipart form is broken or incomplete: send it again.')
  }
}

/** The error for a body of a type that the route does not take. */
export function unsupported(...types: string[]): GatehouseError {
  return new GatehouseError('unsupported_type', `Send the body as ${list(types)}.`, { status: 415 })
}

function list(types: readonly string[]): string {
  const [last = '', ...rest] = types.toReversed()
  return rest.length ? `${rest.reverse().join(', ')} or ${last}` : last
}

/** One member of a JSON body that may be anything. */
export function field(body: unknown, name: string): unknown {
  return body !== null && typeof body === 'object' && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined
}

/** A member that is true or false. Throws `bad_body` (422). */
export function truthIn(body: unknown, name: string): boolean {
  const value = field(body, name)
  if (typeof value !== 'boolean') throw bad(`\`${name}\` must be true or false.`)
  return value
}

/** A member that is a whole number from `least` on, or null where it is left out or null. Throws `bad_body` (422). */
export function wholeIn(body: unknown, name: string, least: number): number | null {
  const value = field(body, name) ?? null
  if (value === null) return null
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least)
    throw bad(`\`${name}\` must be a whole number, ${least} or more.`)
  return value
}

const bad = (what: string) => new GatehouseError('bad_body', what, { status: 422 })

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`
