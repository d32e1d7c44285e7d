import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../helpers.ts'
import { freePort } from '../mqtt/mosquitto.ts'

const PYTHON = '/usr/bin/python3'

/** Whether this machine has the mail server of the tests; `verify` installs it. */
export const hasMail =
  Boolean(process.env.CI) || existsSync('/usr/lib/python3/dist-packages/aiosmtpd/__init__.py')

export interface Mail {
  to: string[]
  sender: string
  tls: boolean
  user: string
  mail: string
}

interface How {
  port?: number
  security?: 'tls' | 'starttls' | 'none'
  user?: string
  password?: string
  /** Nobody else may send. */
  sender?: string
  /** Address → what it is answered. */
  refuse?: Record<string, string>
  /** Seconds before it takes a mail. */
  slow?: number
  no_files?: boolean
  /** Bytes. */
  most?: number
}

/** A certificate for 127.0.0.1 that nobody but `ca` has signed. */
export function certificate(): { cert: string; key: string } {
  const dir = temporaryFolder()
  const [cert, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=mail.test'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:mail.test', '-keyout', key, '-out', cert],
    ],
    { stdio: 'ignore' },
  )
  return { cert, key }
}

/** A real mail server on loopback, ended with the test. */
export class MailServer {
  readonly port: number
  readonly mails: Mail[] = []
  /** Logins, right or wrong. */
  readonly logins: boolean[] = []
  /** Addresses that it did not take. */
  readonly refused: string[] = []
  slow = 0
  #child: Bun.Subprocess<'pipe', 'pipe', 'ignore'> | null = null

  private constructor(port: number) {
    this.port = port
  }

  static async start(how: How & { cert?: string; key?: string } = {}): Promise<MailServer> {
    const it = new MailServer(how.port ?? (await freePort()))
    onTestFinished(() => it.stop())
    await it.up(how)
    return it
  }

  async up(how: How & { cert?: string; key?: string } = {}): Promise<void> {
    const script = join(import.meta.dirname, 'smtp-server.py')
    const child = Bun.spawn([PYTHON, '-W', 'ignore', script, JSON.stringify({ ...how, port: this.port })], {
      ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'ignore', env: { PATH: '/usr/bin:/bin' } },
    })
    this.#child = child
    const ready = Promise.withResolvers<void>()
    this.#listen(child.stdout, ready.resolve).then(
      () => ready.reject(new Error('the mail server ended')),
      ready.reject,
    )
    await ready.promise
  }

  async stop(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await this.#child?.exited
  }

  async #listen(stdout: ReadableStream<Uint8Array>, ready: () => void): Promise<void> {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const said = JSON.parse(line) as Partial<Mail> & { auth?: boolean; refused?: string; slow?: boolean }
        if (said.mail !== undefined) this.mails.push(said as Mail)
        else if (said.auth !== undefined) this.logins.push(said.auth)
        else if (said.refused !== undefined) this.refused.push(said.refused)
        else if (said.slow) this.slow++
        else ready()
      }
    }
  }
}
