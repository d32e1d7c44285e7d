import { chownSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { folder, root, serve } from './gatehouse.ts'

const PASSWORD = 'four words in a row'

const running: { stop(signal?: NodeJS.Signals): Promise<number | null> }[] = []
afterEach(async () => {
  for (const box of running.splice(0)) await box.stop('SIGKILL')
})

/** Runs a command with what is typed into it. */
async function typed(input: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, join(root, 'src/main.ts'), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent' },
    stdin: new TextEncoder().encode(input),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}

const login = async (url: string, name: string, password = PASSWORD) => {
  const response = await fetch(`${url.replace('localhost', '127.0.0.1')}/api/v1/session/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
  })
  await response.body?.cancel()
  return response.status
}

it('gatehouse users: the way back in, while the box is up and while it is not', async () => {
  const data = folder()
  const users = (...args: string[]) => typed('', 'users', ...args, '--data', data)
  expect(await users('list')).toMatchObject({ code: 1, err: expect.stringContaining('There is no box in') })
  expect(await typed(`${PASSWORD}\n`, 'users', 'add', 'Ada', '--data', data)).toEqual({
    code: 0,
    out: 'Added Ada: admin, all cameras\n',
    err: '',
  })
  expect(await users('remove', 'Ada')).toMatchObject({ code: 1, err: expect.stringContaining('last admin') })

  const box = await serve(['--data', data, '--no-demo'])
  running.push(box)
  expect(statSync(join(data, 'gatehouse.sock')).mode & 0o777).toBe(0o600)
  expect(await login(box.url, 'Ada')).toBe(200)
  const added = await typed(
    `${PASSWORD}\n`,
    ...['users', 'add', 'Bob', '--role', 'operator', '--cameras', 'yard,role:gate', '--data', data],
  )
  expect(added).toMatchObject({ code: 0, out: 'Added Bob: operator, yard role:gate\n' })
  for (let i = 0; i < 5; i++) expect(await login(box.url, 'Bob', 'wrong')).toBe(401)
  expect(await login(box.url, 'Bob')).toBe(429)
  expect((await users('list')).out).toMatch(/^Bob: operator, yard role:gate, locked until \S+Z$/m)
  expect(await users('unlock', 'bob')).toMatchObject({ code: 0 })
  expect(await login(box.url, 'Bob')).toBe(200)
  const other = 'five other words in a row'
  expect(await typed(`${other}\n`, 'users', 'password', 'Bob', '--data', data)).toMatchObject({ code: 0 })
  expect(await login(box.url, 'Bob')).toBe(401)
  expect(await login(box.url, 'Bob', other)).toBe(200)
  expect((await users('role', 'Bob', 'viewer')).out).toBe('Bob: viewer, yard role:gate\n')
  expect(await users('role', 'Bob', 'king')).toMatchObject({
    code: 1,
    err: expect.stringContaining('viewer'),
  })
  expect(await users('remove', 'Eve')).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is Ada, Bob'),
  })
  expect(await users('dance')).toMatchObject({ code: 2 })

  const made = await typed(
    '',
    'tokens',
    'add',
    'a script',
    '--user',
    'Ada',
    '--scopes',
    'read',
    '--data',
    data,
  )
  const token = /ght_\S+/.exec(made.out)?.[0] ?? ''
  const read = (path: string) =>
    fetch(`${box.url.replace('localhost', '127.0.0.1')}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
  expect((await read('/api/v1/runs')).status).toBe(200)
  expect((await typed('', 'tokens', '--data', data)).out).not.toContain(token)
  expect(await typed('', 'tokens', 'remove', '1', '--data', data)).toMatchObject({ code: 0 })
  expect((await read('/api/v1/runs')).status).toBe(401)

  // A kill leaves the socket behind; the stopped box is reached all the same, and the next start makes another.
  await box.stop('SIGKILL')
  expect((await users('list', '--json')).out).toContain('"name":"Bob"')
  expect(await users('remove', 'Bob')).toMatchObject({ code: 0, out: 'Removed Bob\n' })
  const again = await serve(['--data', data, '--no-demo'])
  running.push(again)
  expect(await login(again.url, 'Ada')).toBe(200)
  expect(await login(again.url, 'Bob', other)).toBe(401)
  // What asks the box that is up needs no login on the box.
  const tried = await typed('', 'try', join(root, 'templates/yard-watch.yaml'), '--data', data)
  expect([tried.err, tried.code]).toEqual([expect.stringMatching(/^$|role|camera/), expect.any(Number)])
  expect(tried.err).not.toContain('Sign in')
}, 120_000)

it.skipIf(process.getuid?.() !== 0)(
  'root leaves nothing behind that the owner of the folder cannot open',
  async () => {
    const data = folder()
    const nobody = 65_534
    chownSync(data, nobody, nobody)
    const added = await typed(`${PASSWORD}\n`, 'users', 'add', 'Ada', '--data', data)
    expect(added).toMatchObject({ code: 0, err: '' })
    for (const name of readdirSync(data))
      expect([name, statSync(join(data, name)).uid]).toEqual([name, nobody])
  },
)

it('gatehouse up prints the code by which a box is claimed, until it is', async () => {
  const data = folder()
  const box = await serve(['--data', data, '--no-demo'])
  running.push(box)
  const [, code = ''] = await box.until(/type the claim code (\S+)/)
  const claim = await fetch(`${box.url.replace('localhost', '127.0.0.1')}/api/v1/session/claim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, name: 'Ada', password: PASSWORD }),
  })
  expect(claim.status).toBe(201)
  await box.stop()
  const again = await serve(['--data', data, '--no-demo'])
  running.push(again)
  const line = await again.until(/Gatehouse is up: .*/)
  expect(line[0]).toMatch(/\(on this machine only\)$/)
})
