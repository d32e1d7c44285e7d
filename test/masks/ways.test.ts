/** Every way by which a picture comes into the box: what is masked of its camera is black in all that is kept of it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually, serve } from '../connect/helpers.ts'
import { KEY, NvrServer } from '../connect/nvr/server.ts'
import { canStream, filming, onePicture, rtspServer } from '../connect/rtsp/rtsp.ts'
import { halves, LEFT_HALF, type World, white, world } from './world.ts'

/** Whoever in `src` makes or fetches pictures of cameras, and the test below that its pictures go through. */
const WAYS: Record<string, string> = {
  'connect/cameras/asked.ts': 'asked for',
  'connect/cameras/cameras.ts': 'asked for; folder',
  'connect/cameras/driver.ts': 'asked for',
  'connect/cameras/folder.ts': 'folder',
  'connect/cameras/http.ts': 'asked for',
  'connect/onvif/camera-onvif.ts': 'asked for: its pictures are those of an address',
  'connect/rtsp/camera-rtsp.ts': 'stream',
  'connect/nvr/archive.ts': 'recorder of the site',
  'connect/nvr/cameras.ts': 'recorder of the site',
  'connect/tracks/best-frame.ts': 'cut',
  'connect/tracks/stay-event.ts': 'cut',
  'connect/recorder/recorder.ts': 'stream: its clips',
  'connect/rtsp/record.ts': 'stream: its clips',
  'web/delivery.ts': 'uploaded',
}
/** They show or send what was kept. */
const BEHIND = [
  'connect/channels/message.ts',
  'connect/channels/ntfy.ts',
  'connect/channels/smtp.ts',
  'connect/channels/write.ts',
  'connect/faces.ts',
  'connect/home-assistant/home-assistant.ts',
  'connect/home-assistant/judged-picture.ts',
  'web/ports.ts',
  'web/routes/cameras.ts',
  'web/schemas/run.ts',
]

const site = (more = '') => `cameras:
  folder: { roles: [folder], source: { folder: arrivals }, masks: ${LEFT_HALF} }
  bare: { roles: [bare], masks: ${LEFT_HALF} }
${more}`

const expectMasked = async (pictures: Uint8Array[], count = 1) => {
  expect(pictures).toHaveLength(count)
  for (const picture of pictures) {
    const { left, right } = await halves(picture)
    expect(left).toBeLessThan(3)
    expect(right).toBeGreaterThan(3)
  }
}

/** What a press of `save_picture` keeps of a camera. */
async function saved({ on, press, kept }: World, camera: string, how = '') {
  const { id } = await on(`Save ${camera}`, '{ button: {} }', `  - save_picture: { camera: ${camera}${how} }`)
  return kept(await press(id))
}

const lookAt = (input: string, more = '') =>
  `  - ai: { mode: look, prompt: Who is there?, input: ${input}${more}, fields: { many: { measure: count, of: person } }, decision: [x, y], rules: [{ when: { many: 0 }, then: x }, { then: y }], x: [], y: [], unsure: [] }`

const upload = async (event: object, format?: 'png' | 'webp') => {
  const form = new FormData()
  form.set('picture', new File([await white(format)], 'a.jpg'))
  form.set('event', JSON.stringify(event))
  return form
}

test('whoever makes pictures of cameras is among the ways', () => {
  const src = join(import.meta.dirname, '../../src')
  const files = ['connect', 'web'].flatMap(floor =>
    readdirSync(join(src, floor), { recursive: true, encoding: 'utf8' }).map(file => join(floor, file)),
  )
  const makers = files.filter(
    file =>
      file.endsWith('.ts') &&
      !file.startsWith('web/page') &&
      /\bPicture\b(?!')|\bClip\b|takenAt/.test(readFileSync(join(src, file), 'utf8')),
  )
  expect(makers.filter(file => !BEHIND.includes(file)).sort()).toEqual(Object.keys(WAYS).sort())
})

describe('a picture that is', () => {
  test('asked for at an address, by its camera or by a Look', async () => {
    const port = serve(async () => new Response(await white()))
    const it = await world(
      site(
        `  snap: { roles: [snap], source: { snapshot: "http://127.0.0.1:${port}/" }, masks: ${LEFT_HALF} }`,
      ),
    )
    await expectMasked((await saved(it, 'snap')).pictures)
    const look = lookAt('{ frames: { count: 2, over: 1s } }', ', look_at: snap')
    const { id } = await it.on('Look', '{ button: {} }', look)
    await expectMasked((await it.kept(await it.press(id))).pictures, 2)
  })

  test('in a folder, as it arrives and when it is asked for', async () => {
    const it = await world(site())
    await it.on('Arrived', '{ event: { schema: picture.arrived.v1, cameras: [folder] } }', '  - log: x')
    await it.arrive('a.jpg')
    await eventually(() => it.box.engine.runs({ limit: 1 }).length === 1)
    await expectMasked((await it.kept(it.box.engine.runs({ limit: 1 })[0]?.id ?? 0)).pictures)
    await expectMasked((await saved(it, 'folder')).pictures)
  })

  test('uploaded by a webhook or a press, under the camera’s id or its role; of nobody’s camera it is as it came', async () => {
    const it = await world(
      site('  gate: { roles: [street], masks: { a: [[0, 0], [0.5, 0], [0.5, 1], [0, 1]] } }'),
    )
    const { hook } = await it.on('Hook', '{ webhook: {} }', '  - log: x')
    const { id } = await it.on('Press', '{ button: {} }', '  - log: x')
    const send = async (event: object, format?: 'png' | 'webp') => {
      const answer = await fetch(`${it.url}${hook}`, { method: 'POST', body: await upload(event, format) })
      return it.kept(((await answer.json()) as { run: number }).run)
    }
    await expectMasked((await send({ camera_id: 'bare' }, 'png')).pictures)
    await expectMasked((await send({ camera: 'street' }, 'webp')).pictures)
    await expectMasked((await it.kept(await it.press(id, await upload({ camera: 'bare' })))).pictures)
    const [strange] = (await send({ camera: 'elsewhere' })).pictures
    expect(await halves(strange ?? new Uint8Array())).toEqual({ left: 255, right: 255 })
  })

  test('cut to one thing is left out: where the masks lie in it nobody knows', async () => {
    const it = await world(site())
    await it.on('Plates', '{ event: { schema: plate.recognized.v1 } }', '  - log: x')
    const picture = { bytes: await white(), takenAt: null, source: 'best frame' }
    const payload = { plate_text: 'B XY 1', cut: true }
    const run = await it.event({ cameraId: 'bare', pictures: [picture], payload })
    expect((await it.kept(run)).pictures).toEqual([])
    const whole = await it.event({ cameraId: 'bare', pictures: [picture] })
    await expectMasked((await it.kept(whole)).pictures)
  })

  test('from the recorder of the site: now, then, and not what it cut out itself', async () => {
    const nvr = new NvrServer()
    const bytes = new Uint8Array(await white())
    nvr.pictures.set('2', bytes)
    nvr.evidence.set('7', bytes)
    nvr.before = ({ path }) => (path.endsWith('/recordings/frame') ? new Response(bytes) : undefined)
    const it = await world(
      `${site(`  yard: { roles: [yard], source: { nvr: cam2 }, masks: ${LEFT_HALF} }`)}\nnvr: { url: "${nvr.url}", key: { secret: key } }\n`,
    )
    await Bun.write(join(it.dataDir, 'secrets/key'), KEY)
    await expectMasked((await saved(it, 'yard')).pictures)
    await expectMasked((await saved(it, 'yard', ', before: 4s')).pictures, 1)
    const look = lookAt('picture')
    await it.on('Plates', '{ event: { schema: plate.recognized.v1 } }', look)
    const payload = { plate_text: 'B XY 1', event_id: 7 }
    await expectMasked((await it.kept(await it.event({ cameraId: 'yard', payload }))).pictures)
    expect(nvr.seen.filter(({ path }) => path.endsWith('/evidence'))).toEqual([])
    // As its own events call it.
    const picture = { bytes, takenAt: null, source: 'alert' }
    await expectMasked((await it.kept(await it.event({ cameraId: '2', pictures: [picture] }))).pictures)
  })

  test.skipIf(!canStream)('of a stream, one or several, and its clips', async () => {
    const { rtp } = await filming()
    const { port } = await rtspServer({ rtp })
    const it = await world(
      site(
        `  live: { roles: [live], source: { rtsp: "rtsp://127.0.0.1:${port}/live" }, masks: ${LEFT_HALF} }`,
      ),
    )
    await expectMasked((await saved(it, 'live')).pictures)
    const look = lookAt('{ frames: { count: 2, over: 1s } }', ', look_at: live')
    const { id } = await it.on('Look', '{ button: {} }', look)
    await expectMasked((await it.kept(await it.press(id))).pictures, 2)
    const clip = await it.on('Clip', '{ button: {} }', '  - save_clip: { camera: live, after: 2s }')
    const { steps } = await it.kept(await it.press(clip.id))
    const { hash = '' } =
      it.box.store.media.get((steps as { result: { clip: number } }[])[0]?.result.clip ?? 0) ?? {}
    await expectMasked([await onePicture(join(it.dataDir, 'media', hash.slice(0, 2), hash))])
  })
})

test('a picture that nobody can paint over does not come in', async () => {
  const port = serve(async () => new Response(await white()))
  const it = await world(
    site(`  snap: { roles: [snap], source: { snapshot: "http://127.0.0.1:${port}/" }, masks: ${LEFT_HALF} }`),
  )
  await it.box.inference.stop()
  const { pictures, steps } = await saved(it, 'snap')
  expect(pictures).toEqual([])
  expect(JSON.stringify(steps)).toContain('the masks of camera snap could not be painted')
  const { id } = await it.on('Press', '{ button: {} }', '  - log: x')
  expect((await it.kept(await it.press(id, await upload({ camera: 'bare' })))).pictures).toEqual([])
})
