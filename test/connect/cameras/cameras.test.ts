import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SiteCameras } from '../../../src/connect/index.ts'
import { type IncomingEvent, noLog, systemClock } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { eventually, jpeg, serve, temporaryFolder } from '../helpers.ts'

const signal = () => new AbortController().signal

function cameras(yaml: string, file = 'site.yaml', password: string | null = null) {
  const events: IncomingEvent[] = []
  const holder = { site: Site.load(yaml, file) }
  const it = new SiteCameras({
    site: () => holder.site,
    clock: systemClock,
    log: noLog,
    secrets: { get: name => (name === 'camera' ? password : null) },
    dataDir: dirname(file),
    onPicture: event => events.push(event),
  })
  onTestFinished(() => it.stop())
  return { it, events, holder }
}

describe('whether a camera can be reached', () => {
  const snapshot = (port: number) =>
    cameras(`cameras: { gate: { source: { snapshot: "http://127.0.0.1:${port}/x" } } }`).it

  test('is told with how long that took; nothing is asked of it', async () => {
    let asked = 0
    const port = serve(() => {
      asked++
      return new Response('')
    })
    const { problem, pingMs } = await snapshot(port).check('gate', { signal: signal() })
    expect(problem).toBeNull()
    expect(pingMs).toBeGreaterThanOrEqual(0)
    expect(asked).toBe(0)
  })

  test('is told where nothing answers, and where nobody waits for it any more', async () => {
    const closed = serve(() => new Response(''))
    const stopped = AbortSignal.abort()
    expect((await snapshot(1).check('gate', { signal: signal() })).pingMs).toBeNull()
    expect((await snapshot(closed).check('gate', { signal: stopped })).pingMs).toBeNull()
  })

  test('is no question where it has no address, or is not there', async () => {
    const { it } = cameras('cameras: { gate: {} }')
    expect(await it.check('gate', { signal: signal() })).toEqual({ problem: null })
    await expect(it.check('roof', { signal: signal() })).rejects.toThrow('not in the site file')
  })
})

describe('a camera that serves its picture', () => {
  const one = (port: number, path = '/', password: string | null = null) => {
    const url = `url: "http://127.0.0.1:${port}${path}"`
    const snapshot =
      password === null ? `{ ${url} }` : `{ ${url}, user: admin, password: { secret: camera } }`
    return cameras(`cameras: { gate: { source: { snapshot: ${snapshot} } } }`, 'site.yaml', password).it
  }

  test('is asked with its credentials; the picture is of now', async () => {
    const seen: (string | null)[] = []
    const port = serve(request => {
      seen.push(request.headers.get('authorization'), new URL(request.url).search)
      return request.headers.has('authorization')
        ? new Response(jpeg(), { headers: { 'content-type': 'text/html' } })
        : new Response('', { status: 401, headers: { 'www-authenticate': 'Basic realm="camera"' } })
    })
    const before = Date.now()
    const picture = await one(port, '/snap?ch=1', 'p@ss').snapshot('gate', { signal: signal() })
    expect(picture.bytes).toEqual(new Uint8Array(jpeg()))
    expect(picture.source).toBe('camera gate')
    expect(picture.takenAt).toBeGreaterThanOrEqual(before)
    expect(seen).toEqual([null, '?ch=1', `Basic ${btoa('admin:p@ss')}`, '?ch=1'])
  })

  test.each([
    [
      'a page',
      () => new Response('<html>', { headers: { 'content-type': 'image/jpeg' } }),
      'no JPEG, PNG or WebP',
    ],
    ['a refusal', () => new Response(jpeg(), { status: 401 }), 'answered 401'],
    ['nothing', () => new Response(''), 'no JPEG, PNG or WebP'],
    ['too much', () => new Response(new Uint8Array(20_000_001)), 'more than 20000000 bytes'],
    ['a way elsewhere', () => Response.redirect('http://127.0.0.1:1/', 302), 'not listed'],
  ])('%s is offline, and no credential is told', async (_name, answer, message) => {
    const port = serve(answer)
    const error = await one(port, '/', 'hunter2')
      .snapshot('gate', { signal: signal() })
      .catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'camera_offline', message: expect.stringContaining(message) })
    expect(`${error.message}${error.stack}${Bun.inspect(error)}`).not.toMatch(/hunter2|YWRtaW46/)
  })

  test('a secret that is not there is said so, and nothing is asked', async () => {
    let hits = 0
    const port = serve(() => new Response(String(++hits)))
    const { it } = cameras(
      `cameras: { gate: { source: { snapshot: { url: "http://127.0.0.1:${port}/", password: { secret: gone } } } } }`,
    )
    await expect(it.snapshot('gate', { signal: signal() })).rejects.toMatchObject({
      code: 'camera_offline',
      message: expect.stringContaining('secrets/gone'),
    })
    expect(hits).toBe(0)
  })

  test('silence ends with the caller’s patience', async () => {
    const port = serve(() => new Promise(() => undefined))
    const asked = one(port).snapshot('gate', { signal: AbortSignal.timeout(100) })
    await expect(asked).rejects.toMatchObject({
      code: 'camera_offline',
      message: expect.stringContaining('in time'),
    })
  })

  test('an address on this box under a name is refused', async () => {
    const port = serve(() => new Response(jpeg()))
    const { it } = cameras(`cameras: { gate: { source: { snapshot: "http://localhost:${port}/" } } }`)
    await expect(it.snapshot('gate', { signal: signal() })).rejects.toMatchObject({
      code: 'camera_offline',
      message: expect.stringContaining('this box itself'),
    })
  })
})

describe('the cameras of a site', () => {
  test('count what was too much at once, also of a camera that is gone since', async () => {
    const dir = temporaryFolder()
    const file = join(dir, 'site.yaml')
    const { it, events, holder } = cameras('cameras: { a: { source: { folder: a } } }', file)
    mkdirSync(join(dir, 'a'))
    await it.start()
    for (let i = 0; i < 40; i++) writeFileSync(join(dir, `a-${i}`), jpeg())
    for (let i = 0; i < 40; i++) renameSync(join(dir, `a-${i}`), join(dir, 'a', `${i}.jpg`))
    await eventually(() => it.shed + events.length === 40)
    expect(it.shed).toBeGreaterThan(0)
    const before = it.shed
    holder.site = Site.load('cameras: { b: { source: { folder: b } } }', file)
    await it.reload()
    expect(it.shed).toBe(before)
  })

  test('unknown ones and ones without a source are told apart from silent ones', async () => {
    const dir = temporaryFolder()
    const { it } = cameras(
      'cameras: { blind: {}, yard: { source: { folder: yard } } }',
      join(dir, 'site.yaml'),
    )
    await expect(it.snapshot('other', { signal: signal() })).rejects.toMatchObject({
      code: 'camera_unknown',
      status: 404,
    })
    await expect(it.snapshot('blind', { signal: signal() })).rejects.toMatchObject({ code: 'camera_unknown' })
    await expect(it.snapshot('yard', { signal: signal() })).rejects.toMatchObject({ code: 'camera_offline' })
  })

  test('a file dropped into a camera’s folder is an event with its picture', async () => {
    const dir = temporaryFolder()
    const { it, events } = cameras('cameras: { yard: { source: { folder: yard } } }', join(dir, 'site.yaml'))
    await it.start()
    writeFileSync(join(dir, 'yard', 'a.jpg'), jpeg(1))
    await eventually(() => events.length > 0)
    expect(events).toHaveLength(1)
    const [event] = events
    expect(event).toMatchObject({
      kind: 'event',
      schema: 'picture.arrived.v1',
      cameraId: 'yard',
      payload: { file: 'a.jpg' },
      chain: [],
      by: null,
      workflowId: null,
    })
    expect(event?.id).toMatch(/^evt_[0-9a-f]{12}$/)
    expect(event?.pictures[0]?.bytes).toEqual(jpeg(1))
    expect(await it.snapshot('yard', { signal: signal() })).toEqual(event?.pictures[0])
  })

  test('a site file read anew: what is gone is silent, what is new is heard, what stayed lost nothing', async () => {
    const dir = temporaryFolder()
    const file = join(dir, 'site.yaml')
    const { it, events, holder } = cameras(
      'cameras: { a: { source: { folder: a } }, b: { source: { folder: b } } }',
      file,
    )
    await it.start()
    holder.site = Site.load('cameras: { b: { source: { folder: b } }, c: { source: { folder: c } } }', file)
    await it.reload()
    for (const name of ['a', 'b', 'c']) writeFileSync(join(dir, name, 'x.jpg'), jpeg())
    await eventually(() => events.length >= 2)
    await Bun.sleep(100)
    expect(events.map(event => event.cameraId).sort()).toEqual(['b', 'c'])
    await it.stop()
    mkdirSync(join(dir, 'b', 'sub'))
    writeFileSync(join(dir, 'b', 'y.jpg'), jpeg())
    await Bun.sleep(100)
    expect(events).toHaveLength(2)
  })
})

test('makes no folder outside of its data, says which is not there, and goes on when it appears', async () => {
  const folder = join(temporaryFolder(), 'mistyped', 'yard')
  const { it, events } = cameras(
    `cameras: { yard: { source: { folder: ${folder} } }, own: { source: { folder: own } } }`,
    join(temporaryFolder(), 'site.yaml'),
  )
  await it.start()
  expect(existsSync(folder)).toBe(false)
  const problems = () => [...it.conditions()].filter(([, { problem }]) => problem !== null)
  expect(problems().map(([id]) => id)).toEqual(['yard'])
  expect(it.conditions().get('yard')?.problem).toContain(folder)
  const failed = await it.snapshot('yard', { signal: signal() }).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'camera_offline', message: expect.stringContaining(folder) })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'a.jpg'), jpeg())
  await eventually(() => events.length === 1, 15_000)
  expect(problems()).toEqual([])
}, 20_000)
