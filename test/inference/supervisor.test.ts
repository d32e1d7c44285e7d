import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { noLog } from '../../src/core/index.ts'
import { InferenceError, Supervisor, type SupervisorOptions } from '../../src/inference/index.ts'

const command = [process.execPath, new URL('./child.ts', import.meta.url).pathname]
const started: Supervisor[] = []

function supervise(options: Partial<SupervisorOptions> = {}): Supervisor {
  const supervisor = new Supervisor({ command, modelsDir: '/models', log: noLog, ...options })
  started.push(supervisor)
  return supervisor
}

afterEach(async () => {
  for (const supervisor of started.splice(0)) await supervisor.stop()
})

const within = { timeoutMs: 10_000 }

/** Why the job failed, and what was said. */
async function failure(job: Promise<unknown>): Promise<[string, string]> {
  try {
    await job
  } catch (error) {
    if (error instanceof InferenceError) return [error.failure, error.message]
    throw error
  }
  throw new Error('the job did not fail')
}

const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('starts with the first job and answers it, pictures included', async () => {
  const supervisor = supervise()
  expect(supervisor.status()).toEqual({ state: 'stopped', pid: null, restarts: 0, pending: 0 })
  const picture = crypto.getRandomValues(new Uint8Array(60_000))
  const answer = await supervisor.call<{ picture: Uint8Array; list: number[] }>(
    'echo',
    { picture, list: [1, 2] },
    within,
  )
  expect(Buffer.compare(answer.picture, picture)).toBe(0)
  expect(answer.list).toEqual([1, 2])
  expect(supervisor.status()).toMatchObject({ state: 'ready', restarts: 0, pending: 0 })
})

test('gives jobs a core less than there are and the models folder', async () => {
  expect(await supervise().call('context', null, within)).toEqual({
    threads: Math.max(1, availableParallelism() - 1),
    modelsDir: '/models',
  })
})

test('a job that throws, that is unknown or that cannot be sent is job_failed, and the child stays', async () => {
  const supervisor = supervise()
  await supervisor.call('echo', 1, within)
  const pid = supervisor.status().pid
  expect(await failure(supervisor.call('fail', null, within))).toEqual(['job_failed', 'no such luck'])
  expect((await failure(supervisor.call('nothing', null, within)))[0]).toBe('job_failed')
  expect((await failure(supervisor.call('toString', null, within)))[0]).toBe('job_failed')
  expect((await failure(supervisor.call('unsendable', null, within)))[0]).toBe('job_failed')
  expect((await failure(supervisor.call('echo', () => {}, within)))[0]).toBe('job_failed')
  expect(await supervisor.call<number>('echo', 2, within)).toBe(2)
  expect(supervisor.status().pid).toBe(pid)
})

test.each(['exit', 'kill', 'segfault'])('%s in the middle of a job costs that job only', async how => {
  const supervisor = supervise()
  const before = supervisor.call('echo', 'before', within)
  const crashed = failure(supervisor.call(how, null, within))
  const after = supervisor.call('echo', 'after', within)
  expect(await before).toBe('before')
  expect((await crashed)[0]).toBe('crashed')
  expect(await after).toBe('after')
  expect(supervisor.status()).toMatchObject({ state: 'ready', restarts: 1, pending: 0 })
})

test('a child that is killed while it idles comes back by itself', async () => {
  const supervisor = supervise()
  await supervisor.call('echo', 1, within)
  const pid = supervisor.status().pid ?? 0
  process.kill(pid, 'SIGKILL')
  while (supervisor.status().state !== 'ready' || supervisor.status().pid === pid) await sleep(10)
  expect(supervisor.status().restarts).toBe(1)
})

test('a hanging job is a timeout for its caller, and its child is killed', async () => {
  const supervisor = supervise()
  await supervisor.call('echo', 1, within)
  const pid = supervisor.status().pid ?? 0
  const hung = failure(supervisor.call('hang', null, { timeoutMs: 200 }))
  const next = supervisor.call('echo', 'next', within)
  expect((await hung)[0]).toBe('timeout')
  expect(await next).toBe('next')
  expect(alive(pid)).toBe(false)
})

test('a job that waited long in the queue is no reason to kill the child', async () => {
  const supervisor = supervise()
  await supervisor.call('echo', 1, within)
  const pid = supervisor.status().pid
  const first = supervisor.call('sleep', 250, within)
  const second = failure(supervisor.call('sleep', 250, { timeoutMs: 400 }))
  expect(await first).toBe('slept')
  expect((await second)[0]).toBe('timeout')
  expect(await supervisor.call<string>('echo', 'third', within)).toBe('third')
  expect(supervisor.status()).toMatchObject({ pid, restarts: 0 })
})

test('calling off answers at once, queued or running, and tells the job', async () => {
  const supervisor = supervise()
  await supervisor.call('echo', 1, within)
  const pid = supervisor.status().pid
  const running = new AbortController()
  const queued = new AbortController()
  const first = failure(supervisor.call('untilCalledOff', null, { ...within, signal: running.signal }))
  const second = failure(supervisor.call('exit', null, { ...within, signal: queued.signal }))
  queued.abort()
  expect((await second)[0]).toBe('aborted')
  running.abort()
  expect((await first)[0]).toBe('aborted')
  expect((await failure(supervisor.call('echo', 1, { ...within, signal: running.signal })))[0]).toBe(
    'aborted',
  )
  // The job heard of it and returned: its place is free long before its timeout, in the same child.
  expect(await supervisor.call<string>('echo', 'free', { timeoutMs: 2000 })).toBe('free')
  expect(supervisor.status()).toMatchObject({ pid, restarts: 0, pending: 0 })
})

test('what is queued is bounded in number and in bytes, and room comes back', async () => {
  const supervisor = supervise({ maxJobs: 2, maxBytes: 100_000 })
  const busy = supervisor.call('sleep', 200, within)
  expect((await failure(supervisor.call('echo', new Uint8Array(200_000), within)))[0]).toBe('overloaded')
  const small = new Uint8Array(new ArrayBuffer(99_000), 0, 10)
  const queued = supervisor.call('echo', small, within)
  expect((await failure(supervisor.call('echo', 1, within)))[0]).toBe('overloaded')
  await Promise.all([busy, queued])
  // A view counts with the whole buffer that would be sent.
  const held = supervisor.call('echo', small, within)
  expect((await failure(supervisor.call('echo', new Uint8Array(5000), within)))[0]).toBe('overloaded')
  await held
  expect(await supervisor.call<Uint8Array>('echo', new Uint8Array(90_000), within)).toHaveLength(90_000)
})

test('a child that cannot start is unavailable, and nobody waits for it in vain', async () => {
  const supervisor = supervise({ command: ['/nonexistent/gatehouse'] })
  const t0 = performance.now()
  // The waiting times grow (0, 100, 200 ms …) until the next start lies behind the deadline.
  expect((await failure(supervisor.call('echo', 1, { timeoutMs: 1000 })))[0]).toBe('unavailable')
  expect(performance.now() - t0).toBeLessThan(1000)
  expect(supervisor.status().state).toBe('backing_off')
  expect((await failure(supervisor.call('echo', 1, { timeoutMs: 1 })))[0]).toBe('unavailable')
})

test('a child that never reports is killed and the job times out', async () => {
  const supervisor = supervise({ command: [process.execPath, '-e', 'for (;;);'], startTimeoutMs: 150 })
  expect((await failure(supervisor.call('echo', 1, { timeoutMs: 300 })))[0]).toMatch(/timeout|unavailable/)
  expect(supervisor.status().restarts).toBeGreaterThan(0)
})

test('a child that talks nonsense is not believed', async () => {
  const nonsense = `
    for (const message of ['x', null, 7, [], { kind: 'done' }, { kind: 'done', id: 1, value: 'early' }]) process.send(message)
    process.send({ kind: 'ready' })
    process.on('message', ({ id }) => {
      process.send({ kind: 'ready' })
      process.send({ kind: 'done', id: id + 1, value: 'another' })
      process.send({ kind: 'done', id: String(id), value: 'text' })
      process.send({ kind: 'done', id, value: 'right' })
      process.send({ kind: 'done', id, value: 'twice' })
    })`
  const supervisor = supervise({ command: [process.execPath, '-e', nonsense] })
  const jobs = [1, 2, 3].map(() => supervisor.call<string>('any', null, within))
  expect(await Promise.all(jobs)).toEqual(['right', 'right', 'right'])
  expect(supervisor.status()).toMatchObject({ state: 'ready', restarts: 0, pending: 0 })
})

test('the parent environment stays outside', async () => {
  process.env.GATEHOUSE_TEST_SECRET = 'hidden'
  const supervisor = supervise()
  const env = await supervisor.call<Record<string, string>>('env', null, within)
  delete process.env.GATEHOUSE_TEST_SECRET
  expect(env.ORT_DISABLE_TELEMETRY).toBe('1')
  const expected = [
    'GATEHOUSE_DROP_AFTER_MS',
    'GATEHOUSE_MODELS_DIR',
    'HOME',
    'LANG',
    'ORT_DISABLE_TELEMETRY',
    'PATH',
    'TMPDIR',
    'TZ',
  ]
  // The runtime's own: how a child finds its channel.
  const runtime = /^NODE_CHANNEL_/
  expect(Object.keys(env).filter(name => !expected.includes(name) && !runtime.test(name))).toEqual([])
  expect(await supervisor.call<string>('cwd', null, within)).toBe('/')
})

test('a chatty child does not block, and only the beginning of its talk is logged', async () => {
  let logged = 0
  const log = {
    ...noLog,
    warn: () => {},
    debug: (line: { stderr?: string }) => (logged += line.stderr?.length ?? 0),
  }
  const supervisor = supervise({ log: log as unknown as typeof noLog })
  expect(await supervisor.call<string>('chatter', 1_000_000, within)).toBe('said')
  expect(await supervisor.call<number>('echo', 1, within)).toBe(1)
  while (logged < 60_000) await sleep(5)
  expect(logged).toBeLessThanOrEqual(64 * 1024)
})

test('models are loaded once, dropped when idle, never while in use, and retried after a failure', async () => {
  const supervisor = supervise({ dropAfterMs: 100 })
  expect(await supervisor.call('model', null, within)).toEqual({ loads: 1, unloads: 0 })
  expect(await supervisor.call('holdModel', 350, within)).toEqual({ loads: 1, unloads: 0 })
  await sleep(350)
  expect(await supervisor.call('model', null, within)).toEqual({ loads: 2, unloads: 1 })
  const again = supervise()
  expect(await failure(again.call('brokenModel', null, within))).toEqual(['job_failed', 'not yet'])
  expect(await again.call('brokenModel', null, within)).toBe('loaded')
})

test('an idle child ends, is no restart, and a new one answers the next job', async () => {
  const supervisor = supervise({ endAfterMs: 50 })
  await supervisor.call('echo', 1, within)
  const pid = supervisor.status().pid ?? 0
  while (alive(pid)) await sleep(10)
  expect(supervisor.status()).toEqual({ state: 'stopped', pid: null, restarts: 0, pending: 0 })
  expect(await supervisor.call<number>('echo', 2, within)).toBe(2)
  expect(supervisor.status().restarts).toBe(0)
})

test('stop ends the child, even one that hangs, and answers what was pending', async () => {
  const supervisor = supervise()
  await supervisor.call('echo', 1, within)
  const pid = supervisor.status().pid ?? 0
  const hung = failure(supervisor.call('hang', null, within))
  const queued = failure(supervisor.call('echo', 1, within))
  await sleep(20)
  const stopped = supervisor.stop()
  expect((await hung)[0]).toBe('unavailable')
  expect((await queued)[0]).toBe('unavailable')
  await stopped
  expect(alive(pid)).toBe(false)
  expect((await failure(supervisor.call('echo', 1, within)))[0]).toBe('unavailable')
  supervisor.start()
  expect(await supervisor.call<number>('echo', 3, within)).toBe(3)
})

test('a parent that is killed takes a hanging child along', async () => {
  const parent = Bun.spawn([process.execPath, new URL('./parent.ts', import.meta.url).pathname])
  const line = await parent.stdout.getReader().read()
  const pid = Number(new TextDecoder().decode(line.value))
  expect(alive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await parent.exited
  const end = performance.now() + 5000
  while (alive(pid) && performance.now() < end) await sleep(10)
  expect(alive(pid)).toBe(false)
})

test('a terminal that interrupts the group, or a service manager that ends it, leaves the child to its parent', async () => {
  const supervisor = supervise()
  await supervisor.call('echo', 1, within)
  const pid = supervisor.status().pid ?? 0
  process.kill(pid, 'SIGINT')
  process.kill(pid, 'SIGTERM')
  await sleep(50)
  expect(await supervisor.call<number>('echo', 2, within)).toBe(2)
  expect(supervisor.status()).toMatchObject({ pid, restarts: 0 })
})
