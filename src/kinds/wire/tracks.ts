/**
 * What detectors say of the things that they follow: `opennvr.tier0.v1`, and the same told as a domain event,
 * `detection.observed.v1`. Both spellings that are in use are understood (`score` and `conf`, `box` and `bbox`).
 */
import { GatehouseError, type JsonValue } from '../../core/index.ts'
import { cleanText, parseJson } from './json.ts'
import { readTime } from './time.ts'

/** A thing that a detector follows, as one of its messages tells of it. */
export interface Track {
  /** The detector's own, good for one camera and until the detector starts anew. */
  id: string
  /** In small letters. */
  label: string
  /** 0 to 1; null where it does not say. */
  score: number | null
  /** Left, top, right and bottom, 0 to 1 of the picture. */
  box: readonly [number, number, number, number]
  /** It has not moved for long. */
  stationary: boolean
  /** The detector keeps a picture of it that can be fetched. */
  best: boolean
  /** Pictures in a row in which it was looked for and not found. */
  misses: number
  /** How long ago it was found last, in ms; until then it is told of where it was found. */
  sinceMatchMs: number
}

/** What a detector saw on one picture of one camera. */
export interface TrackFrame {
  cameraId: string
  /** When, by the sender's clock (epoch ms); on arrival where it does not say. */
  at: number
  /** Number of the picture since the stream began; null where it does not say. */
  seq: number | null
  /** The detector, for people. */
  source: string
  correlationId: string | null
  /** It is only getting used to the picture: what it tells counts for nothing. */
  calibrating: boolean
  tracks: Track[]
  /** Entries that were left out: not a track, told twice, or more than are taken. */
  left: number
}

type Fields = { readonly [key: string]: JsonValue | undefined }

const TIER0 = 'opennvr.tier0.v1'
const OBSERVED = 'detection.observed.v1'
/** No detector follows more things on one picture. */
const MOST_TRACKS = 256
const MOST_CHARS = 256 * 1024
const MAX_NAME = 200
const MAX_LABEL = 64
const MAX_SIDE = 100_000
const MOST_COUNTED = 1_000_000
/** How far ahead of ours a sender's clock may run. */
const AHEAD_MS = 5 * 60_000

const refuse = (what: string) => new GatehouseError('bad_tracks', what, { status: 422 })

/**
 * Reads the text of one message. `camera` is what the subject says, for a message that does not say it itself. Throws
 * `GatehouseError` (`bad_json`, `bad_tracks`) with what is wrong with it.
 */
export function readTracks(text: string, now: number, camera: string | null = null): TrackFrame {
  if (text.length > MOST_CHARS) throw refuse(`The message is longer than ${MOST_CHARS / 1024} kB.`)
  const message = fieldsOf(parseJson(text) as JsonValue)
  if (!message) throw refuse('Tracks are told in a JSON object.')
  const { schema } = message
  const payload = fieldsOf(message.payload)
  if (schema !== undefined && schema !== TIER0 && schema !== OBSERVED)
    throw refuse(`\`schema\` is neither ${TIER0} nor ${OBSERVED}.`)
  const told = schema === OBSERVED || (schema === undefined && payload) ? payload : message
  if (!told || !Array.isArray(told.tracks)) throw refuse('`tracks` must be a list.')
  const cameraId = nameOf(message.camera_id ?? message.camera) ?? camera
  if (cameraId === null) throw refuse('`camera_id` is missing.')
  const at = timeOf(told === message ? message.wall_ts : (message.ts ?? told.wall_ts), now)
  const size = sizeOf(told.frame)
  const tracks = new Map<string, Track>()
  const listed = told.tracks.slice(0, MOST_TRACKS)
  for (const each of listed) {
    const track = trackOf(each, size)
    if (track && !tracks.has(track.id)) tracks.set(track.id, track)
  }
  return {
    cameraId,
    at,
    seq: Number.isSafeInteger(told.seq) ? (told.seq as number) : null,
    source: nameOf(message.adapter ?? message.producer) ?? 'detector',
    correlationId: nameOf(message.correlation_id),
    calibrating: told.calibrating === true,
    tracks: [...tracks.values()],
    left: told.tracks.length - tracks.size,
  }
}

function timeOf(value: JsonValue | undefined, now: number): number {
  if (value === undefined || value === null) return now
  const at = readTime(value)
  if (at === null) throw refuse('The time of the picture cannot be read: `wall_ts` is in seconds since 1970.')
  if (at > now + AHEAD_MS) throw refuse('The picture is dated in the future: set the clock of the detector.')
  return at
}

function sizeOf(value: JsonValue | undefined): [number, number] {
  const frame = fieldsOf(value)
  const [width, height] = [frame?.w ?? frame?.width, frame?.h ?? frame?.height]
  if (!isSide(width) || !isSide(height))
    throw refuse('`frame` must say how large the picture is: { "w": 1920, "h": 1080 }.')
  return [width, height]
}

function isSide(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value >= 1 && value <= MAX_SIDE
}

/** Null where it is none. */
function trackOf(value: JsonValue, [width, height]: [number, number]): Track | null {
  const track = fieldsOf(value)
  const id = nameOf(track?.id ?? track?.track_id)
  const label = nameOf(track?.label)?.toLowerCase() ?? null
  const corners = track?.box ?? track?.bbox
  if (!track || id === null || label === null || label.length > MAX_LABEL) return null
  if (!Array.isArray(corners) || corners.length !== 4 || !corners.every(isNumber)) return null
  const [left, top, right, bottom] = corners.map((side, i) => share(side, i % 2 ? height : width))
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return null
  if (right <= left || bottom <= top) return null
  const score = track.score ?? track.conf
  return {
    id,
    label,
    score: typeof score === 'number' && score >= 0 && score <= 1 ? score : null,
    box: [left, top, right, bottom],
    stationary: track.stationary === true,
    best: track.best === true,
    misses: counted(track.misses),
    sinceMatchMs: counted(track.since_match_s) * 1000,
  }
}

function isNumber(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** What lies beside the picture is cut off. */
function share(pixels: number, of: number): number {
  return Math.min(1, Math.max(0, pixels / of))
}

function counted(value: JsonValue | undefined): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, MOST_COUNTED) : 0
}

function fieldsOf(value: JsonValue | undefined): Fields | null {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null
}

/** An id or a name: some senders write numbers. Null where it is none, or too long for one. */
function nameOf(value: JsonValue | undefined): string | null {
  if (typeof value !== 'string' && !(typeof value === 'number' && Number.isFinite(value))) return null
  const text = String(value).slice(0, MAX_NAME + 1)
  const name = cleanText(text).trim()
  return name !== '' && text.length <= MAX_NAME ? name : null
}
