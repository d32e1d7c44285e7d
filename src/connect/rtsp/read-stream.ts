import type { Clock, Log } from '../../core/index.ts'
import { asOffline, offline } from '../cameras/offline.ts'
import type { Lookup } from '../http/address.ts'
import type { Login } from '../http/login.ts'
import { Turns } from '../turns.ts'
import { ffmpegPath, runFfmpeg } from './ffmpeg.ts'
import type { MediaClock } from './media-clock.ts'
import { RtspPeer } from './peer.ts'
import { RtspRelay } from './relay.ts'

/** Programs that take pictures out of streams at the same time, on the whole box. */
const usual = new Turns(4, 64)
/** How long a program may take to say goodbye to the camera. */
const LEAVE_MS = 1_500
/** Whatever the camera says of itself: nothing else is opened, and only video is asked for. */
const FROM = ['-protocol_whitelist', 'tcp', '-rtsp_transport', 'tcp', '-allowed_media_types', 'video']

/** Of a video whose pictures are unpacked: by one thread, which takes the least memory; larger is no picture of a camera. */
export const UNPACKED: readonly string[] = ['-threads', '1', '-max_pixels', '40000000']

/** A stream, and who asks for it. */
export interface Stream {
  /** For people: `camera gate`. */
  label: string
  url: URL
  login: Login
  clock: Clock
  log: Log
  /** Where ffmpeg is; default: where the system has it. */
  ffmpeg?: () => string | null
  lookup?: Lookup
}

export interface Reading {
  /** What ffmpeg is told of what comes in, and of what goes out. */
  input: readonly string[]
  output: readonly string[]
  timeoutMs: number
  signal: AbortSignal
  /** Default: those of whoever takes pictures. */
  turns?: Turns
  /** What came until it broke off is of use. */
  partial?: true
  /** Answers whether that was all that is wanted. */
  onOutput?(chunk: Uint8Array, media: MediaClock): boolean
}

/** What was read. */
export interface Read {
  /** When media came. */
  media: MediaClock
  /** Why the stream broke off, or null. */
  broke: Error | null
}

/**
 * Has ffmpeg read a stream through a relay; resolves once it has ended, or enough came: the line is then taken down
 * behind that. Rejects with `camera_offline`.
 */
export async function readStream(stream: Stream, reading: Reading): Promise<Read> {
  const { label, clock, ffmpeg = ffmpegPath } = stream
  const { turns = usual } = reading
  const path = ffmpeg()
  if (path === null) throw offline(`${label} needs ffmpeg: install it (apt-get install ffmpeg).`)
  const leave = new AbortController()
  const late = new AbortController()
  const signal = AbortSignal.any([reading.signal, late.signal, leave.signal])
  const peer = new RtspPeer({ ...stream, signal, now: () => clock.now() })
  const { media } = peer
  const enough = Promise.withResolvers<void>()
  const ended = turns.take(reading.signal, async () => {
    const cancel = clock.after(reading.timeoutMs, () => late.abort())
    await work(path, stream, reading, peer, signal, enough.resolve).finally(cancel)
  })
  enough.promise.then(() => {
    const forget = clock.after(LEAVE_MS, () => leave.abort())
    ended.finally(forget).catch(() => undefined)
  })
  try {
    await Promise.race([ended, enough.promise])
    if (!late.signal.aborted && !reading.signal.aborted) return { media, broke: peer.failed }
    throw offline(`${label} did not answer in time.`)
  } catch (error) {
    const broke = late.signal.aborted ? tooLate(stream, reading, peer) : asOffline(error)
    if (reading.partial && media.firstAt !== null && !reading.signal.aborted) return { media, broke }
    throw reading.signal.aborted ? offline(`${label} did not answer in time.`) : broke
  }
}

async function work(
  path: string,
  { label, url, clock, log }: Stream,
  { input, output, onOutput }: Reading,
  peer: RtspPeer,
  signal: AbortSignal,
  enough: () => void,
): Promise<void> {
  const relay = new RtspRelay(peer, url)
  try {
    const address = await relay.open()
    const { code, said } = await runFfmpeg(path, {
      args: [...FROM, ...input, '-i', address, '-map', '0:v:0', ...output],
      clock,
      signal,
      ...(onOutput && {
        onOutput: chunk => {
          if (onOutput(chunk, peer.media)) enough()
        },
      }),
    })
    if (said) log.debug({ camera: label, said }, 'ffmpeg said something')
    if (code !== 0) throw peer.failed ?? offline(`${label} streams what cannot be read: choose H.264 in it.`)
  } catch (error) {
    throw asOffline(peer.failed ?? error)
  } finally {
    relay.close()
  }
}

function tooLate({ label }: Stream, { timeoutMs }: Reading, { media }: RtspPeer): Error {
  const seconds = Math.round(timeoutMs / 1000)
  return offline(
    media.firstAt === null
      ? `${label} sent no picture within ${seconds} s.`
      : `${label} sent no whole picture within ${seconds} s: let it send key frames more often.`,
  )
}
