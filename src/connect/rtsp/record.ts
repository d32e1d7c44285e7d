import type { Polygon } from '../../site/index.ts'
import { offline } from '../cameras/offline.ts'
import { Turns } from '../turns.ts'
import { maskFilter } from './mask-filter.ts'
import { readStream, type Stream, UNPACKED } from './read-stream.ts'

/** Until a stream has begun, and until a file is closed. */
const AROUND_MS = 20_000
/** A clip that is shorter by less than this is as long as it was to be. */
const SLACK_MS = 1_500
/** Who records has had a turn before. */
const turns = new Turns(1_000, 0)
/** A file that every browser begins to play before it has all of it, in a few strokes to the disk. */
const MP4 = ['-movflags', '+faststart', '-f', 'mp4', '-y']
const AS_IT_COMES = ['-c', 'copy']
/** As quick as it can be made anew, for it has to keep up with what comes, and with few pictures in memory at a time. */
const MADE_ANEW = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-threads', '2'],
  ...['-crf', '24', '-pix_fmt', 'yuv420p'],
]

export interface RecordOptions {
  ms: number
  maxBytes: number
  /** What of it nobody is to see. */
  masks: readonly Polygon[]
  signal: AbortSignal
}

/**
 * What has ffmpeg paint over what is masked. A thread more that unpacks is a picture more in memory, which is the engine's
 * where a service limits both: 8 million pixels take 200 MB so, and 500 MB by the usual number of threads.
 */
export function paintedOver(masks: readonly Polygon[]): { input: string[]; output: string[] } {
  return { input: [...UNPACKED], output: ['-filter_threads', '1', '-vf', maskFilter(masks), ...MADE_ANEW] }
}

/**
 * Writes a stream into a file, as it comes and from its first key frame on; what is masked of it is painted over, and the
 * video made anew for that. Answers when that began (epoch ms), how long it went on, and why not for longer. Rejects
 * with `camera_offline`.
 */
export async function recordStream(
  stream: Stream,
  file: string,
  { ms, maxBytes, masks, signal }: RecordOptions,
): Promise<{ takenAt: number; ms: number; cut: string | null }> {
  const { clock, label } = stream
  const limits = ['-t', (ms / 1000).toFixed(3), '-fs', String(Math.floor(maxBytes))]
  const how = masks.length ? paintedOver(masks) : { input: [], output: AS_IT_COMES }
  const { media, broke } = await readStream(stream, {
    // Without a look at what comes a file cannot say how large its pictures are.
    input: ['-analyzeduration', '2000000', ...how.input],
    output: [...limits, ...how.output, ...MP4, file],
    timeoutMs: ms + AROUND_MS,
    turns,
    partial: true,
    signal,
  })
  const { firstAt } = media
  if (firstAt === null) throw offline(`${label} sent no picture.`)
  const lasted = Math.min(ms, clock.now() - firstAt)
  const isShort = lasted < ms - SLACK_MS
  return { takenAt: firstAt, ms: lasted, cut: isShort ? (broke?.message ?? 'It grew too large.') : null }
}
