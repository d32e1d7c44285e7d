/** Adding cameras on the page, on a whole box with real cameras beside it. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serve } from '../connect/helpers.ts'
import { KEY, NvrServer } from '../connect/nvr/server.ts'
import { onvifCamera, PASSWORD } from '../connect/onvif/camera.ts'
import { canStream, filming, rtspServer } from '../connect/rtsp/rtsp.ts'
import { halves, LEFT_HALF, white, world } from '../masks/world.ts'

const SITE = `cameras:\n  bare: { roles: [bare], masks: ${LEFT_HALF} }\n`

/** A camera that lets one user in. */
const locked = (seen: string[] = []) =>
  serve(async request => {
    const who = request.headers.get('authorization')
    seen.push(who ?? '')
    return who === `Basic ${btoa('box:p@ss word')}`
      ? new Response(await white())
      : new Response('', { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } })
  })

async function open(site = SITE) {
  const it = await world(site)
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${it.url}/api/v1${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const set = (rules: object) => ask('PUT', '/site-rules', { set: rules })
  return { ...it, ask, set }
}

test('a camera is tried, its password kept, and it is there at once; nothing shows the password', async () => {
  const { ask, set, url, dataDir, box } = await open()
  const snapshot = { url: `http://127.0.0.1:${locked()}/snap`, user: 'box' }
  const tried = (password: string) =>
    ask('POST', '/site/cameras/try', { id: 'yard', camera: { source: { snapshot } }, password })
  expect((await tried('wrong')).body).toMatchObject({
    works: false,
    message: expect.stringContaining('user'),
  })
  const { body } = await tried('p@ss word')
  expect(body.works).toBe(true)
  expect((await halves(Uint8Array.fromBase64(String(body.picture)))).left).toBe(255)
  const { secret } = (await ask('POST', '/site/cameras/password', { password: 'p@ss word' })).body
  const file = join(dataDir, 'secrets', String(secret))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const saved = await set({
    cameras: { yard: { source: { snapshot: { ...snapshot, password: { secret } } } } },
  })
  expect(saved.status).toBe(200)
  const picture = await fetch(`${url}/api/v1/cameras/yard/picture`)
  expect([picture.status, picture.headers.get('content-type'), picture.headers.get('cache-control')]).toEqual(
    [200, 'image/jpeg', 'no-store'],
  )
  const said = [
    saved.body,
    (await ask('GET', '/audit')).body,
    (await ask('GET', '/site-rules/versions')).body,
  ]
  const rows = readdirSync(dataDir).filter(name => name.includes('.db'))
  expect(rows.length).toBeGreaterThan(0)
  const kept = rows.map(name => readFileSync(join(dataDir, name), 'latin1'))
  expect(JSON.stringify(said) + kept.join('')).not.toContain('p@ss word')
  expect(box.store.audit.list({ limit: 9 }).map(({ action }) => action)).toContain('camera.password')
  await set({})
  expect((await fetch(`${url}/api/v1/cameras/yard/picture`)).status).toBe(404)
})

test('cameras of every kind are tried and set', async () => {
  const nvr = new NvrServer()
  nvr.pictures.set('2', new Uint8Array(await white()))
  const { ask, set, url, dataDir } = await open(`${SITE}nvr: { url: "${nvr.url}", key: { secret: key } }\n`)
  writeFileSync(join(dataDir, 'secrets', 'key'), KEY)
  const works = async (source: object, password?: string) => {
    const { body } = await ask('POST', '/site/cameras/try', { id: 'yard', camera: { source }, password })
    return body.message ?? body.works
  }
  const offered = (await ask('GET', '/site/cameras/offered')).body.cameras
  expect(offered).toEqual([
    { id: 'cam1', name: 'Gate' },
    { id: 'cam2', name: 'Yard' },
  ])
  expect(await works({ nvr: 'cam2' })).toBe(true)
  expect(await works({ nvr: 'cam9' })).toContain('no camera')
  const onvif = { url: `http://127.0.0.1:${onvifCamera().port}`, user: 'admin' }
  expect(await works({ onvif }, PASSWORD)).toBe(true)
  expect(await works({ onvif }, 'wrong')).toContain('password')
  await set({ cameras: { yard: { source: { nvr: 'cam2' } } } })
  expect((await fetch(`${url}/api/v1/cameras/yard/picture`)).status).toBe(200)
  if (!canStream) return
  const { port } = await rtspServer({
    rtp: (await filming()).rtp,
    auth: 'digest',
    user: 'box',
    password: 'p@ss',
  })
  expect(await works({ rtsp: { url: `rtsp://127.0.0.1:${port}/live`, user: 'box' } }, 'p@ss')).toBe(true)
  expect(await works({ rtsp: { url: `rtsp://127.0.0.1:${port}/live`, user: 'box' } }, 'no')).toContain(
    'password',
  )
}, 60_000)

test('a password that cannot be kept is said to be so, in words', async () => {
  const { ask, dataDir } = await open()
  // Nobody makes a file there, whoever they are.
  rmSync(join(dataDir, 'secrets'), { recursive: true, force: true })
  symlinkSync('/sys/kernel', join(dataDir, 'secrets'))
  const { status, body } = await ask('POST', '/site/cameras/password', { password: 'x y z' })
  expect([status, body.code]).toEqual([500, 'store_unwritable'])
})

test('passwords that nothing can name any more are taken away, and no other', async () => {
  const { ask, set, dataDir } = await open()
  const keep = async () =>
    String((await ask('POST', '/site/cameras/password', { password: 'x y z' })).body.secret)
  const files = () => readdirSync(join(dataDir, 'secrets'))
  const [used, unused, fresh] = [await keep(), await keep(), await keep()]
  writeFileSync(join(dataDir, 'secrets', 'camera-gate'), 'by hand')
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  for (const name of [used, unused, 'camera-gate'])
    utimesSync(join(dataDir, 'secrets', name), yesterday, yesterday)
  const place = { url: 'http://127.0.0.1:9/', password: { secret: used } }
  await set({ cameras: { yard: { source: { snapshot: place } } } })
  await set({})
  const latest = await keep()
  expect(files().sort()).toEqual(['camera-gate', fresh, latest, used].sort())
})

test('many viewers cost a camera one picture; masks drawn meanwhile count at once, in it and in a try', async () => {
  const seen: string[] = []
  const port = serve(async () => {
    seen.push('')
    return new Response(await white())
  })
  const { set, url, ask } = await open()
  const cameras = { yard: { source: { snapshot: `http://127.0.0.1:${port}/` } } }
  await set({ cameras })
  const bytes = async () =>
    new Uint8Array(await (await fetch(`${url}/api/v1/cameras/yard/picture`)).arrayBuffer())
  await Promise.all([bytes(), bytes(), bytes(), bytes(), bytes(), bytes()])
  expect(seen).toHaveLength(1)
  const half = [
    [0, 0],
    [0.5, 0],
    [0.5, 1],
    [0, 1],
  ]
  await set({ cameras, masks: { yard: { window: half } } })
  expect((await halves(await bytes())).left).toBeLessThan(3)
  const { body } = await ask('POST', '/site/cameras/try', { id: 'yard', camera: cameras.yard })
  expect((await halves(Uint8Array.fromBase64(String(body.picture)))).left).toBeLessThan(3)
})

test('a wall of cameras is shown whole, a few at a time', async () => {
  let now = 0
  let most = 0
  const port = serve(async () => {
    most = Math.max(most, ++now)
    await Bun.sleep(50)
    now--
    return new Response(await white())
  })
  const { set, url } = await open()
  const ids = Array.from({ length: 12 }, (_, i) => `c${i}`)
  const source = { snapshot: `http://127.0.0.1:${port}/` }
  await set({ cameras: Object.fromEntries(ids.map(id => [id, { source }])) })
  const answers = await Promise.all(ids.map(id => fetch(`${url}/api/v1/cameras/${id}/picture`)))
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
  expect(most).toBeLessThanOrEqual(4)
})

test('a folder of the page is one of the box’s own, wherever links lead', async () => {
  const { ask, dataDir } = await open()
  const tried = (folder: string) =>
    ask('POST', '/site/cameras/try', { id: 'yard', camera: { source: { folder } } })
  const root = join(dataDir, 'pictures-in')
  mkdirSync(join(root, 'yard'), { recursive: true })
  writeFileSync(join(root, 'yard', '1.jpg'), await white())
  mkdirSync(join(dataDir, 'elsewhere'))
  writeFileSync(join(dataDir, 'elsewhere', '1.jpg'), await white())
  symlinkSync(join(dataDir, 'elsewhere'), join(root, 'out'))
  symlinkSync(root, join(root, 'self'))
  expect((await tried('yard')).body.works).toBe(true)
  expect((await tried('out')).body).toMatchObject({ works: false, picture: null })
  expect((await tried('self')).body).toMatchObject({ works: false })
  for (const name of ['..', '../elsewhere', '/etc', 'yard/../../elsewhere'])
    expect([name, (await tried(name)).status]).toEqual([name, 422])
})

test('a camera of the site file is not tried as another one, nor with a secret of something else', async () => {
  const { ask } = await open()
  const port = locked()
  const camera = {
    source: { snapshot: { url: `http://127.0.0.1:${port}/`, user: 'box', password: { secret: 'nvr-key' } } },
  }
  const said = async (...asked: Parameters<typeof ask>) => JSON.stringify((await ask(...asked)).body)
  expect(await said('POST', '/site/cameras/try', { id: 'yard', camera })).toContain('nvr-key')
  expect((await ask('POST', '/site/cameras/try', { id: 'bare', camera: { source: {} } })).status).toBe(422)
  expect(await said('GET', '/site/cameras/offered')).toContain('there is no NVR')
})
