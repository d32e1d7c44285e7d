import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { GatehouseError } from '../../core/index.ts'
import { SOCKET } from '../../web/index.ts'

const ENGINE = 'gatehouse.service'

/** How the engine's service is, as systemd says. */
export interface ServiceView {
  /** `active`: it has said that it is ready. */
  state: string
  pid: number
  /** Since it was started by somebody. */
  restarts: number
}

/** The services of this machine, and what installs them. */
export interface Machine {
  view(): Promise<ServiceView>
  stop(): Promise<void>
  /** Begins to start it. */
  start(): Promise<void>
  /** Whether the box takes work. */
  ready(): Promise<'ready' | 'not_ready' | 'safe_mode' | 'silent'>
  /** Runs the `install.sh` of a release. Throws with what it said. */
  install(folder: string, ...flags: string[]): Promise<void>
}

/** By systemd. */
export class Systemctl implements Machine {
  readonly #dataDir: string

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  async view(): Promise<ServiceView> {
    const out = await run(['systemctl', 'show', ENGINE, '--property=ActiveState,MainPID,NRestarts'])
    const of = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(out)?.[1] ?? ''
    return { state: of('ActiveState'), pid: Number(of('MainPID')), restarts: Number(of('NRestarts')) }
  }

  async stop(): Promise<void> {
    await run(['systemctl', 'stop', ENGINE])
  }

  async start(): Promise<void> {
    await run(['systemctl', 'reset-failed', ENGINE]).catch(() => undefined)
    await run(['systemctl', 'start', '--no-block', ENGINE])
  }

  async ready(): ReturnType<Machine['ready']> {
    const unix = join(this.#dataDir, SOCKET)
    if (!existsSync(unix)) return 'silent'
    try {
      const answer = await fetch('http://gatehouse/ready', { unix, signal: AbortSignal.timeout(5_000) })
      const { status } = (await answer.json()) as { status?: string }
      return status === 'ready' || status === 'safe_mode' ? status : 'not_ready'
    } catch {
      return 'silent'
    }
  }

  async install(folder: string, ...flags: string[]): Promise<void> {
    await run(['sh', join(folder, 'install.sh'), '--updating', ...flags])
  }
}

/** Runs a program; answers with what it wrote. Throws with the last lines that it said. */
export async function run(command: string[], cwd = '/', seconds = 300): Promise<string> {
  const child = Bun.spawn(command, {
    ...{ cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', timeout: seconds * 1000 },
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/tmp',
      LANG: 'C.UTF-8',
    },
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code === 0) return out
  const said = (err.trim() || out.trim()).split('\n').slice(-3).join(' ').slice(0, 500)
  throw new GatehouseError('command_failed', said || `${command[0]} ended with ${code ?? child.signalCode}`)
}
