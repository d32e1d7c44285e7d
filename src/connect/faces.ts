import type { LocalHttp } from '../ai/index.ts'
import { GatehouseError, type Picture } from '../core/index.ts'
import type { ComparedFace, Faces } from '../kinds/index.ts'
import type { Site } from '../site/index.ts'

/** As much of an answer as is read. */
const MAX_BYTES = 256 * 1024
/** The largest picture that such a server takes. */
const MAX_PICTURE = 5_000_000
/** More faces than this are no answer to one picture. */
const MOST_FACES = 200
/** What it says of a picture without a face. */
const NO_FACE = 28
const TIMEOUT_MS = 20_000

/** Asks the listed CompreFace server, by its recognition service; nothing of its answer is kept here. */
export class SiteFaces implements Faces {
  readonly #site: () => Pick<Site, 'faces'>
  readonly #http: LocalHttp
  readonly #timeoutMs: number

  constructor(options: { site: () => Pick<Site, 'faces'>; http: LocalHttp; timeoutMs?: number }) {
    this.#site = options.site
    this.#http = options.http
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  }

  async compare({ bytes }: Picture, { signal }: { signal: AbortSignal }): Promise<ComparedFace[]> {
    const to = this.#site().faces?.destination
    if (to === undefined) throw new GatehouseError('faces_off', 'faces are off at this site')
    if (bytes.length > MAX_PICTURE) {
      throw new GatehouseError(
        'picture_too_large',
        'the picture is larger than the 5 MB that faces are compared in: let the camera give a smaller one',
      )
    }
    const { status, body, cut } = await this.#http.post({
      to,
      path: pathOf,
      json: { file: Buffer.from(bytes).toString('base64') },
      timeoutMs: this.#timeoutMs,
      maxBytes: MAX_BYTES,
      signal,
    })
    const answer = cut ? null : parsed(body)
    if (status === 400 && field(answer, 'code') === NO_FACE) return []
    if (status < 200 || status >= 300)
      throw new GatehouseError('destination_refused', `${to} answered ${status}: ${hintOf(status)}`)
    const faces = facesIn(answer)
    if (faces) return faces
    const what = cut ? 'too much' : 'what is no list of faces'
    throw new GatehouseError('destination_unanswered', `${to} answered with ${what}: is it a CompreFace?`)
  }
}

function pathOf(listed: string): string {
  const base = listed.replace(/\/+$/, '')
  return base.endsWith('/recognition/recognize') ? base : `${base}/api/v1/recognition/recognize`
}

function hintOf(status: number): string {
  if (status === 401 || status === 403)
    return 'give it the key of its recognition service as x-api-key, under headers of the destination'
  if (status === 404) return 'check the address'
  return [429, 502, 503, 504].includes(status) ? 'it has no time, or is starting' : 'look into its log'
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

function field(value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
  return (value as { [name: string]: unknown })[name]
}

/** Each face with the one it is most like; null where anything in it is not as it should be. */
function facesIn(answer: unknown): ComparedFace[] | null {
  const result = field(answer, 'result')
  if (!Array.isArray(result) || result.length > MOST_FACES) return null
  const faces: ComparedFace[] = []
  for (const each of result) {
    const subjects = field(each, 'subjects') ?? []
    if (field(each, 'box') === undefined || !Array.isArray(subjects)) return null
    let best: ComparedFace = { like: null, similarity: 0 }
    for (const subject of subjects) {
      const [like, similarity] = [field(subject, 'subject'), field(subject, 'similarity')]
      if (typeof like !== 'string' || typeof similarity !== 'number') return null
      if (!(similarity >= 0 && similarity <= 1)) return null
      if (best.like === null || similarity > best.similarity) best = { like, similarity }
    }
    faces.push(best)
  }
  return faces
}
