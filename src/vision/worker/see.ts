import type { Job, JobContext } from '../../inference/index.ts'
import type { Detected, SeeAnswer, SeeRequest } from '../protocol.ts'
import type { Seen } from '../types.ts'
import { detect, frameFor } from './detect.ts'
import { BadPicture, openPicture, type Pixels, resized } from './picture.ts'
import { readText } from './read.ts'

/** Long side at which text is read: four times what the finder sees, so that what it finds has its 48 pixels. */
const READ_SIDE = 3840

/** Looks at one picture: what is on it, and what is written on it. */
export const see: Job = async (payload, context): Promise<SeeAnswer> => {
  try {
    return { ok: true, seen: await look(payload as SeeRequest, context) }
  } catch (error) {
    if (error instanceof BadPicture) return { ok: false, message: error.message }
    throw error
  }
}

async function look(request: SeeRequest, context: JobContext): Promise<Seen> {
  const { detector, reader, readMs } = request
  const started = performance.now()
  const picture = await openPicture(request.bytes)
  const { width, height } = picture
  const frame = frameFor(width, height)

  // One decoding: with text at the size that reading needs, without it straight to the detector's size.
  const scale = reader ? Math.min(1, READ_SIDE / Math.max(width, height)) : 1
  const large = reader
    ? await picture.pixels(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
    : null
  const small = large
    ? await resized(large, frame.width, frame.height)
    : await picture.pixels(frame.width, frame.height)
  const decoded = performance.now()

  const found: Detected = detector
    ? await detect(context, detector, small, frame, width, height)
    : { detections: [], below: {} }
  const detected = performance.now()

  const text = reader && large ? await read(context, reader, large, scale, readMs) : null
  const ms = { decode: decoded - started, detect: detected - decoded, read: performance.now() - detected }
  const models = { detector: detector?.name ?? null, reader: reader?.name ?? null }
  return { width, height, ...found, lines: text?.lines ?? null, cut: text?.cut ?? false, ms, models }
}

function read(
  context: JobContext,
  reader: NonNullable<SeeRequest['reader']>,
  pixels: Pixels,
  scale: number,
  readMs: number,
): ReturnType<typeof readText> {
  return readText(context, reader, pixels, scale, performance.now() + readMs)
}
