import type { Picture } from '../../core/index.ts'

interface Asked {
  signal: AbortSignal
}

/** How one camera is spoken to. Everything rejects with `camera_offline`. */
export interface Driver {
  /** Its present picture. */
  snapshot(options: Asked): Promise<Picture>
  /** Pictures of the next `overMs`, evenly spread. Absent: one is taken after another. */
  frames?(options: Asked & { count: number; overMs: number }): Promise<Picture[]>
  /** Whether it gives pictures. Absent: one is taken. */
  probe?(options: Asked): Promise<void>
  /** Where it is; null: nowhere that this box would reach by itself. */
  readonly place: URL | null
  /** To ask it costs something: after a failure it is left alone for a moment. */
  readonly rests: boolean
}
