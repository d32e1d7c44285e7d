/** The box as a process that can be killed, reached by its socket, with what it takes of its machine. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastClock } from './fast-clock.ts'

/** What one process had taken at a moment. `life`: which process since the beginning, from 1. */
export interface Sample {
  life: number
  at: number
  residentMb: number
  /** Of the children that hold the models, together. */
  childrenMb: number
  files: number
}

export class BoxProcess {
  readonly #command: string[]
  readonly #owner: string
  readonly #page: string
  readonly samples: Sample[] = []
  #process: Bun.Subprocess<'ignore', 'pipe', 'inherit'> | null = null
  lives = 0

  /** `prefix`: what runs it, in a network of its own for example. */
  constructor(dir: string, clock: FastClock, prefix: readonly string[]) {
    this.#command = [...prefix, process.execPath, join(import.meta.dirname, 'box.ts'), dir, String(clock)]
    this.#owner = join(dir, 'data', 'gatehouse.sock')
    this.#page = join(dir, 'page.sock')
  }

  get up(): boolean {
    return this.#process !== null
  }

  /** Resolves once it is ready, with how long that took (ms). */
  async start(): Promise<number> {
    const from = performance.now()
    const child = Bun.spawn(this.#command, {
      env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent' },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const { value } = await child.stdout.getReader().read()
    if (!new TextDecoder().decode(value).includes('up')) throw new Error('the box did not start')
    this.lives++
    this.#process = child
    return performance.now() - from
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#process
    this.#process = null
    child?.kill(signal)
    await child?.exited
  }

  /** Kills one of the processes that hold its models; false: there is none. */
  killChild(): boolean {
    const pid = this.#process && childrenOf(this.#process.pid)[0]
    if (pid) process.kill(pid, 'SIGKILL')
    return Boolean(pid)
  }

  /** As the owner of its folder, or with a `token` as somebody at its page. Throws where it is away. */
  request(path: string, init: RequestInit = {}, token?: string): Promise<Response> {
    return fetch(`http://localhost${path.startsWith('/') ? '' : '/api/v1/'}${path}`, {
      ...init,
      headers: { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) },
      unix: token ? this.#page : this.#owner,
    })
  }

  /** Throws where it is away, or refuses. */
  async ask<T>(path: string, init: RequestInit = {}, token?: string): Promise<T> {
    const response = await this.request(path, init, token)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  sample(): void {
    const pid = this.#process?.pid
    if (!pid) return
    try {
      this.samples.push({
        life: this.lives,
        at: performance.now(),
        residentMb: residentMb(pid),
        childrenMb: childrenOf(pid).reduce((sum, child) => sum + residentMb(child), 0),
        files: readdirSync(`/proc/${pid}/fd`).length,
      })
    } catch {
      // It has just ended.
    }
  }
}

function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb ?? 0) / 1024
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}
