/** Messages over the whole box: written by HTTP, answered by a run, read by whoever may. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { ManualClock, noLog } from '../../src/core/index.ts'
import type { RepliesView } from '../../src/engine/index.ts'
import { Site } from '../../src/site/index.ts'
import { claimed, said, somebody, tokenOf } from './people.ts'

const file = (name: string, then: string) => `contract: workflow.v1
name: ${name}
limits: { cooldown: 0s, per_hour: 1000 }
when: { message: {} }
then: ${then}
`
interface Sent {
  run: number | null
  reason: { code: string } | null
  reply: string | null
}

const clock = new ManualClock(Date.now())
const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-messages-'))
const box = new Appliance({
  dataDir,
  resources: resources(),
  site: Site.load('cameras: {}\npeople: { ann: { roles: [guard] } }', 'site.yaml'),
  log: noLog,
  clock,
  port: 0,
})
let url = ''
const ids: Record<string, number> = {}

beforeAll(async () => {
  url = ((await box.start()).url ?? '').replace('localhost', '127.0.0.1')
  for (const [name, then] of Object.entries({
    Echo: '[ reply: "{from}{channel}: {message}" ]',
    Slow: '[ reply: at once, wait: 30s, reply: later ]',
    Mute: '[ wait: 1m ]',
    Button: '[ log: x ]',
  })) {
    const yaml = file(name, then)
    const saved = await box.engine.save(name === 'Button' ? yaml.replace('message', 'button') : yaml)
    if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
    ids[name] = saved.workflow.id
    await box.engine.setState(saved.workflow.id, 'on')
  }
})
afterAll(async () => {
  await box.stop()
  rmSync(dataDir, { recursive: true })
})

const ask = (path: string, init: RequestInit = {}) => fetch(url + path, init)
const post = (body: unknown, headers: object = {}): RequestInit => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})
const to = (name: string) => `/api/v1/workflows/${ids[name]}/message`
const write = async (name: string, body: unknown = { text: 'Hey' }, headers: object = {}) =>
  (await (await ask(to(name), post(body, headers))).json()) as Sent
const read = async (path: string | null, query = '') =>
  (await (await ask(`${path}${query}`)).json()) as RepliesView
const ended = async (path: string | null) => {
  for (;;) {
    const view = await read(path)
    if (view.ended) return view
    clock.advance(60_000)
  }
}

describe('a message', () => {
  it('is answered 202 with where its answer comes', async () => {
    const response = await ask(to('Echo'), post({ text: 'Hey', from: 'Bo', channel: '@chat' }))
    expect(response.status).toBe(202)
    const sent = (await response.json()) as Sent
    expect(sent).toEqual({ run: expect.any(Number), reason: null, reply: `/api/v1/runs/${sent.run}/reply` })
    expect((await ended(sent.reply)).replies).toMatchObject([{ seq: 0, text: 'Bo@chat: Hey' }])
  })

  it('is from whoever sends it where it does not say who wrote', async () => {
    const { reply } = await write('Echo')
    expect((await ended(reply)).replies[0]?.text).toBe('this machine: Hey')
  })

  it('comes as people read it', async () => {
    const { reply } = await write('Echo', { text: 'a\u0000b\u202Ec\ud800d\ne', from: 'x\u001b[2J' })
    expect((await ended(reply)).replies[0]?.text).toBe('x[2J: abc\ufffdd\ne')
  })

  it('is taken once under the id of its sender', async () => {
    const first = await write('Echo', { text: 'Hey' }, { 'idempotency-key': 'm1' })
    await ended(first.reply)
    const again = await write('Echo', { text: 'Hey' }, { 'idempotency-key': 'm1' })
    expect(again).toMatchObject({ run: null, reply: null, reason: { code: 'seen' } })
  })

  it('is told why it was kept out', async () => {
    const first = await write('Slow')
    expect(await write('Slow')).toMatchObject({ run: null, reply: null, reason: { code: 'busy' } })
    await ended(first.reply)
  })

  it.each([
    ['no text', {}, 422, 'bad_body'],
    ['an empty text', { text: ' \n' }, 422, 'bad_body'],
    ['a text of nothing that is shown', { text: '\u0000\u202e' }, 422, 'bad_body'],
    ['a number', { text: 7 }, 422, 'bad_body'],
    ['a list', ['x'], 422, 'bad_body'],
    ['nothing', null, 422, 'bad_body'],
    ['a long text', { text: 'x'.repeat(4_001) }, 422, 'bad_body'],
    ['a long name', { text: 'x', from: 'x'.repeat(101) }, 422, 'bad_body'],
    ['a strange name', { text: 'x', from: { name: 'x' } }, 422, 'bad_body'],
    ['a long channel', { text: 'x', channel: 'x'.repeat(61) }, 422, 'bad_body'],
    ['no JSON', '{', 400, 'bad_json'],
    ['too much', `{"text":"x","more":"${'x'.repeat(1024 * 1024)}"}`, 413, 'too_large'],
  ])('with %s is refused', async (_, body, status, code) => {
    expect(await said(ask(to('Echo'), post(body)))).toEqual([status, code])
  })

  it('is for workflows that start by one', async () => {
    expect(await said(ask(to('Button'), post({ text: 'x' })))).toEqual([409, 'no_messages'])
    expect(await said(ask('/api/v1/workflows/99/message', post({ text: 'x' })))).toEqual([404, 'not_found'])
    const pressed = (await (await ask(`/api/v1/workflows/${ids.Button}/press`, post({}))).json()) as Sent
    expect(await said(ask(`/api/v1/runs/${pressed.run}/reply`))).toEqual([409, 'not_a_message'])
    const press = ask(`/api/v1/workflows/${ids.Echo}/press`, post({ message: 'x' }))
    expect(await said(press)).toEqual([409, 'not_a_button'])
  })
})

describe('an answer', () => {
  it('is waited for, also the one behind the last', async () => {
    const { reply } = await write('Slow')
    expect((await read(reply, '?wait=50s')).replies).toMatchObject([{ seq: 0, text: 'at once' }])
    const next = read(reply, '?after=0&wait=50s')
    // It waits until the box has gone on.
    const first = await Promise.race([next, read(reply, '?after=0')])
    expect(first).toMatchObject({ status: 'waiting', ended: false, replies: [] })
    clock.advance(30_000)
    expect(await next).toMatchObject({ replies: [{ seq: 2, text: 'later' }] })
    expect((await ended(`${reply}?after=2`)).replies).toEqual([])
  })

  it('that does not come is not waited for for ever', async () => {
    const { reply } = await write('Mute')
    const waiting = read(reply, '?wait=20s')
    await read(reply)
    clock.advance(20_000)
    expect(await waiting).toMatchObject({ status: 'waiting', ended: false, replies: [], note: null })
    const end = read(reply, '?wait=50s')
    await read(reply)
    clock.advance(40_000)
    expect(await end).toMatchObject({ ended: true, note: 'The run has ended without an answer.' })
  })

  it.each(['?wait=1m', '?wait=soon', '?wait=', '?after=-1', '?after=x', '?after=1e3'])(
    'is not read with %s',
    async query => {
      const { reply } = await write('Echo')
      await ended(reply)
      expect(await said(ask(`${reply}${query}`))).toEqual([400, 'bad_query'])
    },
  )

  it('is waited for by so many; who goes away waits no more', async () => {
    const { reply } = await write('Mute')
    const leave = new AbortController()
    const gone = Array.from({ length: 64 }, () =>
      ask(`${reply}?wait=50s`, { signal: leave.signal }).catch(() => null),
    )
    await expect.poll(async () => (await ask(`${reply}?wait=1ms`)).status).toBe(503)
    leave.abort()
    await Promise.all(gone)
    await expect
      .poll(async () => {
        const one = ask(`${reply}?wait=1ms`)
        await read(reply)
        clock.advance(1)
        return (await one).status
      })
      .toBe(200)
    await ended(reply)
  })
})

describe('once the box is claimed', () => {
  it('whoever may write reads what was answered to them, and no other run', async () => {
    const here = { port: Number(new URL(url).port), access: box.access }
    await claimed(here)
    for (const name of ['Bob', 'Cem']) await somebody(here, name, 'operator')
    const bot = await tokenOf(here, 'Bob', 'workflows.message')
    const other = await tokenOf(here, 'Cem', 'workflows.message')
    const reader = await tokenOf(here, 'Cem', 'read')
    const sent = (await (await bot('POST', to('Echo'), { text: 'Hey' })).json()) as Sent
    const path = sent.reply ?? ''
    const answer = async () => (await (await bot('GET', path)).json()) as RepliesView
    await expect.poll(async () => (await answer()).ended).toBe(true)
    expect((await answer()).replies[0]?.text).toBe('Bob: Hey')
    expect(await said(other('GET', path))).toEqual([404, 'not_found'])
    expect(await said(reader('GET', path))).toEqual([403, 'forbidden'])
    expect(await said(bot('GET', `/api/v1/runs/${sent.run}`))).toEqual([403, 'forbidden'])
    expect(await said(reader('POST', to('Echo'), { text: 'x' }))).toEqual([403, 'forbidden'])
    const press = bot('POST', `/api/v1/workflows/${ids.Button}/press`, {})
    expect(await said(press)).toEqual([403, 'forbidden'])
    expect(await said(ask(to('Echo'), post({ text: 'x' })))).toEqual([401, 'login_needed'])
  })
})
