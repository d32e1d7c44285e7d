import { createHash } from 'node:crypto'
import type { IncomingEvent, Picture } from '../../core/index.ts'
import type { TrackFrame } from '../../kinds/index.ts'
import type { Stay } from './camera-tracks.ts'
import { IN_ZONE } from './watches.ts'

/** The event that a thing has stayed: the same stay is the same event, however often it is told. */
export function eventOf(
  { watch, track, since, ms }: Stay,
  { at, source, correlationId }: TrackFrame,
  { cameraId, now, picture }: { cameraId: string; now: number; picture: Picture | null },
): IncomingEvent {
  const { asked } = watch
  const told = [cameraId, track.id, track.label, since, asked.zone, asked.min_seconds, asked.stationary]
  return {
    kind: IN_ZONE,
    id: `stay_${createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 16)}`,
    at: Math.min(at, now),
    cameraId,
    schema: null,
    source,
    severity: null,
    payload: {
      label: track.label,
      zone: asked.zone,
      seconds: Math.round(ms / 100) / 10,
      track: track.id,
      score: track.score,
      since: new Date(since).toISOString(),
      box: track.box.map(side => Math.round(side * 10_000) / 10_000),
      // Cut to what it is about: not the view of the camera.
      ...(picture && { cut: true }),
      asked: { ...asked },
    },
    correlationId,
    chain: [],
    by: null,
    workflowId: null,
    pictures: picture ? [picture] : [],
  }
}
