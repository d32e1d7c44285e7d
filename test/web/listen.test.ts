import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { ManualClock } from '../../src/core/index.ts'
import { WebServer } from '../../src/web/index.ts'
import { TlsFiles } from '../../src/web/listen/tls-files.ts'
import { type Box, startBox } from './box.ts'
import { type Asks, browser, claimed, PASSWORD, said } from './people.ts'

const HTTP = '/api/v1/system/http'
const CONFIRM = `${HTTP}/confirm`
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const boxes: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const box of boxes.splice(0)) await box.stop()
})

async function start(more: Parameters<typeof startBox>[3] = {}): Promise<Box<ManualClock>> {
  const box = await startBox<ManualClock>(await freePort(), undefined, undefined, more)
  boxes.push(box)
  return box
}

const answers = (port: number, path = '/health', base = 'http://127.0.0.1') =>
  fetch(`${base}:${port}${path}`, { tls: { rejectUnauthorized: false } }).then(
    async response => {
      await response.body?.cancel()
      return response.status
    },
    () => null,
  )
async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return port ?? 0
}
interface View {
  host: string
  port: number
  https: string
  url: string
  trial: { until: string; by: string; before: { port: number } } | null
}
const view = async (asks: Asks) => (await (await asks('GET', HTTP)).json()) as View
/** The switch is made a moment after the answer. */
const switched = async (box: Box<ManualClock>, port: number, base?: string) => {
  box.clock.advance(250)
  await expect.poll(() => answers(port, '/health', base)).toBe(200)
}

describe('where the box listens', () => {
  it('is tried for five minutes and then as before, unless somebody confirms it there', async () => {
    const box = await start()
    const ada = await claimed(box)
    const port = await freePort()
    const put = await ada('PUT', HTTP, { port })
    expect([put.status, await put.json()]).toMatchObject([
      202,
      { port, https: 'off', url: `http://localhost:${port}`, trial: { by: 'Ada' } },
    ])
    // Not yet there: a word at the old address proves nothing.
    expect(await said(ada('POST', CONFIRM, {}))).toEqual([409, 'no_trial'])
    await switched(box, port)
    expect(await answers(box.port)).toBeNull()
    box.clock.advance(5 * MINUTE)
    await expect.poll(() => answers(box.port)).toBe(200)
    expect(await answers(port)).toBeNull()
    expect((await view(ada)).trial).toBeNull()
    expect(box.store.audit.list({ limit: 2 })).toMatchObject([
      { action: 'http.revert', author: 'this box' },
      { action: 'http.try', author: 'Ada', target: `127.0.0.1 port ${port}, https off` },
    ])
    expect(box.said).toEqual([
      { title: 'The box listens where it did before', body: 'Nobody confirmed it in time.' },
    ])
  })

  it('stays where it was confirmed, after a restart too', async () => {
    const box = await start()
    const ada = await claimed(box)
    const port = await freePort()
    await ada('PUT', HTTP, { port })
    await switched(box, port)
    // The cookie is for the old port: who confirms has come in at the new one.
    const there = browser({ port })
    expect(await said(there('POST', CONFIRM, {}))).toEqual([401, 'login_needed'])
    await there('POST', '/api/v1/session/login', { name: 'Ada', password: PASSWORD })
    expect(await said(there('POST', CONFIRM, {}))).toEqual([200])
    expect(await said(there('POST', CONFIRM, {}))).toEqual([409, 'no_trial'])
    box.clock.advance(10 * MINUTE)
    expect(await answers(port)).toBe(200)
    await box.server.stop()
    const again = new WebServer(box.deps)
    expect((await again.start()).port).toBe(port)
    await again.stop()
  })

  it('goes on being tried over a restart, and not beyond its five minutes', async () => {
    const box = await start()
    const ada = await claimed(box)
    const port = await freePort()
    await ada('PUT', HTTP, { port })
    await box.server.stop()
    box.clock.advance(4 * MINUTE)
    const second = new WebServer(box.deps)
    expect((await second.start()).port).toBe(port)
    await second.stop()
    box.clock.advance(MINUTE)
    const third = new WebServer(box.deps)
    expect((await third.start()).port).toBe(box.port)
    await third.stop()
  })

  it('is as before at once where it cannot listen there', async () => {
    const box = await start()
    const ada = await claimed(box)
    const holder = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('mine') })
    onTestFinished(() => holder.stop(true))
    for (const [given, why] of [
      [{ port: holder.port }, /is in use/],
      [{ host: '192.0.2.77', https: 'off' }, /no address of this machine/],
    ] as const) {
      expect(await said(ada('PUT', HTTP, given))).toEqual([202])
      box.clock.advance(250)
      await expect
        .poll(() => box.said.splice(0).map(({ body }) => body))
        .toEqual([expect.stringMatching(why)])
      await expect.poll(() => answers(box.port)).toBe(200)
    }
  })

  it('is its own machine, or shown with its own certificate, as long as what was set is not there', async () => {
    const box = await start()
    const set = (setting: object) =>
      box.store.write(() => box.store.meta.set('http', JSON.stringify({ port: box.port, ...setting })))
    const again = async (setting: object) => {
      await box.server.stop()
      await set(setting)
      const server = new WebServer(box.deps)
      boxes.push(server)
      return { server, ...(await server.start()) }
    }
    const gone = await again({ host: '192.0.2.77', https: 'own' })
    expect(gone.url).toBe(`https://localhost:${box.port}`)
    expect(box.said.splice(0)).toMatchObject([{ title: 'The box does not listen where it is set to' }])
    expect(await answers(box.port, '/health', 'https://127.0.0.1')).toBe(200)
    await gone.server.stop()
    const bare = await again({ host: '127.0.0.1', https: 'files' })
    expect(box.said).toMatchObject([{ body: expect.stringContaining('put cert.pem and key.pem into') }])
    const shown = bare.server.fingerprint
    expect(shown).not.toBeNull()
    // The owner's comes, and is shown a moment later.
    const dir = join(dirname(box.socket), 'tls')
    const { cert, key, fingerprint } = new TlsFiles(mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))).own(
      Date.now(),
    )
    writeFileSync(join(dir, 'cert.pem'), cert)
    writeFileSync(join(dir, 'key.pem'), key)
    box.clock.advance(MINUTE)
    await expect.poll(() => bare.server.fingerprint).toBe(fingerprint)
    expect(shown).not.toBe(fingerprint)
    await bare.server.stop()
    // What the command line says is not made up for.
    const { deps } = box
    await expect(new WebServer({ ...deps, pinned: { host: '192.0.2.77' } }).start()).rejects.toMatchObject({
      code: 'cannot_listen',
    })
  })

  it('is not changed by what is none, nor against the command line', async () => {
    const box = await start({ pinned: { host: '127.0.0.1' } })
    const ada = await claimed(box)
    for (const given of [
      { host: 'evil.example' },
      { host: '127.0.0.1; reboot' },
      { host: 7 },
      { port: 0 },
      { port: 65_536 },
      { port: '80' },
      { https: 'maybe' },
      { https: '/etc/shadow' },
    ])
      expect([given, ...(await said(ada('PUT', HTTP, given)))]).toEqual([given, 422, 'bad_http'])
    expect(await said(ada('PUT', HTTP, { host: '0.0.0.0' }))).toEqual([409, 'pinned'])
    expect(await said(ada('PUT', HTTP, { https: 'files' }))).toEqual([422, 'bad_certificate'])
    expect((await view(ada)).trial).toBeNull()
  })
})

describe('a box that other machines reach', () => {
  it('is encrypted by itself, and open to nobody before it is claimed', async () => {
    const box = await start({ pinned: { host: '0.0.0.0' } })
    const base = 'https://127.0.0.1'
    expect(box.url).toMatch(/^https:\/\//)
    expect(await answers(box.port, '/health', base)).toBe(200)
    const open = ['/api/v1/session']
    for (const { method, path, permission } of box.server.routes) {
      if (method !== 'GET' || path.startsWith('/assets')) continue
      const status = await answers(box.port, path.replaceAll(/:\w+/g, '1'), base)
      expect([path, status]).toEqual([path, permission === 'public' ? 200 : 401])
      // Beside these only the views of the page, which show nothing by themselves.
      if (permission === 'public' && path.startsWith('/api/')) expect(open).toContain(path)
    }
    const post = (path: string, body: object, cookie?: string) =>
      fetch(`${base}:${box.port}${path}`, {
        method: 'POST',
        tls: { rejectUnauthorized: false },
        headers: {
          'content-type': 'application/json',
          ...(cookie && { cookie, host: `gate.local:${box.port}`, origin: `https://gate.local:${box.port}` }),
        },
        body: JSON.stringify(body),
      })
    const login = { name: 'Ada', password: PASSWORD }
    expect(await said(post('/api/v1/session/claim', { ...login, code: 'x' }))).toEqual([403, 'wrong_code'])
    const response = await post('/api/v1/session/claim', { ...login, code: box.access.code })
    const set = response.headers.get('set-cookie') ?? ''
    expect([response.status, set]).toEqual([
      201,
      expect.stringMatching(
        new RegExp(
          `^__Host-gatehouse_${box.port}=[\\w-]+; Path=/; HttpOnly; SameSite=Strict; Max-Age=\\d+; Secure$`,
        ),
      ),
    ])
    const [cookie = ''] = set.split(';')
    expect(await said(post('/api/v1/session/renew', {}, cookie))).toEqual([200])
    // Over http in the clear nothing is answered.
    expect(await answers(box.port, '/health', 'http://127.0.0.1')).toBeNull()
  })

  it('counts wrong passwords by address', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find(it => it && !it.internal && it.family === 'IPv4')
    if (!outside) return
    const box = await start({ pinned: { host: '0.0.0.0', https: 'off' } })
    const guess = (name: string) =>
      fetch(`http://${outside.address}:${box.port}/api/v1/session/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': crypto.randomUUID() },
        body: JSON.stringify({ name, password: 'x' }),
      })
    for (let i = 0; i < 20; i++) expect(await said(guess(`n${i}`))).toEqual([401, 'wrong_login'])
    expect(await said(guess('another'))).toEqual([429, 'locked_out'])
  })

  it('does so in the clear only where that is said', async () => {
    const box = await start({ pinned: { host: '0.0.0.0', https: 'off' } })
    expect(box.url).toMatch(/^http:\/\//)
    expect(await answers(box.port, '/api/v1/runs')).toBe(401)
  })

  it('that was opened from this machine is encrypted, unless that is said otherwise', async () => {
    const box = await start()
    const ada = await claimed(box)
    const put = await ada('PUT', HTTP, { host: '0.0.0.0' })
    expect(await put.json()).toMatchObject({ host: '0.0.0.0', https: 'own' })
  })
})

describe('the certificate', () => {
  const folder = () => {
    const dir = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    return dir
  }

  it('of its own holds for the names of the machine, and is believed by whoever was shown it', async () => {
    const dir = folder()
    const { cert, fingerprint } = new TlsFiles(dir).own(Date.now())
    const read = new X509Certificate(cert)
    expect(read.fingerprint256).toBe(fingerprint)
    expect([read.ca, read.verify(read.publicKey)]).toEqual([false, true])
    for (const name of ['localhost']) expect(read.checkHost(name)).toBe(name)
    for (const address of ['127.0.0.1', '::1']) expect(read.checkIP(address)).toBe(address)
    expect(Date.parse(read.validTo) - Date.now()).toBeLessThanOrEqual(820 * DAY)
    expect(statSync(join(dir, 'tls/own-key.pem')).mode & 0o777).toBe(0o600)

    const box = await start({ pinned: { https: 'own' } })
    const own = readFileSync(join(dirname(box.socket), 'tls/own-cert.pem'), 'utf8')
    const response = await fetch(`https://localhost:${box.port}/health`, { tls: { ca: own } })
    expect(response.status).toBe(200)
    await expect(fetch(`https://localhost:${box.port}/health`)).rejects.toThrow()
  })

  it.skipIf(!Bun.which('openssl'))('is one to other programs, too', async () => {
    const dir = folder()
    new TlsFiles(dir).own(Date.now())
    const path = join(dir, 'tls/own-cert.pem')
    const openssl = async (...args: string[]) => new Response(Bun.spawn(['openssl', ...args]).stdout).text()
    expect(await openssl('verify', '-x509_strict', '-CAfile', path, path)).toContain(': OK')
    const text = await openssl('x509', '-in', path, '-noout', '-text')
    expect(text).toContain('TLS Web Server Authentication')
    expect(text).toContain('CA:FALSE')
  })

  it('is made anew with the same key before it ends, or where it is damaged', () => {
    const files = new TlsFiles(folder())
    const now = Date.now()
    const first = files.own(now)
    expect(files.own(now + 700 * DAY)).toEqual(first)
    const second = files.own(now + 800 * DAY)
    expect([second.key === first.key, second.cert === first.cert]).toEqual([true, false])
    // A clock that was set back: it does not hold yet.
    const third = files.own(now)
    expect(third.cert).not.toBe(second.cert)
  })

  it('may be the owner’s, who renews it while the box runs', async () => {
    const box = await start()
    const ada = await claimed(box)
    const dir = join(dirname(box.socket), 'tls')
    const made = (name: string) => {
      const other = folder()
      new TlsFiles(other).own(Date.now())
      mkdirSync(dir, { recursive: true })
      for (const part of ['cert', 'key'])
        copyFileSync(join(other, `tls/own-${part}.pem`), join(dir, `${part}.pem`))
      return [name, readFileSync(join(dir, 'cert.pem'), 'utf8')] as const
    }
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'cert.pem'), 'nonsense')
    writeFileSync(join(dir, 'key.pem'), 'nonsense')
    expect(await said(ada('PUT', HTTP, { https: 'files' }))).toEqual([422, 'bad_certificate'])
    const [, first] = made('first')
    writeFileSync(join(dir, 'key.pem'), new TlsFiles(folder()).own(Date.now()).key)
    expect(await said(ada('PUT', HTTP, { https: 'files' }))).toEqual([422, 'bad_certificate'])
    const [, second] = made('second')
    expect(second).not.toBe(first)
    expect(await said(ada('PUT', HTTP, { https: 'files' }))).toEqual([202])
    box.clock.advance(250)
    const shows = (cert: string) => () =>
      fetch(`https://localhost:${box.port}/health`, { tls: { ca: cert } }).then(
        ({ status }) => status,
        () => null,
      )
    await expect.poll(shows(second)).toBe(200)
    const there = { port: box.port }
    const login = await fetch(`https://localhost:${there.port}/api/v1/session/login`, {
      method: 'POST',
      tls: { ca: second },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', password: PASSWORD }),
    })
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const confirmed = await fetch(`https://localhost:${there.port}${CONFIRM}`, {
      method: 'POST',
      tls: { ca: second },
      headers: { cookie, origin: `https://localhost:${there.port}` },
    })
    expect(confirmed.status).toBe(200)
    const [, third] = made('third')
    box.clock.advance(60 * MINUTE)
    await expect.poll(shows(third)).toBe(200)
  })
})
