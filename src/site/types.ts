import type { Effect } from '../contract/index.ts'

export type CameraSource =
  /** The newest picture in a folder; absolute path. */
  | { kind: 'folder'; path: string }
  /** A JPEG over HTTP. May bear credentials: never shown or logged. */
  | { kind: 'snapshot'; url: URL }

export interface Camera {
  id: string
  /** For people. */
  name: string
  roles: readonly string[]
  /** Null: pictures of it come with events only. */
  source: CameraSource | null
  /** Relative polygons (0 to 1). */
  zones: ReadonlyMap<string, [number, number][]>
}

export interface Destination {
  name: string
  url: URL
  /** What sending there does. */
  class: Effect
  /** The method that it takes, or null: the workflow chooses. */
  method: string | null
  /** A text, or the name of a secret that is looked up when it is sent. */
  headers: readonly { name: string; value: string | { secret: string } }[]
}
