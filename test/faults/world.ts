/** The outside of struck boxes: a server that notes what reaches it, and processes that are killed. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plan, Report } from './child.ts'

/** One request as it arrived. */
export interface Request {
  to: string
  id: string
  body: string
}

const CHILD = join(import.meta.dirname, 'child.ts')
/** Kills need no disk: what a process handed to the kernel outlives it. */
const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export class World {
  readonly #dir = mkdtempSync(join(BASE, 'gatehouse-faults-'))
  readonly #requests = new Map<string, Request[]>()
  readonly #server: Bun.Server<undefined>
  readonly #children = new Set<Bun.Subprocess>()
  #plans = 0

  constructor() {
    this.#server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async request => {
        const [, tag = '', to = ''] = new URL(request.url).pathname.split('/')
        const all = this.requests(tag)
        const id = request.headers.get('webhook-id') ?? ''
        const tries = all.filter(each => each.id === id).length
        all.push({ to, id, body: await request.text() })
        if ((to === 'flaky' && tries < 1) || (to === 'deaf' && tries < 2))
          return new Response('later', { status: 503 })
        if (to === 'line')
          return Response.json({ outcome: 'expected', answeredBy: 'Ann', fields: { code: '7' } })
        if (to === 'dead') return Response.json({ outcome: null, reason: 'it rang in vain' })
        return new Response('ok', { status: to === 'vague' ? 500 : 200 })
      },
    })
  }

  /** What arrived from a box, in order. */
  requests(tag: string): Request[] {
    const all = this.#requests.get(tag) ?? []
    this.#requests.set(tag, all)
    return all
  }

  /** A folder for a box; its name is the box's tag. */
  folder(tag: string): string {
    const dir = join(this.#dir, tag)
    mkdirSync(dir)
    return dir
  }

  /** Lets a process of boxes do its work; it is killed once it has said what it did, or kills itself. */
  async live(plan: Omit<Plan, 'port'>): Promise<Report | null> {
    const file = join(this.#dir, `plan-${++this.#plans}.json`)
    writeFileSync(file, JSON.stringify({ ...plan, port: this.#server.port ?? 0 } satisfies Plan))
    const child = Bun.spawn([process.execPath, CHILD, file], { stdout: 'pipe', stderr: 'inherit' })
    this.#children.add(child)
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) {
      text += decoder.decode(chunk, { stream: true })
      if (text.includes('\n')) break
    }
    child.kill('SIGKILL')
    await child.exited
    this.#children.delete(child)
    return text ? (JSON.parse(text) as Report) : null
  }

  async stop(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL')
    await this.#server.stop(true)
    rmSync(this.#dir, { recursive: true, force: true })
  }
}
