import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SiteCameras, SiteTurner } from '../../../src/connect/index.ts'
import { all, escapeXml, MOST_XML_BYTES, readXml, textOf } from '../../../src/connect/onvif/xml.ts'
import { noLog, systemClock } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { jpeg } from '../helpers.ts'
import { onvifCamera, PASSWORD } from './camera.ts'

const signal = () => new AbortController().signal

function box(port: number, password = PASSWORD, user = true) {
  const who = user ? ', user: admin, password: { secret: gate }' : ''
  const site = Site.load(
    `cameras: { gate: { source: { onvif: { url: "http://127.0.0.1:${port}"${who} } } }, blind: {} }`,
    'site.yaml',
  )
  const rest = { site: () => site, secrets: { get: () => password }, clock: systemClock }
  const it = new SiteCameras({ ...rest, log: noLog, dataDir: '/nonexistent', onPicture: () => undefined })
  onTestFinished(() => it.stop())
  const turner = new SiteTurner(rest)
  return {
    it,
    snapshot: () => it.snapshot('gate', { signal: signal() }),
    turner,
    turn: (preset: string) => turner.turn({ cameraId: 'gate', preset, signal: signal() }),
  }
}

const failure = (asked: Promise<unknown>): Promise<Error & { code?: string }> =>
  asked.then(
    () => new Error('it did not fail'),
    error => error,
  )

describe('a camera by ONVIF', () => {
  test('says where its picture is; it is asked there, whatever address it thinks it has', async () => {
    const camera = onvifCamera({ aheadMs: -40 * 24 * 3_600_000 })
    const { snapshot, it } = box(camera.port)
    await it.start()
    expect((await snapshot()).bytes).toEqual(jpeg())
    expect(camera.asked).toEqual([
      ...['GetSystemDateAndTime', 'GetCapabilities', 'GetProfiles', 'GetSnapshotUri'],
      ...['picture', 'picture'],
    ])
    await snapshot()
    expect(camera.asked.slice(6)).toEqual(['picture'])
  })

  test('is turned to a preset by its name', async () => {
    const camera = onvifCamera()
    const { turn, turner } = box(camera.port)
    expect(turner.lacks).toBeNull()
    await turn('home')
    await turn('Côte & Door')
    expect(camera.turned).toEqual(['1', '2&#60;'])
    const unknown = await failure(turn('Roof'))
    expect(unknown).toMatchObject({
      code: 'preset_unknown',
      message: expect.stringContaining('Home, Côte & Door'),
    })
    expect(camera.turned).toHaveLength(2)
    const blind = await failure(turner.turn({ cameraId: 'blind', preset: 'x', signal: signal() }))
    expect(blind).toMatchObject({ code: 'preset_unknown', message: expect.stringContaining('under ptz') })
  })

  test.each<[string, { password?: string; user?: boolean }, string]>([
    ['a wrong password', { password: 'x' }, 'refused its user or password'],
    ['none', { user: false }, 'wants a user and a password'],
  ])('%s is said, and shown to nobody', async (_name, { password = PASSWORD, user = true }, message) => {
    const error = await failure(box(onvifCamera().port, password, user).snapshot())
    expect(error).toMatchObject({ code: 'camera_offline', message: expect.stringContaining(message) })
    expect(`${error.message}${error.stack}${Bun.inspect(error)}`).not.toContain('hunter2')
  })

  test.each([
    ['a page', () => new Response('<html><p>Log in</html>'), 'does not speak ONVIF'],
    ['another document', () => new Response('<a><b/></a>'), 'does not speak ONVIF'],
    ['nothing', () => new Response(''), 'does not speak ONVIF'],
    ['what never ends', () => new Response('<a>'.repeat(MOST_XML_BYTES / 3 + 1)), 'does not speak ONVIF'],
    ['what is nested without end', () => new Response('<a>'.repeat(80_000)), 'does not speak ONVIF'],
    ['a way elsewhere', () => Response.redirect('http://127.0.0.1:1/', 307), 'not listed'],
    ['a bomb', () => new Response('<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'), 'does not speak ONVIF'],
  ])('%s as an answer is no camera', async (_name, answer, message) => {
    const error = await failure(box(onvifCamera({ answers: answer }).port).snapshot())
    expect(error).toMatchObject({ code: 'camera_offline', message: expect.stringContaining(message) })
    expect(error.message).not.toContain('\n')
  })

  test('a refusal is told in one line, in its own words', async () => {
    const refusing = onvifCamera({
      answers: operation =>
        operation === 'GetSnapshotUri'
          ? new Response(
              '<e:Envelope xmlns:e="x"><e:Body><e:Fault><e:Reason><e:Text>not\n for \u202eyou</e:Text></e:Reason></e:Fault></e:Body></e:Envelope>',
              { status: 500 },
            )
          : undefined,
    })
    const { message } = await failure(box(refusing.port).snapshot())
    expect(message).toContain('camera gate refused: not')
    expect(message).not.toMatch(/[\n\u202e]/)
  })

  test.each([
    ['GetPresets', 'camera_refused'],
    ['GotoPreset', 'camera_unanswered'],
  ])('no word to %s: %s', async (which, code) => {
    const broken = onvifCamera({
      answers: operation => (operation === which ? new Response('oops', { status: 500 }) : undefined),
    })
    expect(await failure(box(broken.port).turn('Home'))).toMatchObject({ code })
  })

  test('nobody there: it was not turned', async () => {
    expect(await failure(box(1).turn('Home'))).toMatchObject({ code: 'camera_refused' })
  })
})

describe('XML', () => {
  test('is read by names without their prefix; texts are whole', async () => {
    const root = await readXml(
      Buffer.from('<a:r xmlns:a="u"><x><a:n> 1 &amp; <![CDATA[<2>]]> </a:n></x><n token="t"/></a:r>'),
    )
    expect(textOf(root, 'x', 'n')).toBe('1 & <2>')
    expect(all(root, 'n').map(({ attributes }) => attributes.token)).toEqual([undefined, 't'])
    expect(textOf(root, 'x', 'gone')).toBeNull()
  })

  test('breaks nothing, and what is written into it is read again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async bytes => {
        await readXml(bytes)
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async text => {
        const plain = text.replace(/[^\t\n\r\x20-\uffff]|\r/g, '')
        const root = await readXml(Buffer.from(`<a>${escapeXml(plain)}</a>`))
        expect(root?.text).toBe(plain.toWellFormed() === plain ? plain : root?.text)
      }),
    )
  })
})
