import { Database } from 'bun:sqlite'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { ApprovalView, RunView } from '../../src/engine/index.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Left {
  run: RunView
  question?: ApprovalView
  due: unknown[]
}

const PLATES = { tool: 'recent_plates', args: {} }
const ASK = { tool: 'ask_person', args: { question: 'Do you know it?', replies: ['Yes', 'No'] } }

/** A real box and a real model server. `at`: what is done when the model is asked for the nth time, in all lives. */
async function investigated(
  script: object[],
  at: (n: number, kill: () => Promise<void>) => Promise<void> | undefined,
  second: 'resume' | 'answer',
  afterStart?: (kill: () => Promise<void>) => Promise<void>,
): Promise<Left & { asked: string[] }> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-investigate-'))
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }))
  const asked: string[] = []
  let child: Bun.Subprocess | null = null
  const kill = async () => {
    child?.kill('SIGKILL')
    await child?.exited
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { messages, response_format: form } = (await request.json()) as {
        messages: { role: string; content: unknown }[]
        response_format: unknown
      }
      asked.push(JSON.stringify(messages))
      await at(asked.length, kill)
      const turn = messages.filter(({ role }) => role === 'assistant').length
      const decides = JSON.stringify(form).includes('self_reported')
      const said = decides
        ? { reason: 'they know it', self_reported: 1, decision: 'known' }
        : (script[turn] ?? { tool: 'finish', args: {} })
      const choices = [
        { message: { role: 'assistant', content: JSON.stringify(said) }, finish_reason: 'stop' },
      ]
      return Response.json({ choices, usage: { prompt_tokens: 50, completion_tokens: 9 } })
    },
  })
  cleanups.push(() => server.stop(true))
  const box = (what: string) => {
    const script = join(import.meta.dirname, 'investigating.ts')
    const started = Bun.spawn([process.execPath, script, dir, String(server.port), what], {
      stdout: 'pipe',
      stderr: 'inherit',
    })
    cleanups.push(() => started.kill('SIGKILL'))
    return started
  }
  const first = box('start')
  child = first
  await afterStart?.(async () => {
    for (let i = 0; i < 4_000 && !isAsked(join(dir, 'gatehouse.db')); i++) await Bun.sleep(5)
    await kill()
  })
  await first.exited
  expect(first.signalCode).toBe('SIGKILL')
  const next = box(second)
  const text = await new Response(next.stdout).text()
  expect(await next.exited).toBe(0)
  return { ...(JSON.parse(text) as Left), asked }
}

/** Whether a question is on the disk, read without the box's code. */
function isAsked(file: string): boolean {
  if (!existsSync(file)) return false
  const db = new Database(file, { readonly: true })
  try {
    return db.query('SELECT 1 FROM workflow_approvals').get() !== null
  } catch {
    // It is being made.
    return false
  } finally {
    db.close()
  }
}

const calls = (run: RunView) => run.steps[0]?.tool_calls.map(({ name, status }) => `${name} ${status}`)

describe('a box that is killed with -9', () => {
  test('while its model thinks: what ran is in the trace, and the step begins again', async () => {
    const { run, due } = await investigated([PLATES], (n, kill) => (n === 2 ? kill() : undefined), 'resume')
    expect(run).toMatchObject({ status: 'done', steps: [{ outcome: 'known' }, { inputs: 'they know it' }] })
    expect(calls(run)).toEqual([
      ...['openai:tiny ok', 'recent_plates ok'],
      ...['openai:tiny ok', 'recent_plates ok', 'openai:tiny ok', 'openai:tiny ok'],
    ])
    expect(due).toEqual([])
  })

  test('while it waits for a person: it waits on in the next process, and goes on with the answer', async () => {
    const { run, question, asked, due } = await investigated(
      [PLATES, ASK],
      () => undefined,
      'answer',
      kill => kill(),
    )
    expect(question).toMatchObject({ status: 'open', message: 'Do you know it?', by_ai: true })
    expect(run).toMatchObject({ status: 'done', steps: [{ outcome: 'known' }, { inputs: 'they know it' }] })
    expect(calls(run)).toEqual([
      ...['openai:tiny ok', 'recent_plates ok', 'openai:tiny ok', 'ask_person suspended'],
      ...['ask_person ok', 'openai:tiny ok', 'openai:tiny ok'],
    ])
    expect(asked.at(-1)).toContain('\\"answer\\":\\"Yes\\"')
    expect(due).toEqual([])
  })
})
