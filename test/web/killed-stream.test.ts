/** The stream over a killed box: whoever follows it by its ids has heard of every run and notice, and of none twice. */
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { folder, serve } from '../cli/gatehouse.ts'

const SITE = `cameras:\n${Array.from({ length: 13 }, (_, i) => `  c${i}: { roles: [gate] }\n`).join('')}`
const WORKFLOW = `contract: workflow.v1
name: Bell
state: on
limits: { cooldown: 500ms, per_hour: 1000 }
when: { event: { schema: picture.arrived.v1, cameras: [gate] } }
then:
  - alert: { severity: low, title: "Somebody is there" }
`

const data = folder()
let port: number
let box: Awaited<ReturnType<typeof serve>>
const up = () => serve(['--data', data, '--port', String(port)])
const call = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}/api/v1${path}`, init)

beforeAll(async () => {
  port = await new Promise<number>(found => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
  writeFileSync(join(data, 'site.yaml'), SITE)
  box = await up()
  const saved = await call('/workflows', {
    method: 'POST',
    headers: { 'content-type': 'application/yaml' },
    body: WORKFLOW,
  })
  expect([saved.status, await saved.text()]).toEqual([201, expect.anything()])
}, 60_000)
afterAll(async () => {
  await box?.stop('SIGKILL')
  rmSync(data, { recursive: true, force: true })
})

/** Follows the stream by its ids, over cut lines and dead boxes, as a program does. */
function follow() {
  const told = { runs: new Map<number, string[]>(), notices: new Map<number, number>(), inits: 0, last: '' }
  let cut = new AbortController()
  let over = false
  const one = (event: string, body: Record<string, unknown>) => {
    if (event === 'init') {
      told.inits++
      for (const { id, status } of body.runs as { id: number; status: string }[]) {
        // How it stands replaces what was known.
        const known = told.runs.get(id) ?? []
        if (known.at(-1) !== status) told.runs.set(id, [...known, status])
      }
      for (const { id } of body.notices as { id: number }[])
        if (!told.notices.has(id)) told.notices.set(id, 1)
    }
    const id = body.id as number
    if (event === 'run') told.runs.set(id, [...(told.runs.get(id) ?? []), body.status as string])
    if (event === 'notice') told.notices.set(id, (told.notices.get(id) ?? 0) + 1)
  }
  const connection = async () => {
    const headers = told.last ? { 'last-event-id': told.last } : {}
    const { body } = await call('/stream', { headers, signal: cut.signal })
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of body as ReadableStream<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const frame = text.slice(0, end)
        text = text.slice(end + 2)
        const of = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1]
        if (of('data')) one(of('event') ?? '', JSON.parse(of('data') ?? ''))
        told.last = of('id') ?? told.last
      }
    }
  }
  const done = (async () => {
    while (!over) {
      await connection().catch(() => undefined)
      cut = new AbortController()
      await Bun.sleep(20)
    }
  })()
  return {
    told,
    cut: () => cut.abort(),
    end: () => {
      over = true
      cut.abort()
      return done
    },
  }
}

it('tells of everything that was committed, once, whatever is cut or killed meanwhile', async () => {
  const program = follow()
  const { told } = program
  await expect.poll(() => told.inits).toBe(1)
  let n = 0
  const rung: number[] = []
  const ring = async () => {
    const event = { schema: 'picture.arrived.v1', camera_id: `c${n % 13}`, id: `bell-${++n}`, payload: {} }
    const sent = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
    }
    const answer = await call('/events', sent).catch(() => null)
    const { admissions = [] } = answer?.ok
      ? ((await answer.json()) as { admissions: { run: number | null }[] })
      : {}
    for (const { run } of admissions) if (run !== null) rung.push(run)
  }
  for (let life = 0; life < 3; life++) {
    for (let i = 0; i < 12; i++) {
      await ring()
      if (i % 4 === 3) program.cut()
    }
    // In the middle of it, and it takes a while until the box is there again.
    const ringing = ring()
    await box.stop('SIGKILL')
    await ringing
    box = await up()
  }
  await ring()
  const runs = async () =>
    ((await (await call('/runs?limit=200')).json()) as { runs: { id: number; status: string }[] }).runs
  const notices = async () =>
    ((await (await call('/notices?limit=200')).json()) as { notices: { id: number }[] }).notices
  await expect.poll(async () => (await runs()).every(({ status }) => status === 'done')).toBe(true)
  expect(rung.length).toBeGreaterThan(6)
  const there = await runs()
  expect(there.map(({ id }) => id)).toEqual(expect.arrayContaining(rung))
  await expect.poll(() => there.filter(({ id }) => told.runs.get(id)?.at(-1) !== 'done')).toEqual([])
  await expect.poll(async () => (await notices()).filter(({ id }) => !told.notices.has(id))).toEqual([])
  // Nothing twice: neither a notice, nor a run in a state in which it was told of already.
  expect([...told.notices].filter(([, times]) => times > 1)).toEqual([])
  expect([...told.runs].filter(([, states]) => states.filter(each => each === 'done').length > 1)).toEqual([])
  // A cut line is gone on with; only another life of the box begins anew.
  expect(told.inits).toBeLessThanOrEqual(4)
  await program.end()
})
