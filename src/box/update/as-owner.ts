import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GatehouseError } from '../../core/index.ts'
import { run } from './machine.ts'
import type { Settings } from './owner.ts'

/** What a step may do: write the data, and for a download reach what the engine may. */
const SANDBOX = [
  ...[
    'User=gatehouse',
    'DynamicUser=yes',
    'StateDirectory=gatehouse',
    'StateDirectoryMode=0700',
    'UMask=0077',
  ],
  ...[
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'ProtectSystem=strict',
    'ProtectHome=yes',
    'PrivateTmp=yes',
  ],
  ...['PrivateDevices=yes', 'ProtectKernelTunables=yes', 'ProtectControlGroups=yes', 'RestrictSUIDSGID=yes'],
  ...[
    'RestrictNamespaces=yes',
    'LockPersonality=yes',
    'SystemCallFilter=@system-service',
    'IPAddressDeny=any',
  ],
  ...['MemoryMax=512M', 'TasksMax=64'],
]

/** Runs steps as the owner of the box's data. */
export class AsOwner {
  readonly #command: readonly string[]
  readonly #prefix: readonly string[]

  /** `command`: this program. `prefix`: what runs it as the owner. */
  constructor(command: readonly string[], prefix: readonly string[]) {
    this.#command = command
    this.#prefix = prefix
  }

  /** By a unit of systemd's that lives as long as the step; what the engine may reach a download may, too. */
  static async bySystemd(command: readonly string[]): Promise<AsOwner> {
    const reach = await run([
      'systemctl',
      'show',
      'gatehouse.service',
      '--property=IPAddressAllow',
      '--value',
    ])
    const sandbox = [...SANDBOX, `IPAddressAllow=${reach.trim()}`].flatMap(each => ['-p', each])
    return new AsOwner(command, ['systemd-run', '--quiet', '--pipe', '--wait', '--collect', ...sandbox])
  }

  async settings(): Promise<Settings> {
    return this.step<Settings>('settings')
  }

  /** What a step finds. Throws with what it said. */
  async step<T>(...words: string[]): Promise<T> {
    const child = this.#start(words)
    const [out] = await Promise.all([new Response(child.stdout).text(), this.#ended(child)])
    return JSON.parse(out) as T
  }

  async text(...words: string[]): Promise<string> {
    const child = this.#start(words)
    const [out] = await Promise.all([new Response(child.stdout).text(), this.#ended(child)])
    return out
  }

  /** Writes what a step gives into a new file; `heard` is told of the bytes. */
  async into(file: string, heard: (bytes: number) => void, ...words: string[]): Promise<void> {
    const child = this.#start(words)
    let bytes = 0
    const counted = async function* (source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        bytes += chunk.length
        heard(bytes)
        yield chunk
      }
    }
    const source = Readable.fromWeb(child.stdout as never)
    try {
      await pipeline(source, counted, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
    } catch (error) {
      child.kill()
      throw error
    } finally {
      await this.#ended(child)
    }
  }

  #start(words: readonly string[]) {
    return Bun.spawn([...this.#prefix, ...this.#command, 'owner-step', ...words], {
      cwd: '/',
      env: process.env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
  }

  async #ended(child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>): Promise<void> {
    const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
    if (code === 0) return
    const line = said
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^gatehouse: /, '')
    throw new GatehouseError('owner_step', line || `a step on the data failed (${code ?? child.signalCode})`)
  }
}
