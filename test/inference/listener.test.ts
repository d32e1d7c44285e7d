import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noLog } from '../../src/core/index.ts'
import { InferenceListener, Supervisor, type SupervisorOptions } from '../../src/inference/index.ts'

const command = [process.execPath, new URL('./child.ts', import.meta.url).pathname]
const within = { timeoutMs: 10_000 }

let dir: string
let path: string
let listener: InferenceListener
const supervisors: Supervisor[] = []

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-listener-'))
  path = join(dir, 'socket')
  // What a killed listener left.
  writeFileSync(path, '')
  listener = new InferenceListener({ path, command, log: noLog })
  await listener.start()
})

afterEach(async () => {
  for (const supervisor of supervisors.splice(0)) await supervisor.stop()
  await listener.stop()
  rmSync(dir, { recursive: true })
})

/** An engine's side; its own command must not be used. */
function supervise(options: Partial<SupervisorOptions> = {}): Supervisor {
  const supervisor = new Supervisor({
    command: ['/nonexistent/gatehouse'],
    socket: path,
    modelsDir: '/models',
    log: noLog,
    ...options,
  })
  supervisors.push(supervisor)
  return supervisor
}

async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await sleep(5)
  }
}

test('answers over the socket as a child of its own would, large pictures included', async () => {
  const supervisor = supervise({ threads: 3 })
  const picture = crypto.getRandomValues(new Uint8Array(60_000))
  const large = new Uint8Array(8_000_000).fill(7)
  const answer = await supervisor.call<Uint8Array[]>('echo', [picture, large], within)
  expect(Buffer.compare(answer[0] as Uint8Array, picture)).toBe(0)
  expect(Buffer.compare(answer[1] as Uint8Array, large)).toBe(0)
  expect(await supervisor.call('context', null, within)).toEqual({ threads: 3, modelsDir: '/models' })
  expect(supervisor.status()).toMatchObject({ state: 'ready', restarts: 0, pending: 0 })
  expect(supervisor.status().pid).toBeGreaterThan(1)
  await expect(supervisor.call('echo', () => {}, within)).rejects.toMatchObject({ failure: 'job_failed' })
  await expect(supervisor.call('fail', null, within)).rejects.toMatchObject({ failure: 'job_failed' })
})

test.each(['kill', 'segfault'])('%s costs that job only, and the listener stays', async how => {
  const supervisor = supervise()
  const other = supervise()
  await other.call('echo', 1, within)
  const { pid } = other.status()
  await expect(supervisor.call(how, null, within)).rejects.toMatchObject({
    failure: 'crashed',
    message: expect.stringContaining('signal'),
  })
  expect(await supervisor.call<string>('echo', 'after', within)).toBe('after')
  expect(other.status()).toMatchObject({ pid, restarts: 0 })
})

test('when memory runs out a child goes first, before it has run a line of its own', async () => {
  const own = new Supervisor({ command, modelsDir: '/models', log: noLog })
  supervisors.push(own)
  own.start()
  const score = (pid: number | null | undefined) => readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()
  expect(own.status().state).toBe('starting')
  expect(score(own.status().pid)).toBe('1000')
  const served = supervise()
  await served.call('echo', 1, within)
  expect(score(served.status().pid)).toBe('1000')
  expect(Number(score(process.pid))).toBeLessThan(1000)
})

test('a child that hangs is killed when its engine lets go of it', async () => {
  const supervisor = supervise()
  await supervisor.call('echo', 1, within)
  const pid = supervisor.status().pid ?? 0
  const hung = supervisor.call('hang', null, { timeoutMs: 200 })
  await expect(hung).rejects.toMatchObject({ failure: 'timeout' })
  expect(await supervisor.call<string>('echo', 'next', within)).toBe('next')
  await gone(pid)
})

test('a service that is not there is unavailable, and is used once it is', async () => {
  await listener.stop()
  const supervisor = supervise()
  await expect(supervisor.call('echo', 1, { timeoutMs: 500 })).rejects.toMatchObject({
    failure: expect.stringMatching(/unavailable|timeout/),
  })
  await listener.start()
  expect(await supervisor.call<number>('echo', 2, within)).toBe(2)
})

test('a service that restarts is found again, and its children went with it', async () => {
  const supervisor = supervise()
  await supervisor.call('echo', 1, within)
  const pid = supervisor.status().pid ?? 0
  await listener.stop()
  await gone(pid)
  await listener.start()
  expect(await supervisor.call<number>('echo', 2, within)).toBe(2)
})

test.each([
  ['a length beyond all bounds', new Uint8Array([255, 255, 255, 255])],
  ['no structured clone', new Uint8Array([4, 0, 0, 0, 1, 2, 3, 4])],
])('%s ends the connection, and no other', async (_, bytes) => {
  const supervisor = supervise()
  await supervisor.call('echo', 1, within)
  const { pid } = supervisor.status()
  const socket = connect({ path })
  socket.on('error', () => undefined)
  socket.write(bytes)
  await new Promise(resolve => socket.once('close', resolve))
  expect(await supervisor.call<number>('echo', 2, within)).toBe(2)
  expect(supervisor.status()).toMatchObject({ pid, restarts: 0 })
})

test('more than it has room for are turned away', async () => {
  const crowd = Array.from({ length: 4 }, () => supervise())
  await Promise.all(crowd.map(each => each.call('echo', 1, within)))
  await expect(supervise().call('echo', 1, { timeoutMs: 500 })).rejects.toMatchObject({
    failure: expect.stringMatching(/unavailable|timeout/),
  })
  await crowd[0]?.stop()
  expect(await supervise().call<number>('echo', 1, within)).toBe(1)
})
