/** A picture or a clip of a run. */
export interface MediaView {
  /** By which it is read. */
  media: number
  /** Of which step; null: it came with the event. */
  step: number | null
  /** `image/jpeg`, `video/mp4` … */
  type: string
  taken_at: string | null
  /** For people: `camera gate`. */
  source: string
}
