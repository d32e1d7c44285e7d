import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Login } from '../../../src/connect/http/login.ts'
import { SiteCameras } from '../../../src/connect/index.ts'
import { RtspCamera } from '../../../src/connect/rtsp/camera-rtsp.ts'
import { beginsKeyFrame, codecIn } from '../../../src/connect/rtsp/key-frame.ts'
import { MediaClock } from '../../../src/connect/rtsp/media-clock.ts'
import { NotRtsp, type Part, RtspReader } from '../../../src/connect/rtsp/messages.ts'
import { JpegReader } from '../../../src/connect/rtsp/pictures.ts'
import { type Clock, noLog, systemClock } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { eventually } from '../helpers.ts'
import { apart, canStream, filming, rtspServer, secondIn } from './rtsp.ts'

/** A real clip that may lie beside the repository; others do as well. */
const YARD = join(import.meta.dirname, '../../../../shared/video/yard.mp4')
const PASSWORD = 'hunter2 "x\\'
const signal = () => new AbortController().signal

/** The cameras of a site with one, `gate`, that streams; its user, if any, is admin. */
function gate(
  port: number,
  { password = null, clock = systemClock }: { password?: string | null; clock?: Clock } = {},
) {
  const who = password !== null ? ', user: admin, password: { secret: gate }' : ''
  const site = Site.load(
    `cameras: { gate: { source: { rtsp: { url: "rtsp://127.0.0.1:${port}/live"${who} } } } }`,
    'site.yaml',
  )
  const it = new SiteCameras({
    site: () => site,
    clock,
    log: noLog,
    secrets: { get: () => password },
    dataDir: '/nonexistent',
    onPicture: () => undefined,
  })
  onTestFinished(() => it.stop())
  const snapshot = (how = signal()) => it.snapshot('gate', { signal: how })
  return { it, snapshot }
}

/** The machine's clock, which tests may turn forward. */
class Hurried implements Clock {
  #ahead = 0
  skip(ms: number): void {
    this.#ahead += ms
  }
  now(): number {
    return systemClock.now() + this.#ahead
  }
  after(ms: number, callback: () => void): () => void {
    return systemClock.after(ms, callback)
  }
}

const failure = (asked: Promise<unknown>): Promise<Error & { code?: string }> =>
  asked.then(
    () => new Error('it did not fail'),
    error => error,
  )

/** Command lines and environments of all processes of this box. */
function processes(): string {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(pid =>
      ['cmdline', 'environ'].map(file => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'utf8')
        } catch {
          return ''
        }
      }),
    )
    .join('\n')
}

const readers = () =>
  processes()
    .split('\n')
    .filter(line => /ffmpeg.*rtsp:\/\/127\.0\.0\.1/.test(line)).length

describe.skipIf(!canStream)('a camera that streams', () => {
  test('gives the picture of now, whole, whether or not it asks who that is', async () => {
    const camera = await filming()
    for (const auth of [null, 'digest', 'basic'] as const) {
      const { port } = await rtspServer({
        rtp: camera.rtp,
        ...(auth && { auth, user: 'admin', password: PASSWORD }),
      })
      const { snapshot, it } = gate(port, { password: auth && PASSWORD })
      await it.start()
      const before = Date.now()
      const picture = await snapshot()
      const now = camera.second()
      expect(picture.source).toBe('camera gate')
      expect(picture.takenAt).toBeGreaterThanOrEqual(before)
      expect(picture.takenAt).toBeLessThanOrEqual(Date.now())
      expect(apart(await secondIn(picture.bytes), now)).toBeLessThan(2)
      expect(it.conditions().get('gate')).toMatchObject({ problem: null, lastFrameAt: expect.any(Number) })
    }
  })

  test('gives pictures spread over a time, out of one stream', async () => {
    const camera = await filming()
    const { port } = await rtspServer({ rtp: camera.rtp })
    const { it } = gate(port)
    const pictures = await it.frames('gate', { count: 3, overMs: 4_000, signal: signal() })
    const [first = 0, second = 0, third = 0] = await Promise.all(pictures.map(({ bytes }) => secondIn(bytes)))
    expect([apart(second, first), apart(third, second)]).toEqual([2, 2])
    const [a = 0, b = 0, c = 0] = pictures.map(({ takenAt }) => takenAt ?? 0)
    for (const gap of [b - a, c - b]) expect(Math.abs(gap - 2_000)).toBeLessThan(600)
    expect(Math.abs(Date.now() - c)).toBeLessThan(2_000)
  })

  test('no password is in a command line, an environment or an error', async () => {
    const camera = await filming({ keyEvery: 3 })
    const { port } = await rtspServer({ rtp: camera.rtp, auth: 'digest', user: 'admin', password: PASSWORD })
    const right = gate(port, { password: PASSWORD }).it.frames('gate', {
      count: 2,
      overMs: 2_000,
      signal: signal(),
    })
    await eventually(() => readers() > 0)
    const seen = processes()
    expect(seen).not.toContain(`127.0.0.1:${port}`)
    // The server of this test is told its password on its command line.
    const others = seen.split('\n').filter(line => !line.includes('rtsp-server.py'))
    expect(others.join('\n')).not.toContain('hunter2')
    await right
    const error = await failure(gate(port, { password: 'hunter3' }).snapshot())
    expect(error).toMatchObject({
      code: 'camera_offline',
      message: expect.stringContaining('refused its user'),
    })
    expect(`${error.message}${error.stack}${Bun.inspect(error)}`).not.toMatch(/hunter3|response=/)
    const none = await failure(gate(port).snapshot())
    expect(none.message).toContain('wants a user and a password')
  })

  test('is offline while its server is gone, says so at once, and comes back by itself', async () => {
    const clock = new Hurried()
    const camera = await filming()
    const first = await rtspServer({ rtp: camera.rtp })
    const { it, snapshot } = gate(first.port, { clock })
    await it.start()
    await snapshot()
    await first.stop()
    expect(await failure(snapshot())).toMatchObject({
      code: 'camera_offline',
      message: expect.stringContaining('cannot be reached'),
    })
    const asked = performance.now()
    expect((await failure(snapshot())).message).toMatch(/asked again in \d s\.$/)
    expect(performance.now() - asked).toBeLessThan(50)
    expect(it.conditions().get('gate')).toMatchObject({
      problem: expect.stringContaining('cannot be reached'),
      offlineSince: expect.any(Number),
    })
    await rtspServer({ rtp: camera.rtp, port: first.port })
    clock.skip(60_000)
    const picture = await snapshot()
    expect(apart(await secondIn(picture.bytes), camera.second())).toBeLessThan(2)
    expect(it.conditions().get('gate')).toMatchObject({ problem: null, offlineSince: null })
  })

  test('a stream that breaks off gives no picture of before', async () => {
    const camera = await filming({ keyEvery: 5 })
    const server = await rtspServer({ rtp: camera.rtp })
    const { it, snapshot } = gate(server.port)
    await snapshot()
    const asked = failure(it.frames('gate', { count: 5, overMs: 8_000, signal: signal() }))
    await eventually(() => readers() > 0)
    await Bun.sleep(500)
    await server.stop()
    expect(await asked).toMatchObject({ code: 'camera_offline' })
    await eventually(() => readers() === 0)
  })

  test('who gives up leaves no program behind', async () => {
    const camera = await filming({ keyEvery: 20 })
    const { port } = await rtspServer({ rtp: camera.rtp })
    const stop = new AbortController()
    const { it } = gate(port)
    await it.start()
    const asked = failure(it.frames('gate', { count: 9, overMs: 9_000, signal: stop.signal }))
    await eventually(() => readers() > 0)
    stop.abort()
    expect(await asked).toMatchObject({ code: 'camera_offline' })
    await eventually(() => readers() === 0)
    expect(it.conditions().get('gate')?.problem).toBeNull()
  })

  test('is looked at without unpacking anything', async () => {
    const camera = await filming()
    const { port } = await rtspServer({ rtp: camera.rtp, auth: 'digest', user: 'admin', password: PASSWORD })
    const { it } = gate(port, { password: PASSWORD })
    await it.start()
    await it.look('gate', signal())
    expect(it.state('gate')?.condition).toMatchObject({ problem: null, lastFrameAt: expect.any(Number) })
    expect((await it.check('gate', { signal: signal() })).pingMs).toBeGreaterThanOrEqual(0)
    expect(readers()).toBe(0)
  })

  test.skipIf(!existsSync(YARD))('plays a real clip', async () => {
    const { port } = await rtspServer({ file: YARD })
    const { bytes } = await gate(port).snapshot()
    expect(bytes.byteLength).toBeGreaterThan(10_000)
  })
})

/** A server on loopback that does what it is told with each connection; its port. */
async function hostile(met: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    met(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

/** Answers each request with the next of these, which may say `CSEQ`. */
const answering = (...answers: string[]) =>
  hostile(socket => {
    const left = [...answers]
    socket.on('data', bytes => {
      const [, cseq = '1'] = /^cseq: (\d+)/im.exec(bytes.toString()) ?? []
      const next = left.shift()
      if (next !== undefined) socket.write(next.replaceAll('CSEQ', cseq))
    })
  })

const SDP = 'v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:rtsp://192.0.2.1/other\r\n'
const described = `RTSP/1.0 200 OK\r\nCSeq: CSEQ\r\nContent-Type: application/sdp\r\nContent-Length: ${SDP.length}\r\n\r\n${SDP}`
const ok = 'RTSP/1.0 200 OK\r\nCSeq: CSEQ\r\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY\r\n\r\n'

describe.skipIf(!Bun.which('ffmpeg'))('a camera that is none, or means ill', () => {
  test.each([
    ['speaks something else', ['HTTP/1.1 400 Bad Request\r\n\r\n'], 'does not speak RTSP'],
    ['babbles', ['x'.repeat(40_000)], 'does not speak RTSP'],
    ['never ends a header', [`RTSP/1.0 200 OK\r\nA: ${'x'.repeat(40_000)}`], 'does not speak RTSP'],
    [
      'promises a huge answer',
      ['RTSP/1.0 200 OK\r\nCSeq: CSEQ\r\nContent-Length: 999999999\r\n\r\n'],
      'RTSP',
    ],
    [
      'points elsewhere',
      ['RTSP/1.0 302 Found\r\nCSeq: CSEQ\r\nLocation: rtsp://192.0.2.1/\r\n\r\n'],
      'points elsewhere',
    ],
    [
      'sends us away itself',
      [`${ok}REDIRECT rtsp://x/ RTSP/1.0\r\nCSeq: 1\r\nLocation: rtsp://192.0.2.1/\r\n\r\n`],
      'points elsewhere',
    ],
    ['has no such stream', [ok, 'RTSP/1.0 404 Not Found\r\nCSeq: CSEQ\r\n\r\n'], 'no stream at this address'],
    ['is full', [ok, 'RTSP/1.0 453 Not Enough Bandwidth\r\nCSeq: CSEQ\r\n\r\n'], 'no stream to spare'],
    [
      'asks without end who that is',
      Array(9).fill(
        'RTSP/1.0 401 Unauthorized\r\nCSeq: CSEQ\r\nWWW-Authenticate: Digest realm="r", nonce="n"\r\n\r\n',
      ),
      'refused its user',
    ],
    ['has no description', [ok, ok], 'camera gate'],
  ])('%s: it is offline in one line, and nobody else is asked', async (_name, answers, message) => {
    const error = await failure(gate(await answering(...answers), { password: 'hunter2' }).snapshot())
    expect(error).toMatchObject({ code: 'camera_offline', message: expect.stringContaining(message) })
    expect(error.message).not.toContain('\n')
    expect(`${error.message}${error.stack}${Bun.inspect(error)}`).not.toContain('hunter2')
    await eventually(() => readers() === 0)
  })

  test('describes a stream elsewhere: what follows is said to itself', async () => {
    const heard: string[] = []
    const port = await hostile(socket => {
      const answers = [ok, described]
      socket.on('data', bytes => {
        heard.push(bytes.toString())
        const [, cseq = '1'] = /^cseq: (\d+)/im.exec(bytes.toString()) ?? []
        socket.write((answers.shift() ?? 'RTSP/1.0 500 No\r\nCSeq: CSEQ\r\n\r\n').replaceAll('CSEQ', cseq))
      })
    })
    expect((await failure(gate(port).snapshot())).message).toContain('answered 500')
    expect(heard.at(-1)).toMatch(/^SETUP rtsp:\/\/192\.0\.2\.1\/other RTSP/)
    expect(heard.join('')).not.toMatch(new RegExp(`127\\.0\\.0\\.1:(?!${port})`))
  })

  test('answers nothing, or plays and sends nothing: it is told so in its time', async () => {
    const silent = await hostile(() => undefined)
    const stop = AbortSignal.timeout(300)
    expect((await failure(gate(silent).snapshot(stop))).message).toContain('in time')
    await eventually(() => readers() === 0)
  })

  test('plays, and sends nothing', async () => {
    const set =
      'RTSP/1.0 200 OK\r\nCSeq: CSEQ\r\nSession: 1\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n\r\n'
    const port = await answering(ok, described, set, ok)
    const url = new URL(`rtsp://127.0.0.1:${port}/live`)
    const login = new Login('camera gate', { url, user: null, password: null }, { get: () => null })
    const camera = new RtspCamera({ label: 'camera gate', url, login, clock: systemClock, log: noLog }, 900)
    const { message } = await failure(camera.snapshot({ signal: signal() }))
    expect(message).toBe('camera gate sent no picture within 1 s.')
    await eventually(() => readers() === 0)
  })

  test('goes away in the middle', async () => {
    const port = await hostile(socket => socket.on('data', () => socket.destroy()))
    expect((await failure(gate(port).snapshot())).message).toContain('closed the connection before a picture')
  })

  test('without ffmpeg it is said what to install', async () => {
    const url = new URL('rtsp://127.0.0.1:1/')
    const camera = new RtspCamera({
      label: 'camera gate',
      url,
      login: new Login('camera gate', { url, user: null, password: null }, { get: () => null }),
      clock: systemClock,
      log: noLog,
      ffmpeg: () => null,
    })
    expect((await failure(camera.snapshot({ signal: signal() }))).message).toContain('install it')
  })
})

describe('what arrives', () => {
  const message = (start: string, body = '') =>
    `${start}\r\nCSeq: 1\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const frame = (bytes: number) =>
    Buffer.concat([Buffer.from([0x24, 0, bytes >> 8, bytes & 255]), Buffer.alloc(bytes, 0x52)])

  test('is the same however it is cut', () => {
    const parts = [
      message('RTSP/1.0 200 OK', 'a\r\n\r\nb'),
      frame(0),
      frame(70),
      '\r\n',
      message('OPTIONS * RTSP/1.0'),
      frame(65_535),
    ]
    const whole = Buffer.concat(parts.map(part => Buffer.from(part)))
    const read = (cuts: number[]) => {
      const reader = new RtspReader()
      const found: Part[] = []
      let from = 0
      for (const to of [...cuts.sort((a, b) => a - b), whole.length]) {
        found.push(...reader.push(whole.subarray(from, to)))
        from = to
      }
      return JSON.stringify(found)
    }
    const once = read([])
    expect(JSON.parse(once)).toHaveLength(5)
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 30 }), cuts => read(cuts) === once),
      { numRuns: 50 },
    )
  })

  test('breaks nothing, whatever it is', () => {
    const bits = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(
          ...['RTSP/1.0 200 OK\r\n', '$', '\r\n\r\n', 'Content-Length: -1\r\n', 'A'].map(text =>
            Buffer.from(text),
          ),
        ),
      ),
    )
    fc.assert(
      fc.property(bits, chunks => {
        const reader = new RtspReader()
        try {
          for (const chunk of chunks) reader.push(chunk)
        } catch (error) {
          return error instanceof NotRtsp
        }
        return true
      }),
      { numRuns: 300 },
    )
  })

  test('of pictures, ends where one is said to be too large', () => {
    const part = (length: number, body: Uint8Array) =>
      Buffer.concat([
        Buffer.from(`--ffmpeg\r\nContent-type: image/jpeg\r\nContent-length: ${length}\r\n\r\n`),
        body,
        Buffer.from('\r\n'),
      ])
    const reader = new JpegReader(1_000)
    const both = Buffer.concat([part(3, Buffer.from('abc')), part(2, Buffer.from('de'))])
    const found = [...both].flatMap(byte => reader.push(Uint8Array.of(byte)))
    expect(found.map(bytes => Buffer.from(bytes).toString())).toEqual(['abc', 'de'])
    expect(() => new JpegReader(2).push(both)).toThrow('too large')
    expect(() => new JpegReader(2).push(Buffer.alloc(2_000))).toThrow('no picture')
  })
})

test('a stream that begins with what was kept is known to be old', () => {
  let now = 1_000
  const clock = new MediaClock(() => now)
  const packet = (ms: number) => {
    const bytes = new Uint8Array(16)
    new DataView(bytes.buffer).setUint32(8, (0xffff_f000 + ms * 90) >>> 0)
    return bytes
  }
  for (let ms = 0; ms <= 3_000; ms += 100) {
    clock.take(packet(ms))
    now += 5
  }
  expect(clock.firstAt).toBe(1_000)
  expect(clock.behindMs).toBeGreaterThan(2_800)
  const live = new MediaClock(() => now)
  for (let ms = 0; ms <= 3_000; ms += 100) {
    live.take(packet(ms))
    now += 100
  }
  expect(live.behindMs).toBe(0)
  live.take(packet(10_000_000))
  live.take(Uint8Array.of(0x24, 0, 0, 1, 1))
  expect(live.behindMs).toBe(0)
})

test.each([
  [
    'H264/90000',
    'h264',
    [[0x65], [0x67], [0x78, 0, 9, 0x67], [0x7c, 0x85]],
    [[0x41], [0x7c, 0x05], [0x7c, 0x81], [0x06]],
  ],
  [
    'H265/90000',
    'h265',
    [
      [0x26, 1],
      [0x42, 1],
      [0x60, 1, 0, 9, 0x40],
      [0x62, 1, 0x93],
    ],
    [
      [0x02, 1],
      [0x62, 1, 0x13],
      [0x62, 1, 0x81],
    ],
  ],
])('the first whole picture of %s is known by its packet', (name, codec, keys, others) => {
  expect(codecIn(`v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 ${name}\r\n`)).toBe(codec)
  const plain = [0x80, 96, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
  const extended = [0x91, 96, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 7, 0, 0, 0, 1, 9, 9, 9, 9]
  for (const head of [plain, extended]) {
    const is = (payload: number[]) => beginsKeyFrame(Uint8Array.from([...head, ...payload]), codec as 'h264')
    expect(keys.map(is)).toEqual(keys.map(() => true))
    expect(others.map(is)).toEqual(others.map(() => false))
  }
})
