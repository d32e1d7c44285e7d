import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { RunView } from '../../src/engine/index.ts'

interface Request {
  path: string
  id: string
  body: unknown
}

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/**
 * Starts a box, kills it with SIGKILL when `when` says so of a request that it just sent (the answer may be on
 * its way by then: `answers`), starts it again and lets it end what it began.
 */
async function killed(when: (request: Request, n: number) => boolean, answers: boolean, delayMs = 0) {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-kill-'))
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }))
  const requests: Request[] = []
  let child: Bun.Subprocess | null = null
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const path = new URL(request.url).pathname
      requests.push({ path, id: request.headers.get('webhook-id') ?? '', body: await request.json() })
      const seen = requests.at(-1) as Request
      const victim = child
      if (!victim || !when(seen, requests.length)) return new Response('ok')
      child = null
      if (delayMs) setTimeout(() => victim.kill('SIGKILL'), delayMs)
      else victim.kill('SIGKILL')
      if (answers) return new Response('ok')
      await victim.exited
      return new Response('nobody hears this')
    },
  })
  cleanups.push(() => server.stop(true))
  const script = join(import.meta.dirname, 'killed.ts')
  const box = (what: string) =>
    Bun.spawn([process.execPath, script, dir, String(server.port), what], {
      stdout: 'pipe',
      stderr: 'inherit',
    })
  const first = box('start')
  child = first
  cleanups.push(() => first.kill('SIGKILL'))
  await first.exited
  expect(first.signalCode).toBe('SIGKILL')
  const second = box('resume')
  cleanups.push(() => second.kill('SIGKILL'))
  const text = await new Response(second.stdout).text()
  expect(await second.exited).toBe(0)
  const left = JSON.parse(text) as { views: RunView[]; intents: string[]; notices: { title: string }[] }
  const sent = (path: string) => requests.filter(request => request.path === path)
  return { ...left, run: left.views[0], chats: sent('/chat'), moves: sent('/barrier') }
}

/** What was told, each message with how often it came and under how many ids. */
function told(chats: Request[]): Record<string, { times: number; ids: number }> {
  const byBody = Object.groupBy(chats, ({ body }) => String(body))
  return Object.fromEntries(
    Object.entries(byBody).map(([body, all = []]) => [
      body,
      { times: all.length, ids: new Set(all.map(({ id }) => id)).size },
    ]),
  )
}

const once = { times: 1, ids: 1 }
const twice = { times: 2, ids: 1 }

describe('a box that is killed', () => {
  test('while it tells: tells it again under the same id, and moves once', async () => {
    const { run, chats, moves, intents } = await killed(({ path }) => path === '/chat', false)
    expect(run?.status).toBe('done')
    expect(told(chats)).toEqual({ 'B-AB 123 is here': twice, opened: once, end: once })
    expect(moves).toHaveLength(1)
    expect(intents).toEqual(['done'])
  })

  test('while it moves: does not move again, says that it is unknown, and ends', async () => {
    const { run, chats, moves, intents, notices } = await killed(({ path }) => path === '/barrier', false)
    expect(run?.status).toBe('unknown')
    expect(moves).toHaveLength(1)
    expect(told(chats)).toEqual({ 'B-AB 123 is here': once, end: once })
    expect(intents).toEqual(['unknown'])
    expect(notices).toHaveLength(1)
    expect(notices[0]?.title).toContain('webhook')
  })

  test('in `always`: runs the rest of it, and nothing before it again', async () => {
    const { run, chats, moves } = await killed(({ body }) => body === 'end', false)
    expect(run?.status).toBe('done')
    expect(moves).toHaveLength(1)
    expect(told(chats)).toEqual({ 'B-AB 123 is here': once, opened: once, end: twice })
  })

  test.each([
    ['/barrier', 0],
    ['/barrier', 3],
    ['/chat', 1],
  ])(
    'about when %s answers (%i ms): moves at most once, and no tell gets a second id',
    async (path, delay) => {
      const { run, chats, moves, intents } = await killed(request => request.path === path, true, delay)
      expect(['done', 'unknown']).toContain(run?.status)
      expect(moves).toHaveLength(1)
      expect(intents).toEqual([run?.status])
      for (const { times, ids } of Object.values(told(chats))) {
        expect(ids).toBe(1)
        expect(times).toBeLessThanOrEqual(2)
      }
      const paths = run?.steps.map(step => step.path) ?? []
      expect(new Set(paths).size).toBe(paths.length)
      expect(run?.ended_at).not.toBeNull()
    },
  )
})
