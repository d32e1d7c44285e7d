import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../src/core/index.ts'
import { StreamMemory, type Told } from '../../src/web/stream-memory.ts'
import { type Box, startBox, workflowView } from './box.ts'

let box: Box<ManualClock>
beforeEach(async () => {
  box = await startBox()
  box.engine.all.set(1, workflowView(1))
})
afterEach(() => box.stop())

/** Reads frames one by one; `last`: what was heard last. */
async function listen(last?: string) {
  const headers = last === undefined ? {} : { 'last-event-id': last }
  const response = await fetch(`http://127.0.0.1:${box.port}/api/v1/stream`, { headers })
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    response,
    async next(): Promise<{ event: string; id: string; data: Record<string, unknown> } | null> {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const frame = text.slice(0, end)
          text = text.slice(end + 2)
          const of = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1] ?? ''
          if (!of('event')) continue
          return { event: of('event'), id: of('id'), data: JSON.parse(of('data')) }
        }
        const chunk = await reader?.read()
        if (!chunk || chunk.done) return null
        text += decoder.decode(chunk.value, { stream: true })
      }
    },
    end: () => reader?.cancel(),
  }
}

describe('the stream', () => {
  it('begins with everything, then tells what changes, whole', async () => {
    const stream = await listen()
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    expect(await stream.next()).toMatchObject({ event: 'init', data: { workflows: [{ id: 1 }], runs: [] } })
    const run = box.engine.add(workflowView(1), { summary: { decision: 'delivery' } })
    box.bus.publish('step', { run: run.id, seq: 0 })
    await box.engine.setState(1, 'off')
    box.clock.advance(100)
    expect(await stream.next()).toMatchObject({ event: 'step', data: { run: run.id, step: { seq: 0 } } })
    const told = await stream.next()
    expect(told).toMatchObject({ event: 'run', data: { ...run, decision: 'delivery' } })
    expect(await stream.next()).toMatchObject({ event: 'workflow', data: { id: 1, state: 'off' } })
    box.clock.advance(15_000)
    expect(await stream.next()).toMatchObject({
      event: 'keepalive',
      data: { shed: { queue_full: 2 }, storage: { low: false } },
    })
    await stream.end()
  })

  it('sends what changes often once, and starts anew after a flood', async () => {
    const stream = await listen()
    await stream.next()
    const run = box.engine.add(workflowView(1))
    for (let i = 0; i < 1000; i++) box.bus.publish('step', { run: run.id, seq: 0 })
    box.clock.advance(100)
    expect((await stream.next())?.event).toBe('step')
    expect((await stream.next())?.event).toBe('run')
    for (let i = 0; i < 300; i++) box.engine.add(workflowView(1))
    box.clock.advance(100)
    const init = await stream.next()
    expect(init?.event).toBe('init')
    expect(init?.data.runs).toHaveLength(50)
    await stream.end()
  })

  it('ends one that does not read, and goes on for the others', async () => {
    const lazy = await listen()
    const eager = await listen()
    await Promise.all([lazy.next(), eager.next()])
    let got = 0
    // More than the sockets hold between them, in portions: the one that reads keeps up.
    for (let i = 0; i < 40; i++) {
      box.engine.add(workflowView(1), { view: { values: { text: 'x'.repeat(400_000) } } })
      box.clock.advance(100)
      if ((await eager.next())?.event === 'run') got++
    }
    expect(got).toBe(40)
    let left = 0
    while (await lazy.next()) left++
    expect(left).toBeLessThan(40)
    await eager.end()
  })

  it('is refused where too many are open, until one ends', async () => {
    const all = await Promise.all(Array.from({ length: 32 }, () => listen()))
    const refused = await fetch(`http://127.0.0.1:${box.port}/api/v1/stream`)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ code: 'too_many_streams' })
    await all[0]?.end()
    await expect.poll(async () => (await listen()).response.status).toBe(200)
  })

  it('is not opened by HEAD, and ends when the server stops', async () => {
    const head = await fetch(`http://127.0.0.1:${box.port}/api/v1/stream`, { method: 'HEAD' })
    expect(head.status).toBe(200)
    const stream = await listen()
    await stream.next()
    await box.stop()
    expect(await stream.next().catch(() => null)).toBeNull()
  })
})

describe('whoever comes back', () => {
  /** What is told until nothing more is. */
  async function heard(stream: Awaited<ReturnType<typeof listen>>, n: number) {
    const all: string[] = []
    for (let i = 0; i < n; i++) {
      const told = await stream.next()
      all.push(`${told?.event} ${told?.data.id ?? ''}`.trim())
    }
    return all
  }
  const change = (id: number) => {
    box.engine.add(workflowView(1), { summary: { decision: `${id}` } })
    box.clock.advance(100)
  }

  it('hears what followed the last that they heard, and nothing twice', async () => {
    const stream = await listen()
    expect((await stream.next())?.event).toBe('init')
    change(1)
    const first = await stream.next()
    change(2)
    await stream.end()
    change(3)
    const again = await listen(first?.id)
    change(4)
    expect(await heard(again, 3)).toEqual(['run 2', 'run 3', 'run 4'])
    await again.end()
    // By the address as well, and with nothing missed there is nothing to hear.
    const last = await listen(first?.id)
    expect(await heard(last, 3)).toEqual(['run 2', 'run 3', 'run 4'])
    await last.end()
  })

  it('is told everything anew after a minute without anybody, after a flood, and by an id that is none', async () => {
    const stream = await listen()
    const init = await stream.next()
    await stream.end()
    const metrics = async () => (await fetch(`http://127.0.0.1:${box.port}/metrics`)).text()
    await expect.poll(metrics).toContain('\ngatehouse_streams 0\n')
    box.clock.advance(61_000)
    const late = await listen(init?.id)
    const anew = await late.next()
    expect(anew?.event).toBe('init')
    for (let i = 0; i < 300; i++) box.engine.add(workflowView(1))
    box.clock.advance(100)
    await late.next()
    await late.end()
    for (const id of [anew?.id, 'x', '', '1.2.3.4.5', `${anew?.id}0`, '9'.repeat(3000)]) {
      const again = await listen(id)
      expect([id, (await again.next())?.event]).toEqual([id, 'init'])
      await again.end()
    }
  })

  it('is told everything anew once something was forgotten: nothing of before is told again', async () => {
    const stream = await listen()
    await stream.next()
    change(1)
    const first = await stream.next()
    change(2)
    await stream.next()
    box.bus.publish('forgotten', null)
    box.clock.advance(100)
    expect((await stream.next())?.event).toBe('init')
    await stream.end()
    const again = await listen(first?.id)
    expect((await again.next())?.event).toBe('init')
    await again.end()
  })

  it('hears nothing of what came about while they saw something else', async () => {
    const [life = '', seq = '', , ...rest] = (await (await listen()).next())?.id.split('.') ?? []
    change(1)
    const other = await listen([life, seq, 'another', ...rest].join('.'))
    expect((await other.next())?.event).toBe('init')
  })

  it('is told after a restart all that began since, however much that is', async () => {
    const stream = await listen()
    const init = await stream.next()
    await stream.end()
    for (let i = 0; i < 80; i++) box.engine.add(workflowView(1))
    for (let i = 0; i < 30; i++) box.engine.tell()
    const anotherLife = `aaaaaaaaaa.${init?.id.split('.').slice(1).join('.')}`
    const again = await listen(anotherLife)
    const all = await again.next()
    expect(all?.event).toBe('init')
    const { runs = [], notices = [] } = (all?.data ?? {}) as { runs?: object[]; notices?: object[] }
    expect([runs.length, notices.length]).toEqual([80, 30])
    await again.end()
  })
})

it('what is kept of what was told is bounded by its size: the latest is known, what was before is not', () => {
  const memory = new StreamMemory(new ManualClock(0))
  memory.listened()
  const { life, seq: first } = memory
  const told = (text: string): Told[] => [{ event: 'keepalive', data: { text } }]
  for (let i = 0; i < 4; i++) memory.keep(told('x'.repeat(900_000)))
  const at = (seq: number) => memory.since({ life, seq, key: '', run: 0, notice: 0 })?.length ?? null
  expect([at(first), at(first + 1), at(first + 2), at(first + 4)]).toEqual([null, null, 2, 0])
  memory.keep(told('x'.repeat(3_000_000)))
  expect([at(first + 4), at(first + 5)]).toEqual([null, 0])
  memory.keep(told('a few words'))
  expect(at(first + 5)).toBe(1)
})
