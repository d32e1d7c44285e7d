import type { Effect } from '../contract/index.ts'
import type { JsonValue, Picture } from '../core/index.ts'

/** One attempt to send something to a listed destination. Rejects with `GatehouseError` (`egress_denied` …). */
export interface Outgoing {
  send(request: {
    /** Name of the destination in the site file: never a URL. */
    to: string
    method: string
    json: JsonValue
    /** The same over all tries, so that the receiver can drop a repeat. */
    deliveryId: string
    /** What this very use does, as the engine decided: a move is sent to one place, once. */
    effect: Effect
    /** Of the run: what comes back because of it bears it too, and is then known as its echo. */
    correlationId: string
    signal: AbortSignal
  }): Promise<{ status: number; body: string }>
}

/** Pictures of the site's cameras, by camera id. */
export interface Cameras {
  /**
   * The newest picture. `anyhow`: also of one that failed a moment ago and is left alone. Rejects with `GatehouseError`
   * (`camera_unknown`, `camera_offline`).
   */
  snapshot(cameraId: string, options: { signal: AbortSignal; anyhow?: boolean }): Promise<Picture>
  /** Pictures of the next `overMs`, evenly spread; rejects as `snapshot`. Absent: one is taken after another. */
  frames?(
    cameraId: string,
    options: { count: number; overMs: number; signal: AbortSignal },
  ): Promise<Picture[]>
}

/** The site's mode, as conditions read it and the `site_mode` action sets it. */
export interface SiteModePort {
  get(): string
  /**
   * Resolves once it is set. Where an NVR keeps the mode it is asked, once; rejects with `GatehouseError`
   * (`mode_unknown`, `destination_unreachable`, `destination_refused`: nothing has come of it; `destination_unanswered`).
   */
  set(mode: string, why?: SiteModeWhy): Promise<void>
}

/** Because of what a mode is set. */
export interface SiteModeWhy {
  reason?: string
  /** Of the run. */
  correlationId?: string
  signal?: AbortSignal
}

/** Something that cameras, sensors or people reported. */
export interface RecordedEvent {
  /** Of its source. */
  eventId: string
  kind: string
  /** `plate.recognized.v1`, or null. */
  schema: string | null
  cameraId: string | null
  /** Epoch ms. */
  at: number
  /** Null where it was not kept. */
  payload: JsonValue
}

/** A decision of a run. */
export interface RecordedDecision {
  workflow: string
  cameraId: string | null
  /** Epoch ms. */
  at: number
  decision: string
  reason: string
  /** What people said of it; null: nothing, or not all the same. */
  right: boolean | null
}

/** Of which time, and how much. Times in epoch ms, both included. */
export interface RecordsFilter {
  /** Null: of all cameras. */
  cameraId: string | null
  since: number
  until: number
  limit: number
}

/** What this box knows of before. Newest first. */
export interface Records {
  events(filter: RecordsFilter & { schema: string | null }): RecordedEvent[]
  /** `word`: it or its reason holds that, compared without case and accents; null: all. */
  decisions(filter: RecordsFilter & { word: string | null }): RecordedDecision[]
  /** Kept pictures of a camera, each with a reference by which it is found again. */
  pictures(filter: RecordsFilter & { cameraId: string }): Promise<{ ref: number; picture: Picture }[]>
}

/** Whether cameras work. */
export interface CameraHealth {
  /**
   * `problem`: why it is known to be offline, in one line, or null. `pingMs`: how long it took to be reached, null
   * where nothing answered; absent: it has no address. Bounded by the signal; rejects with `camera_unknown` only.
   */
  check(
    cameraId: string,
    options: { signal: AbortSignal },
  ): Promise<{ problem: string | null; pingMs?: number | null }>
}

/** A face in a picture, and whom it is most like. */
export interface ComparedFace {
  /** As the server spells them; null: it knows nobody. */
  like: string | null
  /** From 0 to 1. */
  similarity: number
}

/** Whoever compares faces. */
export interface Faces {
  /** Every face in it, known or not; empty: none. Rejects with `GatehouseError` where that was not to be learnt. */
  compare(picture: Picture, options: { signal: AbortSignal }): Promise<readonly ComparedFace[]>
}

/** What cameras showed at a time. */
export interface Recordings {
  /** Null: nothing was recorded then. Rejects with `GatehouseError` where that was not to be learnt. */
  frame(cameraId: string, at: number, options: { signal: AbortSignal }): Promise<Picture | null>
}

/** What somebody else on the site keeps of before: an NVR. That it has none and that it could not be asked differ. */
export interface Archive extends Recordings {
  /** Why they cannot be asked here, for people, as the rest of a sentence; null: they can. */
  readonly lacks: string | null
  /** Newest first. `plate`: those of that plate at least. Rejects where it could not be asked. */
  events(
    filter: RecordsFilter & { schema: string | null; plate?: string },
    options: { signal: AbortSignal },
  ): Promise<RecordedEvent[]>
  /** The picture that it keeps of an event, by what its payload says; null: none. Rejects where it could not be asked. */
  evidence(
    event: { at: number; payload: JsonValue; cameraId: string | null },
    options: { signal: AbortSignal },
  ): Promise<Picture | null>
}
