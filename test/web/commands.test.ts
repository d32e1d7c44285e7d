/** The commands of docs/api.md, one after another, by the shell that people type them into. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Judge, type OpenApi } from './document.ts'
import { type Ids, type Seeded, startSeeded } from './seeded.ts'

const ROOT = resolve(import.meta.dirname, '../..')

interface Command {
  method: string
  path: string
  line: string
}

/** Each `# METHOD /path` with the command below it. */
const COMMANDS: Command[] = [
  ...readFileSync(join(ROOT, 'docs/api.md'), 'utf8').matchAll(
    /^# (GET|POST|PUT|DELETE) (\S+).*\n(curl .+)$/gm,
  ),
].map(([, method = '', path = '', line = '']) => ({ method, path, line }))

/** What a box without a language model says to a sentence. */
const REFUSED: Record<string, string> = {
  // This box is no process that could start anew.
  'POST /api/v1/system/restore': 'no_restart',
  // It was not installed by install.sh.
  'POST /api/v1/system/update': 'not_possible',
  'POST /api/v1/workflows/draft': 'llm_down',
  'GET /api/v1/site/cameras/offered': 'not_possible',
}

let seeded: Seeded
let ids: Ids
let judge: Judge
let dir: string
let next: number

beforeAll(async () => {
  seeded = await startSeeded({ yard: false })
  ids = await seeded.seed()
  judge = new Judge(
    (await (await fetch(`http://127.0.0.1:${seeded.port}/api/v1/openapi.json`)).json()) as OpenApi,
  )
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-commands-'))
  cpSync(join(ROOT, 'templates'), join(dir, 'templates'), { recursive: true })
  writeFileSync(join(dir, 'residents.csv'), 'value,note\nAB12CDE,flat 1\n')
  next = await freePort()
}, 90_000)
afterAll(async () => {
  await seeded?.stop()
  rmSync(dir, { recursive: true, force: true })
})

const freePort = () =>
  new Promise<number>(found => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })

/** The command as it is typed at this box: its ports, rows and secrets in place of those that the page names. */
function here({ method, path, line }: Command): string {
  const rows: Record<string, number> = {
    'GET /api/v1/runs/:id': ids.run,
    'POST /api/v1/runs/:id/stop': ids.waiting,
    'POST /api/v1/runs/:id/case': ids.judged,
    'POST /api/v1/runs/:id/settle': ids.unknown,
    'POST /api/v1/runs/:id/release': ids.held,
    'GET /api/v1/runs/:id/reply': ids.message,
    'POST /api/v1/workflows/runs/:id/mark': ids.run,
    'POST /api/v1/approvals/:id': ids.question,
    'GET /api/v1/media/:id': ids.media,
  }
  const row = rows[`${method} ${path}`]
  const told = line
    .replace('SECRET', ids.hook)
    .replace('"link":"…"', `"link":"${ids.link}"`)
    .replace('7KQ2-M9XT-4BHW', seeded.box.access.code ?? '')
    .replaceAll('localhost:8088', `localhost:${seeded.port}`)
    .replace('https://gatehouse.local:8443', `https://127.0.0.1:${next}`)
    .replace('"host":"0.0.0.0","port":8443', `"host":"127.0.0.1","port":${next}`)
  return row === undefined ? told : told.replace(/(runs|approvals|media)\/1\b/, `$1/${row}`)
}

/** `curl` says at the end what it was answered; of a stream it hears the first second. */
const SAYS = `curl() { command curl -s -m \${LONGEST:-30} -w '\\n%{http_code} %{content_type}' "$@"; }\n`

async function type(script: string, longest = 30): Promise<{ status: number; type: string; text: string }> {
  const env = { ...process.env, BOX: `http://localhost:${seeded.port}/api/v1`, LONGEST: String(longest) }
  const shell = Bun.spawn(['sh', '-c', SAYS + script], { cwd: dir, env, stdout: 'pipe', stderr: 'pipe' })
  const said = await new Response(shell.stdout).text()
  const [, text = '', status, type = ''] = /^([\s\S]*)\n(\d{3}) (.*)$/.exec(said) ?? []
  if (status === undefined) throw new Error(`${script}: ${said}${await new Response(shell.stderr).text()}`)
  const [, file] = / -o (\S+)/.exec(script) ?? []
  return { status: Number(status), type, text: file ? readFileSync(join(dir, file), 'latin1') : text }
}

async function wrongOf(command: Command, more = ''): Promise<string[]> {
  const { method, path } = command
  const route = `${method} ${path}`
  const script = `${here(command)} ${more}`
  const { status, type: media, text } = await type(script, path.endsWith('/stream') ? 1 : 30)
  const wrong = judge.wrong(method, path, status, media, text)
  const code = status < 400 ? undefined : (JSON.parse(text) as { code?: string }).code
  if (code !== REFUSED[route]) wrong.push(`${status} ${text}`)
  return wrong.map(what => `${script}: ${what}`)
}

describe.skipIf(!existsSync('/usr/bin/curl'))('docs/api.md', () => {
  it('says commands that work in the order in which they stand', async () => {
    const moving = ({ path }: Command) =>
      path.startsWith('/api/v1/system/http') && path !== '/api/v1/system/http'
    const isMove = (command: Command) =>
      moving(command) || (command.method === 'PUT' && command.path.endsWith('/http'))
    const login = `--json '{"name":"Anna","password":"five other words in a row"}'`
    const wrong: string[] = []
    const session = `-b jar -c jar -H 'Origin: http://localhost:${seeded.port}'`
    for (const command of COMMANDS.filter(each => !isMove(each))) {
      // From the claim on everything takes who one is; here it is the session of the commands before.
      const named = !seeded.box.access.claimed || / -b | -c /.test(command.line)
      wrong.push(...(await wrongOf(command, named ? '' : session)))
      if (command.path.endsWith('/logout')) await type(`curl ${session} ${login} $BOX/session/login`)
    }
    expect(wrong).toEqual([])

    // Last, since the box is elsewhere then: it is confirmed there, by whoever signs in there.
    const at = `-k -b there -c there -H 'Origin: https://127.0.0.1:${next}'`
    for (const command of COMMANDS.filter(isMove)) {
      if (moving(command)) {
        const there = `curl ${at} ${login} https://127.0.0.1:${next}/api/v1/session/login`
        await expect
          .poll(() =>
            type(there).then(
              ({ status }) => status,
              () => 0,
            ),
          )
          .toBe(200)
      }
      wrong.push(...(await wrongOf(command, moving(command) ? at : session)))
    }
    expect(wrong).toEqual([])
  })
})
