/** A PC in software that starts from a disk image as a box does: UEFI, its own kernel, a serial console, a USB port. */
import { readFileSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onHost, until } from './machine.ts'

const FIRMWARE = '/usr/share/OVMF'

/** A second network card: whom it is on a cable with, and where each of its packets is written down. */
export interface Cable {
  /** The network's first three numbers; the box gets `.15` there. */
  net: string
  /** Who answers there, and the program that answers each caller. */
  neighbour: string
  port: number
  program: string
  /** A pcap file. */
  recorded: string
}

export interface PcOptions {
  /** Megabytes. */
  memory?: number
  /** The port of this machine that leads to the box's SSH. */
  ssh?: number
  cables?: readonly Cable[]
}

/** One machine and its disk, which outlives its starts. */
export class Pc {
  readonly disk: string
  readonly #folder: string
  readonly #port: number
  readonly #options: PcOptions
  #process: Bun.Subprocess | null = null
  /** Of whoever claimed it. */
  #cookie = ''

  constructor(folder: string, port: number, options: PcOptions = {}) {
    this.#folder = folder
    this.#port = port
    this.#options = options
    this.disk = join(folder, 'disk.img')
  }

  /** Flashes an image onto a larger disk. */
  async flash(image: string, size: string): Promise<void> {
    await onHost('cp', '--sparse=always', image, this.disk)
    await onHost('truncate', '-s', size, this.disk)
    await copyFile(join(FIRMWARE, 'OVMF_VARS_4M.fd'), join(this.#folder, 'vars.fd'))
  }

  switchOn(): void {
    writeFileSync(this.#console, '')
    const flash = 'if=pflash,format=raw'
    // No help of the processor is asked for: it runs, slowly, wherever there is a qemu.
    const { memory = 2048, ssh, cables = [] } = this.#options
    const cpu = ['-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '2']
    const machine = [...cpu, '-m', String(memory), '-M', 'q35']
    const shell = ssh === undefined ? '' : `,hostfwd=tcp:127.0.0.1:${ssh}-:22`
    const network = `user,id=n,restrict=on,hostfwd=tcp:127.0.0.1:${this.#port}-:8088${shell}`
    this.#process = Bun.spawn(
      [
        'qemu-system-x86_64',
        ...machine,
        ...['-nodefaults', '-display', 'none', '-serial', `file:${this.#console}`],
        ...['-drive', `${flash},readonly=on,file=${FIRMWARE}/OVMF_CODE_4M.fd`],
        ...['-drive', `${flash},file=${join(this.#folder, 'vars.fd')}`],
        ...['-drive', `if=virtio,format=raw,file=${this.disk}`],
        ...['-netdev', network, '-device', 'virtio-net-pci,netdev=n,mac=52:54:00:1a:2b:3c'],
        ...cables.flatMap(laid),
        ...['-device', 'qemu-xhci', '-monitor', `unix:${this.#monitor},server,nowait`],
      ],
      { stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' },
    )
  }

  get #console(): string {
    return join(this.#folder, 'console')
  }

  get #monitor(): string {
    return join(this.#folder, 'monitor')
  }

  /** What it showed since it was switched on. */
  said(): string {
    return readFileSync(this.#console, 'utf8')
  }

  /** Until its console shows something, `times` over; answers with what was found last. */
  async shows(pattern: RegExp, seconds = 900, times = 1): Promise<RegExpExecArray> {
    const every = new RegExp(pattern, 'g')
    let found: RegExpExecArray[] = []
    await until(
      `the console shows ${pattern}`,
      () => {
        if (this.#process?.exitCode != null) throw new Error('qemu ended')
        found = [...this.said().matchAll(every)]
        return found.length >= times
      },
      seconds,
    )
    const last = found.at(-1)
    if (!last) throw new Error(`in vain: ${pattern}`)
    return last
  }

  /** As a plug is pulled: at once, and nothing is told. */
  async pullPlug(): Promise<void> {
    this.#process?.kill('SIGKILL')
    await this.#process?.exited
    this.#process = null
  }

  async stickIn(image: string): Promise<void> {
    await this.#tell(`drive_add 0 if=none,id=stick,format=raw,file=${image}`)
    await this.#tell('device_add usb-storage,drive=stick,id=stick,removable=on')
  }

  async stickOut(): Promise<void> {
    await this.#tell('device_del stick')
  }

  async #tell(line: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let answers = ''
    const socket = await Bun.connect({
      unix: this.#monitor,
      socket: {
        data(open, bytes) {
          answers += bytes.toString()
          // It asks for the first line, and when that is done for the next.
          if (answers.split('(qemu) ').length > 2) {
            open.end()
            resolve()
          }
        },
        error: (_, error) => reject(error),
      },
    })
    socket.write(`${line}\n`)
    await promise
  }

  /** Asks the page of the box. */
  async ask(path: string, options: { body?: unknown } = {}): Promise<Response> {
    const origin = `https://127.0.0.1:${this.#port}`
    const answer = await fetch(`${origin}${path}`, {
      tls: { rejectUnauthorized: false },
      headers: {
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        // As its page does.
        ...(this.#cookie && { cookie: this.#cookie, origin }),
      },
      ...(options.body !== undefined && { method: 'POST', body: JSON.stringify(options.body) }),
    })
    const [given] = answer.headers.getSetCookie()
    if (given !== undefined) this.#cookie = given.split(';')[0] ?? ''
    return answer
  }

  /** Runs a line of sh in the box as root, by the key that the first-boot file brought. */
  async run(key: string, line: string): Promise<string> {
    const lax = [
      'StrictHostKeyChecking=no',
      'UserKnownHostsFile=/dev/null',
      'LogLevel=ERROR',
      'BatchMode=yes',
    ]
    const options = lax.flatMap(option => ['-o', option])
    const to = ['-i', key, '-p', String(this.#options.ssh), 'root@127.0.0.1']
    return (await onHost('ssh', ...options, ...to, line)).trim()
  }

  /** Lays a file onto the boot partition, or reads one of it: while the machine is off. */
  async lay(file: string, name: string): Promise<void> {
    await onHost('mcopy', '-o', '-i', `${this.disk}@@1M`, file, `::${name}`)
  }

  async read(name: string): Promise<string> {
    return await onHost('mtype', '-i', `${this.disk}@@1M`, `::${name}`)
  }
}

/** The card, the network behind it with the one neighbour, and the record, in qemu's words. */
function laid({ net, neighbour, port, program, recorded }: Cable, index: number): string[] {
  const id = `cable${index}`
  const answers = `guestfwd=tcp:${neighbour}:${port}-cmd:${program}`
  return [
    ...['-netdev', `user,id=${id},restrict=on,net=${net}.0/24,${answers}`],
    ...['-device', `virtio-net-pci,netdev=${id},mac=52:54:00:1a:2c:0${index}`],
    ...['-object', `filter-dump,id=${id}-record,netdev=${id},file=${recorded}`],
  ]
}

/** A stick labelled GATEHOUSE with files in its uppermost folder, and others in `models/`. */
export async function stick(
  path: string,
  megabytes: number,
  files: readonly string[],
  models: readonly string[] = [],
): Promise<void> {
  await onHost('rm', '-f', path)
  await onHost('truncate', '-s', `${megabytes}M`, path)
  await onHost('mkfs.vfat', '-F', '32', '-n', 'GATEHOUSE', path)
  for (const file of files) await onHost('mcopy', '-i', path, file, '::')
  if (models.length) await onHost('mmd', '-i', path, '::models')
  for (const model of models) await onHost('mcopy', '-i', path, model, '::models')
}
