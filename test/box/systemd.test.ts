import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Systemd } from '../../src/box/systemd.ts'
import { ManualClock, noLog } from '../../src/core/index.ts'

/** What systemd's side of the socket hears: Bun has no datagrams on Unix sockets, Python has. */
const listener = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace('@', chr(0), 1) if sys.argv[1].startswith('@') else sys.argv[1])
print('bound', flush=True)
while True: print(s.recv(4096).decode().replace(chr(10), '|'), flush=True)
`

let dir: string
let stop: () => Promise<unknown> = async () => undefined
const clock = new ManualClock()

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-systemd-'))
})
afterEach(async () => {
  await stop()
  rmSync(dir, { recursive: true })
})

async function systemdAt(socket: string): Promise<() => Promise<string>> {
  const process = Bun.spawn(['python3', '-c', listener, socket], { stdout: 'pipe', stderr: 'inherit' })
  stop = () => {
    process.kill()
    return process.exited
  }
  const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<string> => {
    while (!text.includes('\n')) {
      const { value, done } = await reader.read()
      if (done) throw new Error('the listener ended')
      text += value
    }
    const [line = '', ...rest] = text.split('\n')
    text = rest.join('\n')
    return line
  }
  expect(await next()).toBe('bound')
  return next
}

test.each(['file', 'abstract'])('tells a socket (%s) that it is up, alive and at its end', async kind => {
  const socket = kind === 'file' ? join(dir, 'notify') : `@gatehouse-test-${process.pid}`
  const next = await systemdAt(socket)
  let commits = 0
  const systemd = new Systemd({
    commit: async () => commits++,
    clock,
    log: noLog,
    env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '30000000', WATCHDOG_PID: String(process.pid) },
  })
  systemd.start('Up:\nREADY=0')
  expect(await next()).toBe('READY=1|STATUS=Up: READY=0')
  expect(await next()).toBe('WATCHDOG=1')
  await new Promise(resolve => setImmediate(resolve))
  clock.advance(9_999)
  expect(commits).toBe(1)
  clock.advance(1)
  expect(await next()).toBe('WATCHDOG=1')
  expect(commits).toBe(2)
  systemd.stop()
  expect(await next()).toBe('STOPPING=1')
})

test('does not feed the watchdog while nothing can be committed', async () => {
  const socket = join(dir, 'notify')
  const next = await systemdAt(socket)
  let works = false
  let asked = 0
  const systemd = new Systemd({
    commit: async () => {
      asked++
      if (!works) throw new Error('the disk is gone')
    },
    clock,
    log: noLog,
    env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '3000000' },
  })
  systemd.start('Up')
  expect(await next()).toBe('READY=1|STATUS=Up')
  for (const _ of [1, 2]) {
    await new Promise(resolve => setImmediate(resolve))
    clock.advance(1_000)
  }
  expect(asked).toBe(3)
  systemd.stop()
  // Nothing came between.
  expect(await next()).toBe('STOPPING=1')
  works = true
})

test('is silent where nobody asks, and lives on where the socket is gone', async () => {
  const commit = async () => {
    throw new Error('not to be called')
  }
  for (const env of [{}, { NOTIFY_SOCKET: join(dir, 'gone') }, { WATCHDOG_USEC: '1', WATCHDOG_PID: '1' }]) {
    const systemd = new Systemd({ commit, clock, log: noLog, env })
    systemd.start('Up')
    systemd.stop()
  }
})
