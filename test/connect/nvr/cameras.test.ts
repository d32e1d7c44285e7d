import { describe, expect, test } from 'vitest'
import { SiteCameras } from '../../../src/connect/index.ts'
import { ManualClock, noLog, systemClock } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { eventually, jpeg } from '../helpers.ts'
import { nvrBox, section, signal } from './box.ts'
import { HOSTILE, KEY, NvrServer, TOKEN } from './server.ts'

describe('the cameras of the NVR', () => {
  test('are listed by what the NVR calls them; where their streams are is not taken over', async () => {
    const server = new NvrServer()
    const listed = await nvrBox(server).nvr.cameras.list(signal())
    expect(listed).toEqual([
      { number: '1', handle: 'cam1', name: 'Gate' },
      { number: '2', handle: 'cam2', name: 'Yard' },
    ])
    expect(JSON.stringify(listed)).not.toContain('secret')
    expect(server.seen[0]?.headers).toMatchObject({
      'x-internal-api-key': KEY,
      authorization: `Bearer ${TOKEN}`,
    })
  })

  test('that there are none is an answer, and that it was not to be learnt is another', async () => {
    const server = new NvrServer()
    const { nvr } = nvrBox(server)
    server.cameras = []
    expect(await nvr.cameras.list(signal())).toEqual([])
    await server.stop()
    await expect(nvr.cameras.list(signal())).rejects.toMatchObject({ code: 'destination_unreachable' })
  })

  test.each(HOSTILE)('%s instead of a list crashes nothing and is no empty list', async (name, answer) => {
    const server = new NvrServer()
    server.before = answer
    const asked = nvrBox(server).nvr.cameras.list(signal())
    if (name === 'a list of nonsense') expect(await asked).toEqual([])
    else await expect(asked).rejects.toMatchObject({ name: 'GatehouseError' })
  })

  test('ten thousand of them are cut to what a box can have', async () => {
    const server = new NvrServer()
    server.cameras = Array.from({ length: 10_000 }, (_, i) => ({
      camera_id: `cam${i}`,
      name: 'x'.repeat(300),
    }))
    const listed = await nvrBox(server).nvr.cameras.list(signal())
    expect(listed).toHaveLength(1_000)
    expect(listed[0]?.name).toHaveLength(100)
  })

  test('those that the site file does not map, and those that the NVR does not have, are said', async () => {
    const server = new NvrServer()
    const { nvr } = nvrBox(server, 'cameras: { cam1: { roles: [gate] }, old: { source: { nvr: cam9 } } }')
    await nvr.start()
    await eventually(() => (nvr.view() as { cameras: unknown }).cameras !== null)
    expect(nvr.view()).toMatchObject({
      problem: null,
      cameras: { not_in_site: [{ id: 'cam2', name: 'Yard' }], not_in_nvr: ['old'] },
    })
  })
})

describe('what a camera of the NVR shows', () => {
  test('is its picture by its number, however the site file writes that', async () => {
    const server = new NvrServer()
    const { nvr } = nvrBox(server)
    for (const id of ['1', 'cam1', 'cam-1', 'CAM01']) {
      const picture = await nvr.cameras.snapshot(id, signal())
      expect(picture.bytes).toEqual(new Uint8Array(jpeg(1)))
    }
    expect(new Set(server.seen.map(({ path }) => path))).toEqual(
      new Set(['/api/v1/internal/app/cameras/1/snapshot']),
    )
  })

  test('is as old as the NVR says by its own clock', async () => {
    const server = new NvrServer()
    const clock = new ManualClock()
    const { nvr } = nvrBox(server, '', { clock })
    expect((await nvr.cameras.snapshot('cam1', signal())).takenAt).toBe(clock.now())
    const yesterday = Date.now() - 86_400_000
    server.pictureHeaders = {
      date: new Date(yesterday).toUTCString(),
      'last-modified': new Date(yesterday - 40_000).toUTCString(),
    }
    expect((await nvr.cameras.snapshot('cam1', signal())).takenAt).toBe(clock.now() - 40_000)
    server.pictureHeaders = { age: '90' }
    expect((await nvr.cameras.snapshot('cam1', signal())).takenAt).toBe(clock.now() - 90_000)
    server.pictureHeaders = { age: '-1e400', 'last-modified': 'never' }
    expect((await nvr.cameras.snapshot('cam1', signal())).takenAt).toBe(clock.now())
  })

  test('reaches a Look as a picture of the site’s own camera', async () => {
    const server = new NvrServer()
    const { nvr, site } = nvrBox(server, 'cameras: { yard: { source: { nvr: cam1 } } }')
    const cameras = new SiteCameras({
      site: () => site,
      clock: systemClock,
      log: noLog,
      secrets: { get: () => null },
      nvr: nvr.cameras,
      onPicture: () => undefined,
      dataDir: '/data',
    })
    await cameras.start()
    expect((await cameras.snapshot('yard', { signal: signal() })).source).toBe('camera yard')
    await cameras.stop()
  })

  test.each([
    ['no such camera', () => undefined, 'cam7', 'has no camera cam7'],
    ['no picture of it', () => new Response('', { status: 503 }), 'cam1', 'answered 503'],
    ['a page', () => new Response('<html>'), 'cam1', 'no JPEG, PNG or WebP'],
    ['too much', () => new Response(new Uint8Array(20_000_001)), 'cam1', 'more than'],
    ['a way elsewhere', () => Response.redirect('http://127.0.0.1:9/', 302), 'cam1', 'a redirect|nvr.url'],
  ])('%s is an offline camera', async (_name, answer, camera, message) => {
    const server = new NvrServer()
    server.before = ({ path }) => (path.endsWith('/snapshot') ? answer() : undefined)
    const error = await nvrBox(server)
      .nvr.cameras.snapshot(camera, signal())
      .catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'camera_offline', message: expect.stringMatching(message) })
    expect(Bun.inspect(error)).not.toContain(KEY)
  })

  test('a camera that gives none does not make the NVR unwell', async () => {
    const server = new NvrServer()
    server.before = ({ path }) => (path.endsWith('/snapshot') ? new Response('', { status: 503 }) : undefined)
    const { nvr } = nvrBox(server)
    await nvr.cameras.snapshot('cam1', signal()).catch(() => undefined)
    expect(nvr.problem).toBeNull()
  })
})

describe('what was recorded', () => {
  test('is the frame of that time; that there is none is null, and no answer is an error', async () => {
    const server = new NvrServer()
    const { nvr } = nvrBox(server)
    const at = Date.UTC(2026, 0, 5, 12, 0, 1, 500)
    server.frames.set(`1 ${new Date(at).toISOString()}`, jpeg(9))
    expect(await nvr.cameras.frame('cam1', at, signal())).toMatchObject({ takenAt: at })
    expect(await nvr.cameras.frame('cam1', at + 1, signal())).toBeNull()
    server.before = () => new Response('', { status: 502 })
    await expect(nvr.cameras.frame('cam1', at, signal())).rejects.toMatchObject({
      code: 'destination_unanswered',
    })
  })
})

describe('the line to the NVR', () => {
  test('says that it is away, comes back by itself, and goes on', async () => {
    const server = new NvrServer()
    await server.stop()
    const { nvr } = nvrBox(server)
    await nvr.start()
    await eventually(() => nvr.problem !== null)
    expect(nvr.problem).toBe('the NVR cannot be reached: nothing answers there.')
    server.start()
    await eventually(() => nvr.problem === null)
    expect(nvr.view()).toMatchObject({ cameras: { not_in_site: [{ id: 'cam1' }, { id: 'cam2' }] } })
  })

  test('a wrong key is said with the file that holds it, and the key is in no error', async () => {
    const server = new NvrServer()
    const { nvr, secrets } = nvrBox(server)
    secrets.key = 'hunter2'
    const error = await nvr.cameras.list(signal()).catch(thrown => thrown)
    expect(error.message).toBe(
      'the NVR answered 401: write what it lets in into secrets/key or secrets/token of the data folder.',
    )
    expect(nvr.problem).toBe(error.message)
    expect(Bun.inspect(error)).not.toMatch(/hunter2|a-token/)
    secrets.key = KEY
    await nvr.cameras.list(signal())
    expect(nvr.problem).toBeNull()
  })

  test('a secret that is not there, or that no header can bear, is said and nothing is sent', async () => {
    const server = new NvrServer()
    const { nvr, secrets } = nvrBox(server)
    delete secrets.key
    await expect(nvr.cameras.list(signal())).rejects.toThrow('secrets/key')
    secrets.key = 'two\nlines'
    await expect(nvr.cameras.list(signal())).rejects.toThrow('plain ASCII')
    expect(server.seen).toEqual([])
  })

  test('silence ends after its time, and whoever drips bytes is not waited for', async () => {
    const server = new NvrServer()
    const { nvr } = nvrBox(server, '', { timeoutMs: 150 })
    server.before = () => new Promise(() => undefined)
    await expect(nvr.cameras.list(signal())).rejects.toThrow('did not answer in time')
    server.before = () =>
      new Response(
        new ReadableStream({
          pull: async controller => {
            await Bun.sleep(20)
            controller.enqueue(new Uint8Array([32]))
          },
        }),
      )
    await expect(nvr.cameras.list(signal())).rejects.toThrow('did not answer in time')
  })

  test('eight are asked at once, 64 wait, and the rest is turned away and counted', async () => {
    const server = new NvrServer()
    const { promise, resolve } = Promise.withResolvers<void>()
    let atOnce = 0
    server.before = async () => {
      atOnce++
      await promise
      return undefined as unknown as Response
    }
    const { nvr } = nvrBox(server)
    const asked = Array.from({ length: 100 }, () => nvr.cameras.snapshot('cam1', signal()))
    const settled = Promise.allSettled(asked)
    await eventually(() => atOnce === 8)
    resolve()
    const outcomes = await settled
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(72)
    expect(nvr.shed).toEqual({ reads: 28 })
  })

  test('is not this box itself, nor a name that leads here', async () => {
    const server = new NvrServer()
    const own = nvrBox(server, '', { ownPorts: () => [Number(new URL(server.url).port)] })
    await expect(own.nvr.cameras.list(signal())).rejects.toThrow('this Gatehouse itself')
    const named = nvrBox(server)
    named.site = Site.load(section(server).replace('127.0.0.1', 'localhost'), '/data/site.yaml')
    await expect(named.nvr.cameras.list(signal())).rejects.toThrow('this box itself')
    expect(server.seen).toEqual([])
  })

  test('another address is another NVR; the same one goes on untouched', async () => {
    const [first, second] = [new NvrServer(), new NvrServer()]
    second.cameras = []
    const box = nvrBox(first)
    await box.nvr.start()
    await eventually(() => (box.nvr.view() as { cameras: unknown }).cameras !== null)
    const { length } = first.seen
    box.site = Site.load(`${section(first)}\nfacts: other`, '/data/site.yaml')
    await box.nvr.reload()
    expect(first.seen).toHaveLength(length)
    box.site = Site.load(section(second), '/data/site.yaml')
    await box.nvr.reload()
    await eventually(() => second.seen.length > 0)
    box.site = Site.load('', '/data/site.yaml')
    await box.nvr.reload()
    expect(box.nvr.view()).toBeNull()
    await expect(box.nvr.cameras.list(signal())).rejects.toMatchObject({ code: 'not_possible' })
  })

  test('bytes that are no HTTP are an error like another', async () => {
    const listener = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data: socket => void socket.end('\x00\x01\x02 not HTTP at all\r\n\r\n'),
      },
    })
    const server = new NvrServer()
    const box = nvrBox(server)
    box.site = Site.load(`nvr: { url: "http://127.0.0.1:${listener.port}", key: { secret: key } }`, 'x')
    await expect(box.nvr.cameras.list(signal())).rejects.toMatchObject({ name: 'GatehouseError' })
    listener.stop(true)
  })
})
