/** A camera for tests: ffmpeg films a clock that is told by its grey, GStreamer's server streams that by RTSP. */
import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { onTestFinished } from 'vitest'

const PYTHON = '/usr/bin/python3'
/** A second of the filmed clock is a step of grey; it goes round after so many. */
const SECONDS = 24
const DARKEST = 20
const STEP = 9

/** Whether this machine has what streams here; `verify` installs it. */
export const canStream =
  Boolean(process.env.CI) || (Boolean(Bun.which('ffmpeg')) && existsSync('/usr/lib/python3/dist-packages/gi'))

interface Server {
  port?: number
  user?: string
  password?: string
  auth?: 'digest' | 'basic'
}

function killed(child: Bun.Subprocess): Bun.Subprocess {
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  return child
}

/** A free UDP port of loopback. */
function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4')
  return new Promise(resolve =>
    socket.bind(0, '127.0.0.1', () => {
      const { port } = socket.address()
      socket.close(() => resolve(port))
    }),
  )
}

/** Starts the server over RTP that comes to a port, or over a file. Resolves once it listens, with its port. */
export async function rtspServer(what: Server & ({ rtp: number } | { file: string })) {
  const command = [PYTHON, '-W', 'ignore', join(import.meta.dirname, 'rtsp-server.py'), JSON.stringify(what)]
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore', env: { PATH: '/usr/bin:/bin' } })
  killed(child)
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  const port = Number(new TextDecoder().decode(value))
  if (!(port > 0)) throw new Error('the RTSP server did not start')
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  return { port, stop }
}

/** A camera that films as long as the test runs; `keyEvery`: seconds between two key frames. */
export async function filming({ keyEvery = 1 }: { keyEvery?: number } = {}) {
  const rtp = await freeUdpPort()
  const grey = `color=black:s=320x240:r=10,geq=lum='${DARKEST}+mod(floor(T),${SECONDS})*${STEP}':cb=128:cr=128`
  const encode = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    '-g',
    String(keyEvery * 10),
  ]
  const inline = ['-x264-params', 'repeat-headers=1:scenecut=0']
  const out = ['-f', 'rtp', `rtp://127.0.0.1:${rtp}?pkt_size=1200`]
  const args = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-re', '-f', 'lavfi', '-i', grey]
  const startedAt = Date.now()
  const child = Bun.spawn(['ffmpeg', ...args, ...encode, ...inline, ...out], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  killed(child)
  return {
    rtp,
    /** The second that the filmed clock shows now, about. */
    second: () => ((Date.now() - startedAt) / 1000) % SECONDS,
  }
}

/** The second of the filmed clock that a picture shows. */
export async function secondIn(jpeg: Uint8Array): Promise<number> {
  // A video's black and white are 16 and 235, a picture's 0 and 255.
  const { data } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true })
  const grey = 16 + ((data[0] ?? 0) * 219) / 255
  return Math.round((grey - DARKEST) / STEP)
}

/** How many seconds lie between two readings of the clock, the shorter way round. */
export function apart(a: number, b: number): number {
  const forth = (((a - b) % SECONDS) + SECONDS) % SECONDS
  return Math.min(forth, SECONDS - forth)
}

/** The last picture of a clip. */
export const lastPicture = (file: string): Promise<Uint8Array> =>
  onePicture(file, ['-sseof', '-0.3'], ['-update', '1'])

/** A picture of a clip; the first where nothing else is said. */
export async function onePicture(
  file: string,
  from: readonly string[] = [],
  to: readonly string[] = [],
): Promise<Uint8Array> {
  const jpeg = ['-frames:v', '1', '-f', 'image2pipe', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', 'pipe:1']
  const child = Bun.spawn(['ffmpeg', '-v', 'error', ...from, '-i', file, ...to, ...jpeg], {
    stdout: 'pipe',
    stderr: 'ignore',
  })
  return new Uint8Array(await new Response(child.stdout).arrayBuffer())
}
