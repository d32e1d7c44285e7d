import { describe, expect, test } from 'vitest'
import { ManualClock, noLog } from '../../../src/core/index.ts'
import { type ActionContext, actions, Uncertain } from '../../../src/kinds/index.ts'
import { Site } from '../../../src/site/index.ts'
import { eventually, temporaryFolder } from '../helpers.ts'
import { type NvrBox, nvrBox, section, signal } from './box.ts'
import { HOSTILE, NvrServer } from './server.ts'

const said = (mode: string) => ({ mode, changed_at: null, changed_by: 'user:ann', modes: [] })
const puts = (server: NvrServer) => server.of('PUT', '/site-mode')

/** The action as a run does it. */
const act = ({ nvr }: NvrBox, to: string, within = signal()) =>
  actions.site_mode.run({ to, reason: 'pressed' }, {
    siteMode: nvr.mode,
    effect: 'move',
    correlationId: 'box/7',
    signal: within,
  } as unknown as ActionContext)

describe('the mode of a site whose NVR keeps it', () => {
  test('is what the NVR says, as soon as it says something else', async () => {
    const server = new NvrServer()
    server.mode = said('armed_away')
    const clock = new ManualClock()
    const { nvr } = nvrBox(server, '', { clock })
    expect(nvr.mode.get()).toBe('disarmed')
    await nvr.start()
    await eventually(() => nvr.mode.get() === 'armed_away')
    expect(nvr.view()).toMatchObject({
      site_mode: { mode: 'armed_away', kept_by: 'nvr', checked_at: new Date(clock.now()).toISOString() },
    })
    server.mode = said('armed_home')
    await eventually(() => {
      clock.advance(5_000)
      return nvr.mode.get() === 'armed_home'
    })
  })

  test('stays the last that is known while the NVR is away and over a restart, with when that was', async () => {
    const server = new NvrServer()
    server.mode = said('armed_away')
    const dir = temporaryFolder()
    const first = nvrBox(server, '', { dir })
    await first.nvr.start()
    await eventually(() => first.nvr.mode.get() === 'armed_away')
    const at = (first.nvr.view() as { site_mode: { checked_at: string } }).site_mode.checked_at
    await server.stop()
    await first.nvr.cameras.list(signal()).catch(() => undefined)
    expect(first.nvr.mode.get()).toBe('armed_away')
    expect(first.nvr.view()).toMatchObject({
      problem: expect.stringContaining('reached'),
      site_mode: { checked_at: at },
    })
    await first.nvr.stop()
    first.store.stop()
    const second = nvrBox(server, '', { dir })
    await second.nvr.start()
    expect(second.nvr.mode.get()).toBe('armed_away')
    expect(second.nvr.view()).toMatchObject({ site_mode: { checked_at: null } })
    server.mode = said('disarmed')
    server.start()
    await eventually(() => second.nvr.mode.get() === 'disarmed')
  })

  test('is not one that the site does not have: that is said', async () => {
    const server = new NvrServer()
    server.mode = said('party')
    const { nvr } = nvrBox(server)
    await nvr.start()
    await eventually(() => nvr.problem !== null)
    expect(nvr.problem).toBe(
      'the NVR is in the mode party, which this site does not have: add it under modes.',
    )
    expect(nvr.mode.get()).toBe('disarmed')
  })

  test.each(HOSTILE)('%s instead of a mode changes nothing', async (_name, answer) => {
    const server = new NvrServer()
    const clock = new ManualClock()
    let asked = 0
    server.before = ({ path }) => {
      if (!path.endsWith('site-mode')) return undefined
      asked++
      return answer()
    }
    const { nvr } = nvrBox(server, '', { clock })
    await nvr.start()
    // The second question comes only after the first was dealt with.
    await eventually(() => {
      clock.advance(2_000)
      return asked > 1
    })
    expect(nvr.mode.get()).toBe('disarmed')
    expect(nvr.view()).toMatchObject({ site_mode: { checked_at: null } })
  })
})

describe('setting the mode of a site whose NVR keeps it', () => {
  test('asks the NVR once, with the reason and the run, and counts at once', async () => {
    const server = new NvrServer()
    const box = nvrBox(server)
    expect(await act(box, 'armed_home')).toEqual({ receipt: { from: 'disarmed', to: 'armed_home' } })
    expect(box.nvr.mode.get()).toBe('armed_home')
    expect(puts(server)).toMatchObject([
      { body: { mode: 'armed_home', reason: 'pressed' }, headers: { 'x-correlation-id': 'box/7' } },
    ])
  })

  test('a mode that the site does not have is sent nowhere', async () => {
    const server = new NvrServer()
    await expect(act(nvrBox(server), 'party')).rejects.toMatchObject({ code: 'mode_unknown' })
    expect(server.seen).toEqual([])
  })

  test.each([
    ['knows no such mode', 422, 'mode_unknown'],
    ['does not let it', 403, 'destination_refused'],
    ['does not have that', 404, 'destination_refused'],
  ])('an NVR that %s leaves it as it was, for certain', async (_name, status, code) => {
    const server = new NvrServer()
    const box = nvrBox(server)
    server.before = ({ method }) => (method === 'PUT' ? new Response('{}', { status }) : undefined)
    await expect(act(box, 'armed_home')).rejects.toMatchObject({ code })
    expect(box.nvr.mode.get()).toBe('disarmed')
    expect(puts(server)).toHaveLength(1)
  })

  test('an NVR that is away was not asked: it did not happen', async () => {
    const server = new NvrServer()
    const box = nvrBox(server)
    await server.stop()
    await expect(act(box, 'armed_home')).rejects.toMatchObject({ code: 'destination_unreachable' })
    expect(box.nvr.mode.get()).toBe('disarmed')
  })

  test.each([
    ['fails', () => new Response('', { status: 500 })],
    ['sends it elsewhere', () => Response.redirect('http://127.0.0.1:9/', 307)],
    ['says nothing', () => new Promise<Response>(() => undefined)],
  ])('of an NVR that %s nobody knows, it is asked once, and what it says then counts', async (_n, answer) => {
    const server = new NvrServer()
    const box = nvrBox(server, '', { timeoutMs: 200 })
    await box.nvr.start()
    server.before = ({ method }) => {
      if (method !== 'PUT') return undefined
      server.mode = said('armed_home')
      return answer()
    }
    await expect(act(box, 'armed_home')).rejects.toBeInstanceOf(Uncertain)
    expect(puts(server)).toHaveLength(1)
    await eventually(() => box.nvr.mode.get() === 'armed_home')
    expect(puts(server)).toHaveLength(1)
  })

  test('what the NVR was asked before does not undo it', async () => {
    const server = new NvrServer()
    const clock = new ManualClock()
    const undone: unknown[] = []
    const log = { ...noLog, info: (what: unknown) => undone.push(what) }
    const box = nvrBox(server, '', { clock, log })
    const { promise, resolve } = Promise.withResolvers<void>()
    let asked = 0
    server.before = async ({ method, path }) => {
      if (method !== 'GET' || !path.endsWith('site-mode') || asked++ > 0) return undefined as never
      await promise
      return Response.json(said('disarmed'))
    }
    await box.nvr.start()
    await eventually(() => asked > 0)
    await act(box, 'armed_away')
    resolve()
    await eventually(() => asked > 1)
    expect(box.nvr.mode.get()).toBe('armed_away')
    expect(undone).not.toContainEqual(expect.objectContaining({ to: 'disarmed' }))
    expect(server.mode).toMatchObject({ mode: 'armed_away' })
  })
})

describe('a site that keeps its mode itself', () => {
  test('neither asks nor tells the NVR', async () => {
    const server = new NvrServer()
    server.mode = said('armed_away')
    const box = nvrBox(server, section(server, 'site_mode: box'))
    await box.nvr.start()
    await box.nvr.mode.set('armed_home')
    expect(box.nvr.mode.get()).toBe('armed_home')
    expect(server.seen.filter(({ path }) => path.endsWith('site-mode'))).toEqual([])
    expect(box.nvr.view()).toMatchObject({ site_mode: { mode: 'armed_home', kept_by: 'box' } })
  })

  test('so does one that has no NVR, and one that drops it goes on with what was', async () => {
    const server = new NvrServer()
    server.mode = said('armed_away')
    const box = nvrBox(server)
    await box.nvr.start()
    await eventually(() => box.nvr.mode.get() === 'armed_away')
    box.site = Site.load('', '/data/site.yaml')
    await box.nvr.reload()
    expect(box.nvr.mode.get()).toBe('armed_away')
    await box.nvr.mode.set('armed_home')
    expect(puts(server)).toEqual([])
  })
})
