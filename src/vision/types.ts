import type { Picture } from '../core/index.ts'

/** `[x1, y1, x2, y2]` in pixels of the upright picture. */
export type Box = [number, number, number, number]

export interface Detection {
  /** A COCO label: `person`, `car` … */
  label: string
  /** Raw score of the detector, 0 to 1. */
  score: number
  box: Box
}

export interface TextLine {
  text: string
  /** Mean character score of the reader, 0 to 1: does not reveal a lost edge letter. */
  confidence: number
  /** Corners in reading order: top left, top right, bottom right, bottom left. */
  quad: [number, number, number, number, number, number, number, number]
}

/** What detector and reader made of one picture. */
export interface Seen {
  /** Size of the upright picture in pixels. */
  width: number
  height: number
  /** At or above the detector's threshold, best first. */
  detections: Detection[]
  /** Best score below the threshold per label (absence is measured against it); labels never hinted at are absent. */
  below: Record<string, number>
  /** Null when no text was asked for. */
  lines: TextLine[] | null
  /** Time was up before all text was read: `lines` may lack some. */
  cut: boolean
  ms: { decode: number; detect: number; read: number }
  /** Names in the catalogue. */
  models: { detector: string | null; reader: string | null }
}

/** A field that is measured and never asked of a model. */
export interface MeasuredSpec {
  measure: 'count' | 'present' | 'text' | 'plate'
  /** `person`, `vehicle`, `animal` or a detector label; only for count and present. */
  of?: string
  /** Relative polygon (0 to 1) of the zone that `region` names; absent: the whole picture. */
  region?: [number, number][]
  min_score?: number
}

export interface Measured {
  /** A count, yes/no, the text lines joined by one space, or the best plate (empty string: none). */
  value: number | boolean | string
  /** Calibrated, 0 to 1. */
  confidence: number
}

export type VisionFailure = 'no_picture' | 'vision_down'

/** A picture that cannot be used (`no_picture`: damaged, too large, not a picture) or eyes that are shut. */
export class VisionError extends Error {
  readonly failure: VisionFailure
  constructor(failure: VisionFailure, message: string) {
    super(message)
    this.name = 'VisionError'
    this.failure = failure
  }
}

/** The eyes, as `ai/` sees them. */
export interface Vision {
  /** Rejects with `VisionError` only. */
  see(
    picture: Picture,
    want: { objects: boolean; text: boolean },
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Seen>
  /** The same picture as an upright JPEG, its longer side at most `side` pixels. Rejects with `VisionError` only. */
  shrink(
    picture: Picture,
    side: number,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Picture>
}
