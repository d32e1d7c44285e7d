/** An encoded picture as it came in; nothing here has decoded or trusted it yet. */
export interface Picture {
  bytes: Uint8Array
  /** When it was taken (epoch ms); null where the source does not say. */
  takenAt: number | null
  /** Where it came from, for people: `upload`, `camera yard`. */
  source: string
}
