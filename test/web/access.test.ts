import { existsSync, statSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ManualClock } from '../../src/core/index.ts'
import { Access } from '../../src/web/index.ts'
import { type Box, startBox, workflowView } from './box.ts'
import { browser, claimed, PASSWORD, program, said, somebody, tokenOf } from './people.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const RUNS = '/api/v1/runs'
const LOGIN = '/api/v1/session/login'

let box: Box<ManualClock>
beforeEach(async () => {
  box = await startBox()
  box.engine.all.set(1, workflowView(1, { trigger: 'button', hook: null }))
})
afterEach(() => box.stop())

describe('a new box', () => {
  it('is open at its own machine, but makes nobody a user', async () => {
    const here = browser(box)
    expect(await (await here('GET', '/api/v1/session')).json()).toMatchObject({
      claimed: false,
      by: 'loopback',
      name: 'this machine',
      cameras: null,
    })
    expect(await said(here('GET', RUNS))).toEqual([200])
    expect(await said(here('GET', '/api/v1/users'))).toEqual([403, 'forbidden'])
    const user = { name: 'Eve', role: 'admin', password: PASSWORD }
    expect(await said(here('POST', '/api/v1/users', user))).toEqual([403, 'forbidden'])
    expect(await said(here('POST', '/api/v1/tokens', { name: 'x', scopes: ['read'] }))).toEqual([
      403,
      'forbidden',
    ])
    expect(box.access.claimed).toBe(false)
  })

  it('takes nobody for its own machine who comes through a proxy', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      expect([
        name,
        ...(await said(browser(box)('GET', RUNS, undefined, { [name]: '203.0.113.9' }))),
      ]).toEqual([name, 403, 'not_here'])
  })

  it('is claimed by whoever knows the code, once, and open to nobody from then on', async () => {
    const { code } = box.access
    expect(code).toMatch(/^([2-9A-Z]{4}-){2}[2-9A-Z]{4}$/)
    const claim = (given: object) =>
      browser(box)('POST', '/api/v1/session/claim', { name: 'Ada', password: PASSWORD, ...given })
    for (const wrong of ['', '0000-0000-0000', null, 7, [code]])
      expect(await said(claim({ code: wrong }))).toEqual([403, 'wrong_code'])
    expect(await said(claim({ code, password: 'short' }))).toEqual([422, 'bad_password'])
    expect(await said(claim({ code, name: '<script>' }))).toEqual([422, 'bad_name'])
    expect(box.access.claimed).toBe(false)
    const typed = code?.toLowerCase().replaceAll('-', ' ')
    const response = await claim({ code: typed })
    expect([response.status, await response.json()]).toMatchObject([
      201,
      { claimed: true, by: 'session', name: 'Ada' },
    ])
    expect(response.headers.get('set-cookie')).toMatch(
      new RegExp(`^gatehouse_${box.port}=[\\w-]{32}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000$`),
    )
    expect(box.access.code).toBeNull()
    expect(await said(claim({ code }))).toEqual([409, 'claimed'])
    expect(await said(browser(box)('GET', RUNS))).toEqual([401, 'login_needed'])
    expect(await said(browser(box)('GET', '/health'))).toEqual([200])
    expect(await said(browser(box)('GET', '/'))).toEqual([200])
    expect(box.store.audit.list({ limit: 9 })).toMatchObject([
      { author: 'Ada', action: 'login' },
      { author: 'Ada', action: 'claim', target: 'Ada: admin, all cameras' },
    ])
  })

  it('holds up whoever guesses the code, also over a restart', async () => {
    const guess = () => browser(box)('POST', '/api/v1/session/claim', { code: 'x', name: 'Eve' })
    for (let i = 0; i < 10; i++) expect(await said(guess())).toEqual([403, 'wrong_code'])
    expect(await said(guess())).toEqual([429, 'locked_out'])
    const again = new Access({ store: box.store, clock: box.clock })
    const right = { code: again.code, name: 'Eve', password: PASSWORD }
    const from = { address: null, device: null }
    await expect(again.claim(right, from)).rejects.toMatchObject({ code: 'locked_out' })
    box.clock.advance(MINUTE)
    await again.claim(right, from)
    expect(again.claimed).toBe(true)
  })

  it('ends the streams of its own machine as soon as it is claimed', async () => {
    const response = await browser(box)('GET', '/api/v1/stream')
    const reader = response.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    await claimed(box)
    expect((await reader?.read())?.done).toBe(true)
  })
})

describe('signing in', () => {
  it('takes name and password, and tells nobody which of them was wrong', async () => {
    await claimed(box)
    const login = (given: object) => browser(box)('POST', LOGIN, given)
    for (const given of [
      { name: 'Ada', password: 'wrong' },
      { name: 'Nobody', password: PASSWORD },
      { name: 'Ada' },
      { name: ['Ada'], password: PASSWORD },
      {},
    ])
      expect([given, ...(await said(login(given)))]).toEqual([given, 401, 'wrong_login'])
    expect(await said(login({ name: ' ADA ', password: PASSWORD }))).toEqual([200])
  })

  it('is another session each time, and signing out ends it', async () => {
    const ada = await claimed(box)
    const first = ada.cookie
    expect(await said(ada('POST', LOGIN, { name: 'Ada', password: PASSWORD }))).toEqual([200])
    expect(ada.cookie).not.toBe(first)
    const before = browser(box)
    before.cookie = first
    expect(await said(before('GET', RUNS))).toEqual([401, 'login_needed'])
    const kept = ada.cookie
    expect(await said(ada('POST', '/api/v1/session/logout'))).toEqual([204])
    expect(ada.cookie).toBeNull()
    before.cookie = kept
    expect(await said(before('GET', RUNS))).toEqual([401, 'login_needed'])
  })

  it('keeps out whoever guesses, longer each time, over a restart and however many at once', async () => {
    await claimed(box)
    const guess = (name = 'Ada') => browser(box)('POST', LOGIN, { name, password: 'wrong' })
    const many = await Promise.all(Array.from({ length: 8 }, () => said(guess())))
    expect(many.filter(([status]) => status === 401)).toHaveLength(5)
    expect(many.filter(([status]) => status === 429)).toHaveLength(3)
    const right = () => browser(box)('POST', LOGIN, { name: 'Ada', password: PASSWORD })
    expect(await said(right())).toEqual([429, 'locked_out'])
    // A name that is not there is treated alike.
    for (let i = 0; i < 5; i++) await guess('Bob')
    expect(await said(guess('Bob'))).toEqual([429, 'locked_out'])

    const again = new Access({ store: box.store, clock: box.clock })
    const from = { address: null, device: null }
    const login = (password: string) => again.login({ name: 'Ada', password }, from)
    await expect(login(PASSWORD)).rejects.toMatchObject({ code: 'locked_out', status: 429 })
    box.clock.advance(MINUTE)
    await expect(login('wrong')).rejects.toMatchObject({ code: 'wrong_login' })
    box.clock.advance(MINUTE)
    await expect(login(PASSWORD)).rejects.toMatchObject({ code: 'locked_out' })
    box.clock.advance(MINUTE)
    await login(PASSWORD)
    await expect(login('wrong')).rejects.toMatchObject({ code: 'wrong_login' })
    expect(box.store.audit.list({ limit: 50 }).map(({ action }) => action)).toContain('login.locked')
  })

  it('keeps out an address that guesses through many names, and an admin lets a name in again', async () => {
    const ada = await claimed(box)
    const from = { address: '192.0.2.7', device: null }
    const { access } = box
    for (let i = 0; i < 20; i++)
      await expect(access.login({ name: `n${i}`, password: 'x' }, from)).rejects.toMatchObject({
        code: 'wrong_login',
      })
    const right = { name: 'Ada', password: PASSWORD }
    await expect(access.login(right, from)).rejects.toMatchObject({ code: 'locked_out' })
    await access.login(right, { ...from, address: '192.0.2.8' })
    await somebody(box, 'Bob', 'viewer')
    for (let i = 0; i < 5; i++) await browser(box)('POST', LOGIN, { name: 'Bob', password: 'x' })
    const { users } = (await (await ada('GET', '/api/v1/users')).json()) as {
      users: { id: number; name: string; locked_until: string | null }[]
    }
    const bob = users.find(({ name }) => name === 'Bob')
    expect(bob?.locked_until).toBe(new Date(box.clock.now() + MINUTE).toISOString())
    expect(await said(ada('POST', `/api/v1/users/${bob?.id}/unlock`))).toEqual([200])
    expect(await said(browser(box)('POST', LOGIN, { name: 'Bob', password: PASSWORD }))).toEqual([200])
  })

  it('often and rightly from one address locks nobody out', async () => {
    await claimed(box)
    const from = { address: '192.0.2.7', device: null }
    for (let i = 0; i < 30; i++) await box.access.login({ name: 'Ada', password: PASSWORD }, from)
  })

  it('ends after a week without use, and after thirty days anyway', async () => {
    const ada = await claimed(box)
    for (let day = 0; day < 29; day++) {
      box.clock.advance(DAY)
      expect([day, ...(await said(ada('GET', RUNS)))]).toEqual([day, 200])
    }
    box.clock.advance(DAY)
    expect(await said(ada('GET', RUNS))).toEqual([401, 'login_needed'])
    await ada('POST', LOGIN, { name: 'Ada', password: PASSWORD })
    box.clock.advance(7 * DAY)
    expect(await said(ada('GET', RUNS))).toEqual([401, 'login_needed'])
  })

  it('is shown by another secret every day; the one before holds until the new one has arrived', async () => {
    const ada = await claimed(box)
    const renew = () => ada('POST', '/api/v1/session/renew')
    expect((await renew()).headers.get('set-cookie')).toBeNull()
    box.clock.advance(DAY)
    const old = ada.cookie
    expect(await said(renew())).toEqual([200])
    expect(ada.cookie).not.toBe(old)
    const late = browser(box)
    late.cookie = old
    // The answer with the new one was lost: nobody is signed out by that.
    box.clock.advance(10 * MINUTE)
    expect(await said(late('GET', RUNS))).toEqual([200])
    expect(await said(ada('GET', RUNS))).toEqual([200])
    await expect.poll(() => box.store.sessions.ofUser(1)[0]?.formerUntil).not.toBeNull()
    expect(await said(late('GET', RUNS))).toEqual([200])
    box.clock.advance(MINUTE)
    expect(await said(late('GET', RUNS))).toEqual([401, 'login_needed'])
    expect(await said(ada('GET', RUNS))).toEqual([200])
  })

  it('is for the own page: another site cannot use the cookie', async () => {
    const ada = await claimed(box)
    const press = '/api/v1/workflows/1/press'
    expect(await said(ada('POST', press))).toEqual([202])
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: `http://localhost:1` },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      expect([headers, ...(await said(ada('POST', press, undefined, headers)))]).toEqual([
        headers,
        403,
        'cross_site',
      ])
    const bare = await fetch(`http://127.0.0.1:${box.port}${press}`, {
      method: 'POST',
      headers: { cookie: ada.cookie ?? '' },
    })
    expect(await said(bare)).toEqual([403, 'no_origin'])
    // Behind something that encrypts, the page has another scheme than this box.
    const proxied = { origin: `https://localhost:${box.port}` }
    expect(await said(ada('POST', press, undefined, proxied))).toEqual([202])
  })

  it('changes the own password, which signs out everywhere else', async () => {
    const ada = await claimed(box)
    const phone = browser(box)
    await phone(
      'POST',
      LOGIN,
      { name: 'Ada', password: PASSWORD },
      {
        'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile <script>',
      },
    )
    const { sessions } = (await (await ada('GET', '/api/v1/sessions')).json()) as {
      sessions: { id: number; device: string | null; this: boolean }[]
    }
    expect(sessions.map(({ device, this: own }) => [device, own])).toEqual([
      ['Chrome, Android', false],
      [null, true],
    ])
    const change = (password: string, next: string) =>
      ada('PUT', '/api/v1/session/password', { password, next })
    expect(await said(change('wrong', 'five other words in a row'))).toEqual([403, 'wrong_login'])
    for (const next of ['short', 'aaaaaaaaaaaaaaaa', 'gatehouse123', 'Ada Ada Ada 1', 'x'.repeat(201)])
      expect([next, ...(await said(change(PASSWORD, next)))]).toEqual([next, 422, 'bad_password'])
    expect(await said(change(PASSWORD, 'five other words in a row'))).toEqual([204])
    expect(await said(ada('GET', RUNS))).toEqual([200])
    expect(await said(phone('GET', RUNS))).toEqual([401, 'login_needed'])
    expect(await said(browser(box)('POST', LOGIN, { name: 'Ada', password: PASSWORD }))).toEqual([
      401,
      'wrong_login',
    ])
  })

  it('leaves nothing on the disk that would let anybody in', async () => {
    const ada = await claimed(box)
    await somebody(box, 'Bob', 'operator')
    const made = await ada('POST', '/api/v1/tokens', { name: 'x', scopes: ['read'] })
    const { token } = (await made.json()) as { token: string }
    const secret = ada.cookie?.split('=')[1] ?? ''
    const { file } = { file: box.socket.replace('gatehouse.sock', 'gatehouse.db') }
    const bytes = Buffer.concat(
      await Promise.all([file, `${file}-wal`].map(async path => Buffer.from(await Bun.file(path).bytes()))),
    )
    for (const told of [PASSWORD, token, secret]) {
      expect(told.length).toBeGreaterThan(15)
      expect(bytes.includes(told)).toBe(false)
    }
    expect(bytes.includes('$argon2id$')).toBe(true)
  })
})

describe('users', () => {
  it('are added, changed and removed by an admin, and there is always one', async () => {
    const ada = await claimed(box)
    const add = (given: object) => ada('POST', '/api/v1/users', { password: PASSWORD, ...given })
    const added = await add({ name: 'Bob', role: 'operator', cameras: ['yard', 'role:gate', 'yard'] })
    const bob = (await added.json()) as { id: number }
    expect([added.status, bob]).toMatchObject([201, { role: 'operator', cameras: ['yard', 'role:gate'] }])
    for (const [given, code] of [
      [{ name: 'bob', role: 'viewer' }, 'name_taken'],
      [{ name: 'this machine', role: 'viewer' }, 'bad_name'],
      [{ name: '<img src=x onerror=alert(1)>', role: 'viewer' }, 'bad_name'],
      [{ name: 'x\u202egnp', role: 'viewer' }, 'bad_name'],
      [{ name: 'Eve', role: 'root' }, 'bad_role'],
      [{ name: 'Eve', role: 'viewer', cameras: [] }, 'bad_cameras'],
      [{ name: 'Eve', role: 'viewer', cameras: ['../../etc'] }, 'bad_cameras'],
      [{ name: 'Eve', role: 'admin', cameras: ['yard'] }, 'bad_cameras'],
    ] as const)
      expect([given, (await said(add(given)))[1]]).toEqual([given, code])

    const path = `/api/v1/users/${bob.id}`
    const [first] = box.access.users.list()
    expect(await said(ada('PUT', `/api/v1/users/${first?.id}`, { role: 'viewer' }))).toEqual([
      409,
      'last_admin',
    ])
    expect(await said(ada('DELETE', `/api/v1/users/${first?.id}`))).toEqual([409, 'last_admin'])
    const his = browser(box)
    await his('POST', LOGIN, { name: 'Bob', password: PASSWORD })
    const stream = (await his('GET', '/api/v1/stream')).body?.getReader()
    await stream?.read()
    expect(await (await ada('PUT', path, { role: 'admin' })).json()).toMatchObject({
      role: 'admin',
      cameras: null,
    })
    // What he listened to was for what he was.
    expect((await stream?.read())?.done).toBe(true)
    expect(await said(his('DELETE', `/api/v1/users/${first?.id}`))).toEqual([204])
    expect(await said(ada('GET', RUNS))).toEqual([401, 'login_needed'])
    expect(await said(his('PUT', path, { role: 'viewer' }))).toEqual([409, 'last_admin'])
    expect(await said(his('GET', '/api/v1/users/999'))).toEqual([405, 'method_not_allowed'])
    expect(await said(his('PUT', '/api/v1/users/999', {}))).toEqual([404, 'user_unknown'])
  })

  it('who are removed leave their name, not what they may', async () => {
    const ada = await claimed(box)
    const bob = await somebody(box, 'Bob', 'operator')
    const script = await tokenOf(box, 'Bob', 'read')
    expect(await said(script('GET', RUNS))).toEqual([200])
    await box.access.users.remove(box.access.users.known('Bob').id, 'Ada')
    expect(await said(bob('GET', RUNS))).toEqual([401, 'login_needed'])
    expect(await said(script('GET', RUNS))).toEqual([401, 'bad_token'])
    expect(
      await said(ada('POST', '/api/v1/users', { name: 'Bob', role: 'viewer', password: PASSWORD })),
    ).toEqual([201])
    expect(await said(bob('GET', RUNS))).toEqual([401, 'login_needed'])
    expect(await said(script('GET', RUNS))).toEqual([401, 'bad_token'])
  })
})

describe('tokens', () => {
  it('may what they are for, as far as their user may, and are shown once', async () => {
    const ada = await claimed(box)
    const made = await ada('POST', '/api/v1/tokens', { name: 'Home Assistant', scopes: ['read'], days: 2 })
    const { id, token } = (await made.json()) as { id: number; token: string }
    expect(token).toMatch(/^ght_[\w-]{32}$/)
    const listed = await (await ada('GET', '/api/v1/tokens')).text()
    expect(listed).not.toContain(token)
    expect(JSON.parse(listed).tokens).toMatchObject([
      { id, user: 'Ada', name: 'Home Assistant', scopes: ['read'], used_at: null },
    ])
    const script = program(box, token)
    expect(await said(script('GET', RUNS))).toEqual([200])
    expect(await said(script('POST', '/api/v1/workflows/1/press'))).toEqual([403, 'forbidden'])
    for (const [method, path] of [
      ['GET', '/api/v1/users'],
      ['GET', '/api/v1/tokens'],
      ['POST', '/api/v1/tokens'],
      ['PUT', '/api/v1/session/password'],
      ['POST', '/api/v1/session/logout'],
    ] as const)
      expect([path, ...(await said(script(method, path, method === 'GET' ? undefined : {})))]).toEqual([
        path,
        403,
        'forbidden',
      ])
    await expect
      .poll(() => box.access.tokens.list(null)[0]?.used_at)
      .toBe(new Date(box.clock.now()).toISOString())
    box.clock.advance(2 * DAY)
    expect(await said(script('GET', RUNS))).toEqual([401, 'bad_token'])
  })

  it('press and approve in the name of their user', async () => {
    await claimed(box)
    await somebody(box, 'Bob', 'operator')
    const script = await tokenOf(box, 'Bob', 'approve', 'workflows.press')
    expect(await said(script('POST', '/api/v1/workflows/1/press'))).toEqual([202])
    expect(box.engine.events.at(-1)?.by).toEqual({ by: 'token', name: 'Bob' })
    const { id } = box.engine.ask({})
    const answer = await script('POST', `/api/v1/approvals/${id}`, { reply: 'Yes' })
    expect(await answer.json()).toMatchObject({ answered_by: 'Bob', identified_by: 'token' })
    expect(await said(script('GET', RUNS))).toEqual([403, 'forbidden'])
  })

  it('become less as their user does, and are never more', async () => {
    const ada = await claimed(box)
    await somebody(box, 'Bob', 'operator')
    const script = await tokenOf(box, 'Bob', 'workflows.press')
    const make = (given: object) => ada('POST', '/api/v1/tokens', { name: 'x', ...given })
    expect(await said(make({ user: 'Bob', scopes: ['events.write'] }))).toEqual([422, 'bad_scopes'])
    for (const scopes of [[], 'read', ['read', 'root'], ['users.manage'], null])
      expect([scopes, ...(await said(make({ scopes })))]).toEqual([scopes, 422, 'bad_scopes'])
    expect(await said(make({ scopes: ['read'], days: 0 }))).toEqual([422, 'bad_days'])
    expect(await said(make({ scopes: ['read'], user: 'Eve' }))).toEqual([404, 'user_unknown'])
    expect(await said(script('POST', '/api/v1/workflows/1/press'))).toEqual([202])
    await box.access.users.change(box.access.users.known('Bob').id, { role: 'viewer' }, 'Ada')
    expect(await said(script('POST', '/api/v1/workflows/1/press'))).toEqual([403, 'forbidden'])
  })

  it('are taken back by whose they are, or by an admin', async () => {
    const ada = await claimed(box)
    const bob = await somebody(box, 'Bob', 'operator')
    await tokenOf(box, 'Ada', 'read')
    const his = (await (await bob('POST', '/api/v1/tokens', { name: 'x', scopes: ['read'] })).json()) as {
      id: number
      token: string
    }
    const tokens = async (path: string, who = bob) =>
      ((await (await who('GET', path)).json()) as { tokens: { user: string }[] }).tokens.map(
        ({ user }) => user,
      )
    expect(await tokens('/api/v1/tokens?all=true')).toEqual(['Bob'])
    expect(await tokens('/api/v1/tokens?all=true', ada)).toEqual(['Ada', 'Bob'])
    expect(await said(bob('DELETE', '/api/v1/tokens/1'))).toEqual([404, 'token_unknown'])
    expect(await said(bob('POST', '/api/v1/tokens', { name: 'x', scopes: ['read'], user: 'Ada' }))).toEqual([
      403,
      'forbidden',
    ])
    expect(await said(ada('DELETE', `/api/v1/tokens/${his.id}`))).toEqual([204])
    expect(await said(program(box, his.token)('GET', RUNS))).toEqual([401, 'bad_token'])
  })

  it('that are none are refused, also where the machine itself would be let in', async () => {
    for (const authorization of ['Bearer ght_nothing', 'Basic YTpi', 'Bearer', 'ght_x', ''])
      expect([
        authorization,
        ...(await said(program(box, '')('GET', RUNS, undefined, { authorization }))),
      ]).toEqual([authorization, 401, 'bad_token'])
    expect(await said(program(box, 'ght_nothing')('GET', '/health'))).toEqual([200])
  })
})

describe('the socket for commands on the box', () => {
  const console_ = (method: string, path: string, body?: object) =>
    fetch(`http://gatehouse${path}`, {
      unix: box.socket,
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })

  it('is for the owner of the data folder, who makes users but neither answers nor presses', async () => {
    expect(statSync(box.socket).mode & 0o777).toBe(0o600)
    await claimed(box)
    const user = { name: 'Bob', role: 'viewer', password: PASSWORD }
    expect(await said(console_('POST', '/api/v1/users', user))).toEqual([201])
    expect(box.store.audit.list({ limit: 1 })).toMatchObject([{ author: 'console', action: 'user.add' }])
    expect(await said(console_('GET', RUNS))).toEqual([200])
    const { id } = box.engine.ask({})
    expect(await said(console_('POST', `/api/v1/approvals/${id}`, { reply: 'Yes' }))).toEqual([
      403,
      'forbidden',
    ])
    expect(await said(console_('POST', '/api/v1/workflows/1/press', {}))).toEqual([403, 'forbidden'])
  })

  it('goes with the box', async () => {
    const { socket } = box
    await box.stop()
    expect(existsSync(socket)).toBe(false)
    box = await startBox()
  })
})
