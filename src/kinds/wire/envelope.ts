/**
 * Events as other systems send them (the NVR's domain envelopes and alerts) turned into what admission takes.
 * Liberal in what is read: unknown fields are ignored, both spellings that are in use are understood.
 */
import { GatehouseError, type IncomingEvent, type JsonValue, mintId } from '../../core/index.ts'
import { echoOf, slugsOf } from './echo.ts'
import { cleanJson } from './json.ts'
import { checkPayload } from './payloads.ts'
import { observedAt, readTime } from './time.ts'

type Fields = { readonly [key: string]: JsonValue }

const SCHEMA = /^[a-z_]+\.[a-z_]+\.v\d{1,6}$/
const MAX_NAME = 200
const MAX_TITLE = 200
const MAX_DESCRIPTION = 4000

const refuse = (what: string) => new GatehouseError('bad_event', what, { status: 422 })

/**
 * Reads a domain envelope or an alert. `now` is epoch ms. An `alert.fired.v1` envelope and the alert that
 * travels beside it become the same event under the same id, so that the second is seen as a repeat. `said` is a
 * correlation id that came beside it, in a header; `mint` makes the id of one that bears none.
 * Throws `GatehouseError` `bad_event` with what to change.
 */
export function readEvent(
  json: unknown,
  now: number,
  said: string | null = null,
  mint: (prefix: string) => string = mintId,
): IncomingEvent {
  const event = fields(cleanJson(json))
  if (!event) throw refuse('An event is a JSON object.')
  const read = readFields(event, now, mint)
  const { correlationId, chain } = echoOf({ ...event }, [read.correlationId, said])
  return { ...read, correlationId, chain: [...new Set([...chain, ...read.chain])] }
}

function readFields(event: Fields, now: number, mint: (prefix: string) => string): IncomingEvent {
  if (typeof event.schema === 'string') {
    const payload = fields(event.payload)
    if (!SCHEMA.test(event.schema)) throw refuse('`schema` must look like `plate.recognized.v1`.')
    if (!payload) throw refuse('`payload` must be an object.')
    checkPayload(event.schema, payload)
    return event.schema === 'alert.fired.v1'
      ? readAlert({ ...outer(event), ...payload }, now, mint)
      : readEnvelope(event, event.schema, payload, now, mint)
  }
  if (typeof event.title === 'string' && (event.alert_id !== undefined || event.severity !== undefined))
    return readAlert(event, now, mint)
  throw refuse('Send a domain event (`schema` and `payload`) or an alert (`alert_id`, `title`, `severity`).')
}

function readEnvelope(
  event: Fields,
  schema: string,
  payload: Fields,
  now: number,
  mint: (prefix: string) => string,
): IncomingEvent {
  return {
    kind: 'event',
    id: name(event.id ?? event.event_id, 'id') ?? mint('evt'),
    at: observedAt(event.ts ?? event.timestamp, now),
    cameraId: name(event.camera_id ?? event.camera, 'camera_id'),
    schema,
    source: producerOf(event.producer ?? event.source),
    severity: null,
    payload: schema === 'detection.observed.v1' ? withTracks(payload) : payload,
    correlationId: name(event.correlation_id, 'correlation_id'),
    chain: [],
    by: null,
    workflowId: null,
    pictures: [],
  }
}

function readAlert(alert: Fields, now: number, mint: (prefix: string) => string): IncomingEvent {
  const evidence = fields(alert.evidence) ?? {}
  const from = fields(alert.source)
  const kind = name(from?.kind, 'source.kind') ?? 'unknown'
  const sourceName = name(from ? from.name : alert.source, 'source.name') ?? 'unknown'
  const source = from ? `${kind}.${sourceName}` : sourceName
  const severity = severityOf(alert.severity)
  const id = name(alert.alert_id ?? alert.id, 'alert_id') ?? mint('alrt')
  return {
    kind: 'alert',
    id,
    // What was observed may be older than the alert about it: lateness counts from there.
    at:
      readTime(evidence.observed_at) === null
        ? observedAt(alert.fired_at ?? alert.ts, now)
        : observedAt(evidence.observed_at, now),
    cameraId: name(alert.camera_id ?? alert.camera, 'camera_id'),
    schema: 'alert.fired.v1',
    source,
    severity,
    payload: {
      alert_id: id,
      title: text(alert.title, MAX_TITLE),
      description: text(alert.description, MAX_DESCRIPTION),
      severity,
      source,
      tags: Array.isArray(alert.tags) ? alert.tags.filter(tag => typeof tag === 'string') : [],
      evidence,
    },
    correlationId: name(alert.correlation_id, 'correlation_id'),
    chain: chainOf(evidence.chain, kind === 'workflow' ? sourceName : null),
    by: null,
    workflowId: null,
    pictures: [],
  }
}

/** The NVR's severities and those of other systems as our four; what is not understood counts as high. */
export function severityOf(value: JsonValue | undefined): 'low' | 'medium' | 'high' | 'critical' {
  switch (typeof value === 'string' ? value.trim().toLowerCase() : '') {
    case 'low':
    case 'info':
    case 'notice':
    case 'debug':
      return 'low'
    case 'medium':
    case 'warning':
    case 'warn':
      return 'medium'
    case 'critical':
      return 'critical'
    default:
      return 'high'
  }
}

/** Who says so: a text, or as alerts write it. It grants nothing, so that one in another form costs no event. */
function producerOf(value: JsonValue | undefined): string | null {
  const said = fields(value)?.name ?? value
  return typeof said === 'object' || typeof said === 'boolean' ? null : name(said, 'producer')
}

/** What an envelope says about the alert inside it, in the alert's own words. */
function outer(event: Fields): Fields {
  const known: Record<string, JsonValue | undefined> = {
    fired_at: event.ts,
    camera_id: event.camera_id,
    correlation_id: event.correlation_id,
  }
  return Object.fromEntries(
    Object.entries(known).filter((pair): pair is [string, JsonValue] => pair[1] != null),
  )
}

/** Tracks under one spelling: some senders write `conf` and `bbox` for `score` and `box`. */
function withTracks(payload: Fields): Fields {
  if (!Array.isArray(payload.tracks)) return payload
  const tracks = payload.tracks.map(item => {
    const track = fields(item)
    if (!track) return item
    const { conf, bbox, ...rest } = track
    return {
      ...(conf === undefined ? {} : { score: conf }),
      ...(bbox === undefined ? {} : { box: bbox }),
      ...rest,
    }
  })
  return { ...payload, tracks }
}

/** The workflows behind an alert: what it carries, and the one that sent it. */
function chainOf(value: JsonValue | undefined, sender: string | null): string[] {
  const chain = slugsOf(value)
  if (sender !== null && !chain.includes(sender)) chain.push(sender)
  return chain
}

function fields(value: JsonValue | undefined): Fields | null {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null
}

/** An id or name: some senders write numbers. */
function name(value: JsonValue | undefined, field: string): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' && typeof value !== 'number') throw refuse(`\`${field}\` must be a text.`)
  const text = String(value).trim()
  if (text.length > MAX_NAME) throw refuse(`\`${field}\` is longer than ${MAX_NAME} characters.`)
  return text || null
}

function text(value: JsonValue | undefined, max: number): string {
  return typeof value === 'string' ? value.slice(0, max).toWellFormed() : ''
}
