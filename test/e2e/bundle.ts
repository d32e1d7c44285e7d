/** The bundle for tests: built when a source is newer than it, and the program started as a user would. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** What goes into the bundle. */
const sources = ['src', 'firmware-scripts', 'systemd', 'templates', 'models', 'package.json', 'bun.lock']

/** The bundle's folder, as `bun run build` leaves it. Builds first where it is missing or old. */
export async function freshBundle(): Promise<string> {
  const bundle = join(root, 'dist', 'gatehouse-linux-x64')
  if (newest(sources) < mtime(join(bundle, 'gatehouse'))) return bundle
  const built = Bun.spawn([process.execPath, 'firmware-scripts/build.ts'], {
    cwd: root,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const said = await new Response(built.stderr).text()
  if ((await built.exited) !== 0) throw new Error(`the build failed: ${said}`)
  return bundle
}

function newest(paths: readonly string[]): number {
  return Math.max(
    ...paths.map(path => {
      const at = join(root, path)
      if (!statSync(at).isDirectory()) return mtime(at)
      return Math.max(
        0,
        ...readdirSync(at, { recursive: true, encoding: 'utf8' }).map(name => mtime(join(at, name))),
      )
    }),
  )
}

function mtime(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise(done => server.close(done))
  if (typeof address !== 'object' || address === null) throw new Error('no port was free')
  return address.port
}

/** A program that answers `/health` on `port`, started with nothing in its environment but what is given. */
export class Running {
  readonly port: number
  readonly #process: Bun.Subprocess<'ignore', 'ignore', 'pipe'>
  readonly #startedAt = performance.now()

  constructor(command: string[], port: number, options: { cwd: string; env?: Record<string, string> }) {
    this.port = port
    this.#process = Bun.spawn(command, {
      cwd: options.cwd,
      env: options.env ?? {},
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    })
  }

  get pid(): number {
    return this.#process.pid
  }

  /** Milliseconds from the start to the first 200; throws with what the program said where it ends before. */
  async healthy(withinMs = 15_000): Promise<number> {
    while (performance.now() - this.#startedAt < withinMs) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/health`).catch(() => null)
      if (answer?.status === 200) return performance.now() - this.#startedAt
      if (this.#process.exitCode !== null) break
      await Bun.sleep(1)
    }
    await this.stop()
    throw new Error(`no /health: ${await new Response(this.#process.stderr).text()}`)
  }

  /** Resident memory in MB, as the kernel counts it. */
  residentMb(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / 1e6
  }

  /** What it and its children take, in MB; what they share is counted once. */
  wholeMb(): number {
    const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8')
    const proportional = (pid: number) => {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      return (Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) * 1024) / 1e6
    }
    return [this.pid, ...children.split(' ').filter(Boolean).map(Number)].reduce(
      (sum, pid) => sum + proportional(pid),
      0,
    )
  }

  /** Files that are mapped into its memory. */
  mapped(): string[] {
    const maps = readFileSync(`/proc/${this.pid}/maps`, 'utf8')
    return [...new Set(maps.split('\n').flatMap(line => /\s(\/.*)$/.exec(line)?.[1] ?? []))]
  }

  /** Asks it to end, and sees to it that it does. */
  async stop(): Promise<number> {
    this.#process.kill('SIGTERM')
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), 5000)
    const code = await this.#process.exited
    clearTimeout(timer)
    return code
  }
}

/** Native libraries that belong into the inference process alone. */
export const natives = /onnxruntime|libvips|sharp|libllama|llama-addon|libggml/
