import { describe, expect, test } from 'vitest'
import { BestFrames } from '../../../src/connect/tracks/best-frame.ts'
import { CameraTracks, type Stay } from '../../../src/connect/tracks/camera-tracks.ts'
import { watchesOf } from '../../../src/connect/tracks/watches.ts'
import { ManualClock, noLog, type Picture } from '../../../src/core/index.ts'
import { readTracks } from '../../../src/kinds/index.ts'
import { Site } from '../../../src/site/index.ts'
import { jpeg, serve } from '../helpers.ts'
import { IN, listens, message, SITE, thing } from './scene.ts'

const NOW = Date.UTC(2026, 0, 5, 12)

/** The pipeline, and who asks it for somebody who has been in view for `seconds`. */
function scene(
  answer: (url: URL) => Response | Promise<Response>,
  { ownPorts = () => [] as number[], address = (port: number) => `http://127.0.0.1:${port}` } = {},
) {
  const asked: string[] = []
  const port = serve(request => {
    const url = new URL(request.url)
    asked.push(`${url.pathname}${url.search}`)
    return answer(url)
  })
  const clock = new ManualClock(NOW)
  const site = Site.load(`${SITE}\ntracks: { best_frame: "${address(port)}" }`, '/site.yaml')
  const frames = new BestFrames({ site: () => site, ownPorts, clock, log: noLog })
  const picture = async (seconds: number): Promise<Picture | null> => {
    const camera = new CameraTracks()
    camera.watch(watchesOf([listens({ min_seconds: seconds })], site).byCamera.get('yard-1') ?? [])
    const end = clock.now()
    for (let at = end - seconds * 1000; at <= end; at += 1000) {
      const frame = readTracks(JSON.stringify(message(at, [thing('7/?', IN)])), end)
      const [stay] = camera.take(frame) as [Stay?]
      if (stay) return frames.picture(stay, frame)
    }
    throw new Error('nobody stayed')
  }
  return { asked, clock, picture, port }
}

describe('the best frame', () => {
  test('is asked of the pipeline, and is as old as the track may have made it', async () => {
    const { asked, picture } = scene(() => new Response(jpeg(1)))
    expect(await picture(5)).toEqual({
      bytes: jpeg(1),
      takenAt: NOW - 5000,
      source: 'best frame of yard-1',
    })
    expect(asked).toEqual(['/best_frame?camera=yard-1&track=7%2F%3F'])
  })

  test('of somebody who has been there for long is not asked for: it may be an old one', async () => {
    const { asked, picture } = scene(() => new Response(jpeg()))
    expect(await picture(30)).not.toBeNull()
    expect(await picture(31)).toBeNull()
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['there is none', () => new Response('no best frame', { status: 404 })],
    ['it is no picture', () => new Response('<html>')],
    ['it leads elsewhere', () => Response.redirect('http://127.0.0.1:9/', 302)],
    ['it has no end', () => new Response(new Uint8Array(40 * 1024 * 1024))],
  ])('is none where %s, and is asked for again', async (_, answer) => {
    const { asked, picture } = scene(answer)
    expect(await picture(5)).toBeNull()
    expect(await picture(5)).toBeNull()
    expect(asked).toHaveLength(2)
  })

  test('holds nobody up: a pipeline that does not answer is left alone for half a minute', async () => {
    const hangs = Promise.withResolvers<Response>()
    let slow = true
    const { asked, clock, picture } = scene(() => (slow ? hangs.promise : new Response(jpeg())))
    const late = picture(5)
    while (!asked.length) await Bun.sleep(5)
    clock.advance(2000)
    expect(await late).toBeNull()
    slow = false
    expect(await picture(5)).toBeNull()
    expect(asked).toHaveLength(1)
    clock.advance(30_000)
    expect(await picture(5)).not.toBeNull()
    hangs.resolve(new Response())
  })

  test('is asked for by eight at once and no more', async () => {
    const hangs = Promise.withResolvers<void>()
    const { asked, picture } = scene(() => hangs.promise.then(() => new Response(jpeg())))
    const all = Array.from({ length: 12 }, () => picture(5))
    while (asked.length < 8) await Bun.sleep(5)
    hangs.resolve()
    expect((await Promise.all(all)).filter(each => each !== null)).toHaveLength(8)
  })

  test('is not asked of this box itself, nor of what a name makes of it', async () => {
    let own = 0
    const page = scene(() => new Response(jpeg()), { ownPorts: () => [own] })
    own = page.port
    expect(await page.picture(5)).toBeNull()
    const named = scene(() => new Response(jpeg()), { address: port => `http://localhost:${port}` })
    expect(await named.picture(5)).toBeNull()
    expect([...page.asked, ...named.asked]).toEqual([])
  })
})

test('the site file says where it is, or what is wrong with that', () => {
  const read = (tracks: string) => Site.load(`tracks: ${tracks}`, '/site.yaml').bestFrame?.href ?? null
  expect(read('{}')).toBeNull()
  expect(read('{ best_frame: "http://10.0.0.7:9109" }')).toBe('http://10.0.0.7:9109/best_frame')
  expect(read('{ best_frame: "http://10.0.0.7:9109/best_frame" }')).toBe('http://10.0.0.7:9109/best_frame')
  expect(read('{ best_frame: "https://nvr.lan/tier0/" }')).toBe('https://nvr.lan/tier0/best_frame')
  expect(() => read('{ best_frame: "ftp://nvr" }')).toThrow('1:11 tracks.best_frame must be an address')
  expect(() => read('{ best_frame: "http://a:b@nvr" }')).toThrow('holds credentials')
  expect(() => read('{ best: 1 }')).toThrow('best is not known')
})
