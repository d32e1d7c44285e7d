import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
export const sample = (name: string) => join(root, 'templates/cases/pictures', name)

/** A folder of its own for one test. */
export const folder = () => mkdtempSync(join(tmpdir(), 'gatehouse-cli-'))

/** Starts the program from the clone as its user would. */
export function start(args: string[], env: Record<string, string> = {}) {
  return Bun.spawn([process.execPath, join(root, 'src/main.ts'), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** Runs one command to its end. */
export async function gatehouse(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = start(args)
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}

/** The program as a server: waits for its first lines. `stop` ends it and answers with its exit code. */
export async function serve(args: string[], env: Record<string, string> = {}) {
  const child = start(['up', '--port', '0', ...args], env)
  let out = ''
  const decoder = new TextDecoder()
  const reader = child.stdout.getReader()
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(out)
      if (found) return found
      const { done, value } = await reader.read()
      if (done) throw new Error(`ended before ${pattern}: ${out}${await new Response(child.stderr).text()}`)
      out += decoder.decode(value, { stream: true })
    }
  }
  const url = (await until(/Gatehouse is up: (http:\S+)/))[1] ?? ''
  return {
    url,
    pid: child.pid,
    exited: child.exited,
    until,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      return await child.exited
    },
  }
}
