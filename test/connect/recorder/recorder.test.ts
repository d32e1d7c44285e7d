import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StreamRecorder } from '../../../src/connect/index.ts'
import { noLog, systemClock } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { eventually, serve, temporaryFolder } from '../helpers.ts'
import { apart, canStream, filming, lastPicture, rtspServer, secondIn } from '../rtsp/rtsp.ts'

const MEGABYTE = 1024 * 1024
const signal = () => new AbortController().signal
const failure = (asked: Promise<unknown>): Promise<Error & { code?: string }> =>
  asked.then(
    () => new Error('it did not fail'),
    error => error,
  )

function recorder(
  cameras: string,
  { free = 1_000 * MEGABYTE, keep = '', ffmpeg }: { free?: number; keep?: string; ffmpeg?: () => null } = {},
) {
  const dataDir = temporaryFolder()
  const site = Site.load(`cameras: { ${cameras} }\n${keep}`, join(dataDir, 'site.yaml'))
  const it = new StreamRecorder({
    site: () => site,
    secrets: { get: () => 'p@ss' },
    dataDir,
    free: async () => free,
    clock: systemClock,
    log: noLog,
    ...(ffmpeg && { ffmpeg }),
  })
  const files = () => (existsSync(join(dataDir, 'clips')) ? readdirSync(join(dataDir, 'clips')) : [])
  return { it, files, dataDir }
}

const streaming = (port: number, who = '') =>
  `gate: { source: { rtsp: { url: "rtsp://127.0.0.1:${port}/live"${who} } } }`

/** What ffprobe says of a file: its length in seconds, its codec, and whether it begins with a whole picture. */
async function probed(file: string) {
  const entries = 'format=duration:stream=codec_name,codec_type:packet=flags'
  const args = ['-v', 'error', '-show_entries', entries, '-read_intervals', '%+#1', '-of', 'json', file]
  const child = Bun.spawn(['ffprobe', ...args], { stdout: 'pipe' })
  const { format, streams, packets } = JSON.parse(await new Response(child.stdout).text())
  return { seconds: Number(format.duration), streams, first: packets[0]?.flags }
}

describe.skipIf(!canStream)('a clip of a stream', () => {
  test('is as long as asked, of now, as the camera sent it, and any player’s', async () => {
    const camera = await filming()
    const { port } = await rtspServer({ rtp: camera.rtp, auth: 'digest', user: 'admin', password: 'p@ss' })
    const { it, files } = recorder(streaming(port, ', user: admin, password: { secret: x }'))
    expect(it.lacks).toBeNull()
    const before = Date.now()
    const clip = await it.clip({ cameraId: 'gate', ms: 4_000, signal: signal() })
    const now = camera.second()
    expect(clip).toMatchObject({ type: 'video/mp4', source: 'camera gate', cut: null })
    expect(clip.takenAt).toBeGreaterThanOrEqual(before)
    const { seconds, streams, first } = await probed(clip.file)
    expect(streams).toEqual([{ codec_name: 'h264', codec_type: 'video' }])
    expect(Math.abs(seconds - 4)).toBeLessThan(1.2)
    expect(Math.abs(clip.ms / 1000 - seconds)).toBeLessThan(1.2)
    expect(first).toMatch(/^K/)
    expect(apart(await secondIn(await lastPicture(clip.file)), now)).toBeLessThan(2.5)
    expect(files()).toHaveLength(1)
    expect(statSync(clip.file).mode & 0o777).toBe(0o600)
  })

  test('is not begun where there is no room', async () => {
    const camera = await filming()
    const { port } = await rtspServer({ rtp: camera.rtp })
    const full = recorder(streaming(port), { free: 300 * MEGABYTE, keep: 'keep: { free: 290MB }' })
    const error = await failure(full.it.clip({ cameraId: 'gate', ms: 1_000, signal: signal() }))
    expect(error).toMatchObject({ code: 'disk_low', message: expect.stringContaining('nearly full') })
    expect(full.files()).toEqual([])
  })

  test('that nobody waits for any more leaves nothing', async () => {
    const camera = await filming()
    const { port } = await rtspServer({ rtp: camera.rtp })
    const { it, files } = recorder(streaming(port))
    const stop = new AbortController()
    const asked = failure(it.clip({ cameraId: 'gate', ms: 60_000, signal: stop.signal }))
    await eventually(() => files().length === 1)
    stop.abort()
    expect(await asked).toMatchObject({ code: 'camera_offline' })
    expect(files()).toEqual([])
  })

  test('of a camera that goes away meanwhile is what came until then', async () => {
    const camera = await filming()
    const server = await rtspServer({ rtp: camera.rtp })
    const { it } = recorder(streaming(server.port))
    const asked = it.clip({ cameraId: 'gate', ms: 60_000, signal: signal() })
    await Bun.sleep(4_000)
    await server.stop()
    const clip = await asked
    expect(clip.cut).toContain('closed the connection')
    expect(clip.ms).toBeLessThan(10_000)
    expect((await probed(clip.file)).first).toMatch(/^K/)
  })

  test('of a camera that is not there is none', async () => {
    const { it, files } = recorder(streaming(1))
    expect(await failure(it.clip({ cameraId: 'gate', ms: 1_000, signal: signal() }))).toMatchObject({
      code: 'camera_offline',
    })
    expect(files()).toEqual([])
  })

  test('comes from where ONVIF says that the stream is', async () => {
    const camera = await filming()
    const { port } = await rtspServer({ rtp: camera.rtp })
    const answers: Record<string, string> = {
      GetCapabilities: '<Capabilities><Media><XAddr>http://10.9.9.9/media</XAddr></Media></Capabilities>',
      GetProfiles: '<Profiles token="main"><VideoEncoderConfiguration/></Profiles>',
      GetStreamUri: `<MediaUri><Uri>rtsp://10.9.9.9:${port}/live</Uri></MediaUri>`,
    }
    const onvif = serve(async request => {
      const operation = /<s:Body><(\w+)/.exec(await request.text())?.[1] ?? ''
      return new Response(
        `<e:Envelope xmlns:e="x"><e:Body><r>${answers[operation] ?? ''}</r></e:Body></e:Envelope>`,
      )
    })
    const { it } = recorder(`gate: { source: { onvif: "http://127.0.0.1:${onvif}" } }`)
    const { file } = await it.clip({ cameraId: 'gate', ms: 1_500, signal: signal() })
    expect((await probed(file)).seconds).toBeGreaterThan(0.5)
  })
})

describe('what cannot be recorded', () => {
  test('is said: no stream, no such camera, no ffmpeg', async () => {
    const { it } = recorder('gate: { source: { snapshot: "http://127.0.0.1:1/" } }')
    expect(it.lacks).toContain('no camera has a stream')
    const error = await failure(it.clip({ cameraId: 'gate', ms: 1_000, signal: signal() }))
    expect(error).toMatchObject({ code: 'camera_unknown', message: expect.stringContaining('under stream') })
    expect(await failure(it.clip({ cameraId: 'roof', ms: 1_000, signal: signal() }))).toMatchObject({
      code: 'camera_unknown',
    })
    const stream = 'gate: { source: { snapshot: "http://127.0.0.1:1/" }, stream: "rtsp://127.0.0.1:1/" }'
    const bare = recorder(stream, { ffmpeg: () => null }).it
    expect(bare.lacks).toContain('install')
    expect(await failure(bare.clip({ cameraId: 'gate', ms: 1_000, signal: signal() }))).toMatchObject({
      code: 'camera_offline',
      message: expect.stringContaining('install'),
    })
  })

  test('what a box that was cut off had begun is cleared away', async () => {
    const { it, files, dataDir } = recorder('gate: {}')
    mkdirSync(join(dataDir, 'clips'))
    writeFileSync(join(dataDir, 'clips', 'half.mp4'), 'x')
    await it.start()
    expect(files()).toEqual([])
    // A run that goes on records before all has started, maybe: that stays.
    mkdirSync(join(dataDir, 'clips'))
    writeFileSync(join(dataDir, 'clips', 'now.mp4'), 'x')
    await it.start()
    expect(files()).toEqual(['now.mp4'])
  })
})
