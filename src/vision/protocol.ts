/** What the parent asks of the child, and what it answers. */
import type { Detection, Seen } from './types.ts'

export const seeJob = 'vision.see'
export const shrinkJob = 'vision.shrink'
export const paintJob = 'vision.paint'

/** Largest encoded picture that is taken, bytes. */
export const maxPictureBytes = 20_000_000
/** Largest picture that is decoded, pixels. */
export const maxPicturePixels = 40_000_000

/** A detector as the child needs it; files lie in the child's folder of models. */
export interface DetectorModel {
  name: string
  graph: string
  threshold: number
}

/** A reader of text: a graph that finds lines, a graph that reads one, and the list of its characters. */
export interface ReaderModel {
  name: string
  find: string
  recognise: string
  keys: string
  threshold: number
}

export interface SeeRequest {
  bytes: Uint8Array
  detector: DetectorModel | null
  reader: ReaderModel | null
  /** Time for reading text; lines that were not read by then are left out. */
  readMs: number
}

export interface ShrinkRequest {
  bytes: Uint8Array
  /** The longest side of what comes back, pixels; smaller pictures keep their size. */
  side: number
}

export interface PaintRequest {
  bytes: Uint8Array
  /** Relative polygons (0 to 1) of the upright picture that are painted over. */
  polygons: readonly [number, number][][]
}

export type PaintAnswer = ShrinkAnswer

export type ShrinkAnswer = { ok: true; bytes: Uint8Array } | { ok: false; message: string }

/** A picture that cannot be used is an answer, not a failure of the child. */
export type SeeAnswer = { ok: true; seen: Seen } | { ok: false; message: string }

export type Detected = { detections: Detection[]; below: Record<string, number> }
