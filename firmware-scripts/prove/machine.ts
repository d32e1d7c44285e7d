/** A Debian with its own systemd as process 1, in a container of this machine. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The folder of a Debian to copy, made once. Throws where it cannot be made. */
export async function debian(folder: string, suite: string): Promise<void> {
  if (existsSync(`${folder}/sbin/init`)) return
  await rm(folder, { recursive: true, force: true })
  await mkdir(dirname(folder), { recursive: true })
  const packages = '--include=systemd,systemd-sysv,dbus,ca-certificates,xz-utils'
  await onHost('debootstrap', '--variant=minbase', packages, suite, folder)
}

/** Runs a program here. Throws with what it said where it failed. */
export async function onHost(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${err || out}`)
  return out
}

/** A machine on a cable, whose server counts what arrives; at the first of its addresses it is a camera, too. */
export interface Neighbour {
  requests(): Promise<number>
  /** The status that it answers with at an address, to whoever is not held back. */
  ask(address: string): Promise<number>
  /** Pulls the cable. */
  stop(): Promise<void>
}

export interface Answer {
  code: number
  /** What it wrote, errors too. */
  said: string
}

/** One boot of a root folder; it has no network but its own loopback. */
export class Machine {
  readonly #folder: string
  readonly #shared: Record<string, string>
  #container: Bun.Subprocess | null = null
  /** Process 1 of the container as this machine numbers it. */
  #init = 0

  /** `shared`: folders of this machine → where they are seen, to read. */
  constructor(folder: string, shared: Record<string, string>) {
    this.#folder = folder
    this.#shared = shared
  }

  async boot(): Promise<void> {
    const binds = Object.entries(this.#shared).map(([here, there]) => `--bind-ro=${here}:${there}`)
    const options = [
      '--register=no',
      '--keep-unit',
      '--boot',
      '--private-network',
      '--quiet',
      '--system-call-filter=bpf',
      ...binds,
    ]
    const container = Bun.spawn(['systemd-nspawn', '-D', this.#folder, ...options], {
      // As those systems have them by themselves: the kernel then filters packets of a service.
      env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    })
    this.#container = container
    await until('systemd is up', async () => {
      if (container.exitCode !== null)
        throw new Error('systemd-nspawn ended: is this root, with systemd-container?')
      // Its first child only makes the second, which stays: asked anew each time.
      this.#init = Number(childrenOf(container.pid).split(' ')[0])
      if (this.#init === 0) return false
      return /running|degraded/.test((await this.try('systemctl is-system-running')).said)
    })
  }

  async powerOff(): Promise<void> {
    await this.try('systemctl poweroff')
    await this.#container?.exited
    this.#container = null
  }

  /** Ends it at once, where it is still there: nothing in it is told. */
  async kill(): Promise<void> {
    // Its processes before its systemd: none of them may hear that another one is gone.
    for (const pid of [...this.processes(''), this.#init])
      try {
        if (pid) process.kill(pid, 'SIGKILL')
      } catch {
        // It has just ended.
      }
    this.#container?.kill('SIGKILL')
    await this.#container?.exited
    this.#container = null
  }

  /** Runs a line of sh in it. */
  async try(line: string): Promise<Answer> {
    const child = Bun.spawn(['nsenter', '-t', String(this.#init), '-a', 'sh', '-c', `exec 2>&1; ${line}`], {
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        LANG: 'C.UTF-8',
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const said = (await new Response(child.stdout).text()).trim()
    return { code: await child.exited, said }
  }

  /** The same; throws where it fails. */
  async run(line: string): Promise<string> {
    const { code, said } = await this.try(line)
    if (code !== 0) throw new Error(`${line}: exit code ${code}\n${said}`)
    return said
  }

  /** Another machine on a cable to this one, which has these addresses and a server. */
  async neighbour(own: readonly string[], its: readonly string[], port: number): Promise<Neighbour> {
    const other = Bun.spawn(['unshare', '--net', 'sleep', 'infinity'], { stdin: 'ignore' })
    const within = (pid: number) => ['nsenter', '-t', String(pid), '-n']
    await until(
      'it has a network of its own',
      () => linkOf(`/proc/${other.pid}/ns/net`) !== linkOf('/proc/self/ns/net'),
    )
    await onHost(
      'ip',
      'link',
      'add',
      'cable',
      'netns',
      String(this.#init),
      ...['type', 'veth', 'peer', 'name', 'cable', 'netns', String(other.pid)],
    )
    for (const [pid, addresses] of [
      [this.#init, own],
      [other.pid, its],
    ] as const) {
      for (const address of addresses)
        await onHost(...within(pid), 'ip', 'addr', 'add', address, 'dev', 'cable')
      for (const card of ['lo', 'cable']) await onHost(...within(pid), 'ip', 'link', 'set', card, 'up')
    }
    const run = (pid: number, ...args: string[]) => [...within(pid), process.execPath, ...args]
    const served = [join(import.meta.dirname, 'neighbour.ts'), String(port), its[0]?.split('/')[0] ?? '']
    const server = Bun.spawn(run(other.pid, ...served), {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
    })
    const fetched = async (pid: number, url: string, what: string) => {
      let said = ''
      await until('it answers', async () => {
        said = await onHost(...run(pid, '-e', `const r = await fetch('${url}'); console.log(${what})`)).catch(
          () => '',
        )
        return said !== ''
      })
      return Number(said)
    }
    return {
      requests: () => fetched(other.pid, `http://127.0.0.1:${port}/count`, 'await r.text()'),
      ask: address => fetched(this.#init, `http://${address}:${port}/`, 'r.status'),
      stop: async () => {
        server.kill()
        await onHost(...within(this.#init), 'ip', 'link', 'delete', 'cable')
        other.kill()
      },
    }
  }

  /** What the box answers its owner at a path, by the socket in its data folder. */
  async ask<T>(path: string, method = 'GET', body?: object): Promise<T> {
    const unix = `${this.#folder}/var/lib/private/gatehouse/gatehouse.sock`
    const answer = await fetch(`http://localhost${path}`, {
      ...{ unix, method },
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  /** Main process of a service, in the container's numbers; 0 where there is none. */
  async mainOf(service: string): Promise<number> {
    return Number(await this.run(`systemctl show --property MainPID --value ${service}`))
  }

  /** Processes of this machine's numbering that run in the container and whose command line holds a text. */
  processes(text: string): number[] {
    const space = (pid: number | string) => linkOf(`/proc/${pid}/ns/pid`)
    const own = space(this.#init)
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name) && space(name) === own && commandOf(name).includes(text))
      .map(Number)
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

function childrenOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  } catch {
    return ''
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** Asks again and again until it is so. Throws when a minute and a half have passed. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  seconds = 90,
): Promise<number> {
  const start = performance.now()
  while (!(await isSo())) {
    if (performance.now() - start > seconds * 1000) throw new Error(`in vain: ${what}`)
    await Bun.sleep(100)
  }
  return performance.now() - start
}
