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
  /** The newest picture. Rejects with `GatehouseError` (`camera_unknown`, `camera_offline`). */
  snapshot(cameraId: string, options: { signal: AbortSignal }): Promise<Picture>
}

/** The site's mode, as conditions read it and the `site_mode` action sets it. */
export interface SiteModePort {
  get(): string
  set(mode: string, reason: string | null): Promise<void>
}
