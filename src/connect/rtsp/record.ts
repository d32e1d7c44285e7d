import { offline } from '../cameras/offline.ts'
import { Turns } from '../turns.ts'
import { readStream, type Stream } from './read-stream.ts'

/** Until a stream has begun, and until a file is closed. */
const AROUND_MS = 20_000
/** A clip that is shorter by less than this is as long as it was to be. */
const SLACK_MS = 1_500
/** Who records has had a turn before. */
const turns = new Turns(1_000, 0)
/** A file that every browser begins to play before it has all of it, in a few strokes to the disk. */
const MP4 = ['-c', 'copy', '-movflags', '+faststart', '-f', 'mp4', '-y']

/**
 * Writes a stream into a file, as it comes and from its first key frame on. Answers when that began (epoch ms), how long
 * it went on, and why not for longer. Rejects with `camera_offline`.
 */
export async function recordStream(
  stream: Stream,
  file: string,
  { ms, maxBytes, signal }: { ms: number; maxBytes: number; signal: AbortSignal },
): Promise<{ takenAt: number; ms: number; cut: string | null }> {
  const { clock, label } = stream
  const limits = ['-t', (ms / 1000).toFixed(3), '-fs', String(Math.floor(maxBytes))]
  const { media, broke } = await readStream(stream, {
    // Without a look at what comes a file cannot say how large its pictures are.
    input: ['-analyzeduration', '2000000'],
    output: [...limits, ...MP4, file],
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
