import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ManualClock } from '../../src/core/index.ts'
import { type Box, startBox, workflowView } from './box.ts'

let box: Box<ManualClock>
beforeEach(async () => {
  box = await startBox()
  box.engine.all.set(1, workflowView(1))
})
afterEach(() => box.stop())

/** Reads frames one by one. */
async function listen() {
  const response = await fetch(`http://127.0.0.1:${box.port}/api/v1/stream`)
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    response,
    async next(): Promise<{ event: string; data: Record<string, unknown> } | null> {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
          text = text.slice(end + 2)
          return { event, data: JSON.parse(data) }
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
    const all = await Promise.all(Array.from({ length: 32 }, listen))
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
