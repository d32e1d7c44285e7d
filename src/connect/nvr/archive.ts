import { GatehouseError, type JsonValue, type Picture } from '../../core/index.ts'
import { type Archive, cleanJson, type RecordedEvent, readTime } from '../../kinds/index.ts'
import type { Site } from '../../site/index.ts'
import type { NvrCameras } from './cameras.ts'
import { NVR, type NvrHttp } from './http.ts'
import { numberOf, nvrCameraOf, siteCameraOf } from './ids.ts'

/** As many rows as are asked for at once. */
const MOST_ASKED = 500
/** As many rows of an answer as are looked at, whatever was asked for. */
const MOST_READ = 10_000
const PLATE = 'plate.recognized.v1'
const VISIT = 'visit.recorded.v1'
/** What its store names a file by; anything else is no place to fetch from. */
const KEPT = /^[0-9a-f]{2}\/[0-9a-f]{64}\.jpg$/
const NUMBER = /^\d{1,18}$/

type Fields = { readonly [key: string]: JsonValue }

/** What the NVR keeps of before: visits and plates with their pictures, and recordings. */
export class NvrArchive implements Archive {
  readonly #http: NvrHttp
  readonly #cameras: NvrCameras
  readonly #site: () => Pick<Site, 'cameras'>

  constructor(http: NvrHttp, cameras: NvrCameras, site: () => Pick<Site, 'cameras'>) {
    this.#http = http
    this.#cameras = cameras
    this.#site = site
  }

  get lacks(): string | null {
    return this.#http.setting ? null : 'there is no NVR: name one under nvr in the site file'
  }

  async events(filter: Parameters<Archive['events']>[0], { signal }: { signal: AbortSignal }) {
    const { cameraId, schema, since, until, limit, plate } = filter
    // Its store has visits and the plates read on them, and nothing else.
    if (schema !== null && schema !== PLATE && schema !== VISIT) return []
    const site = this.#site()
    const answer = await this.#http.json({
      path: '/internal/camera-agent/events',
      query: {
        ...(cameraId !== null && { camera_id: numberOf(nvrCameraOf(cameraId, site)) }),
        ...(plate !== undefined && { plate }),
        from: new Date(since).toISOString(),
        to: new Date(until).toISOString(),
        limit: String(schema === PLATE ? MOST_ASKED : Math.min(limit, MOST_ASKED)),
      },
      signal,
    })
    const rows = Array.isArray(answer) ? answer : (answer as { events?: unknown } | null)?.events
    if (!Array.isArray(rows))
      throw new GatehouseError('bad_answer', `${NVR} did not say what happened.`, { status: 502 })
    return rows
      .slice(0, MOST_READ)
      .flatMap(row => recordedIn(row, schema === PLATE, site) ?? [])
      .filter(event => event.at <= until && (cameraId === null || event.cameraId === cameraId))
      .sort((a, b) => b.at - a.at)
      .slice(0, limit)
  }

  async evidence({ at, payload }: Parameters<Archive['evidence']>[0], { signal }: { signal: AbortSignal }) {
    const path = pathOf(fieldsIn(payload) ?? {})
    return path === null ? null : this.#cameras.kept(path, at, signal)
  }

  frame(cameraId: string, at: number, { signal }: { signal: AbortSignal }): Promise<Picture | null> {
    return this.#cameras.frame(nvrCameraOf(cameraId, this.#site()), at, signal)
  }
}

/** Where the picture of an event is, by its number or by the name that its store gave it; never a path of a disk. */
function pathOf(payload: Fields): string | null {
  const number = textIn(payload.event_id)
  if (number !== null && NUMBER.test(number)) return `/internal/camera-agent/events/${number}/evidence`
  const images = fieldsIn(fieldsIn(payload.evidence)?.images) ?? {}
  const named = [payload.evidence_path, ...Object.values(images)]
  const kept = named.find(each => typeof each === 'string' && KEPT.test(each))
  return kept === undefined ? null : `/internal/app/evidence/${kept}`
}

/** Null for what is no event, or none with a plate where plates are asked for. */
function recordedIn(given: unknown, plates: boolean, site: Pick<Site, 'cameras'>): RecordedEvent | null {
  const row = rowIn(given)
  const plate = row?.plate_text
  const started = readTime(row?.started_at ?? row?.ts)
  const read = readTime(row?.observed_at ?? undefined) ?? started
  if (!row || started === null || read === null) return null
  const id = textIn(row.id)
  const camera = textIn(row.camera_id)
  if (id === null || (plates && (typeof plate !== 'string' || plate.trim() === ''))) return null
  const { label, score, stationary, ended_at: ended } = row
  const said = plates
    ? { plate_text: plate }
    : { label, ended_at: ended, score, stationary, plate_text: plate }
  return {
    eventId: `nvr ${id}${plates ? ' plate' : ''}`,
    kind: 'event',
    schema: plates ? PLATE : VISIT,
    cameraId: camera === null ? null : (siteCameraOf(camera, site) ?? camera),
    at: plates ? read : started,
    payload: { ...told(said), event_id: id },
  }
}

/** Without what it does not say. */
function told(fields: { [name: string]: JsonValue | undefined }): { [name: string]: JsonValue } {
  return Object.fromEntries(
    Object.entries(fields).filter((pair): pair is [string, JsonValue] => pair[1] != null),
  )
}

function rowIn(given: unknown): Fields | null {
  try {
    return fieldsIn(cleanJson(given))
  } catch {
    return null
  }
}

function fieldsIn(value: JsonValue | undefined): Fields | null {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null
}

function textIn(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value.slice(0, 100).toWellFormed() : null
}
