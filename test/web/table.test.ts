/**
 * The table of routes, walked by everybody: by nobody, by each role, by tokens, by the owner of the data folder and by
 * somebody who may not see the camera. Then the known mistakes of such systems, one by one. On a real box.
 */
import { Database } from 'bun:sqlite'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { type Asks, browser, claimed, PASSWORD, program, somebody } from './people.ts'

const PICTURE = readFileSync(resolve(import.meta.dirname, '../../templates/cases/pictures/person.jpg'))
const SITE = `cameras:
  yard: {}
  gate: { name: Secret gate }
people:
  guard: { roles: [guard] }
`
const watch = (camera: string, name: string) => `contract: workflow.v1
name: ${name}
state: on
limits: { cooldown: 500ms }
when:
  event: { schema: picture.arrived.v1, cameras: [${camera}] }
then:
  - ask_person: { who: role:guard, message: "Who is at the {camera}?", replies: ["Yes", "No"], timeout: 1h, default: "No" }
    "Yes": []
`

/**
 * Routes and what they take, so that no change of that goes unseen. Those of `answer` are public because the secret of a
 * link, in the body, is their check: it leads to one question and to nothing else.
 */
const TABLE = `
public             GET    /
public             GET    /access
public             GET    /runs/:id
public             GET    /workflows/:id
public             GET    /assets/:name
public             GET    /health
public             GET    /ready
public             GET    /api/v1/session
public             POST   /api/v1/session/claim
public             POST   /api/v1/session/login
public             GET    /answer/:secret
public             POST   /api/v1/answer
public             POST   /api/v1/answer/question
hook               POST   /api/v1/hooks/:id
account            POST   /api/v1/session/renew
account            POST   /api/v1/session/logout
account            PUT    /api/v1/session/password
account            GET    /api/v1/sessions
account            DELETE /api/v1/sessions/:id
account            GET    /api/v1/tokens
account            POST   /api/v1/tokens
account            DELETE /api/v1/tokens/:id
workflows.view     GET    /api/v1/workflows
workflows.view     GET    /api/v1/workflows/registry
workflows.manage   GET    /api/v1/workflows/names
workflows.view     GET    /api/v1/workflows/schema
workflows.view     POST   /api/v1/workflows/validate
workflows.view     GET    /api/v1/workflows/:id
workflows.view     GET    /api/v1/workflows/:id/runs
workflows.view     GET    /api/v1/workflows/:id/export
workflows.view     GET    /api/v1/workflows/:id/outline
workflows.view     GET    /api/v1/workflows/templates
workflows.manage   POST   /api/v1/workflows/import
site.manage        POST   /api/v1/site/cameras/:id/test
site.manage        POST   /api/v1/site/channels/:name/test
site.manage        POST   /api/v1/site/cameras/try
site.manage        POST   /api/v1/site/cameras/password
site.manage        GET    /api/v1/site/cameras/offered
site.manage        POST   /api/v1/site/cameras/discover
workflows.view     GET    /api/v1/cameras/:id/picture
site.manage        POST   /api/v1/site/destinations/:name/test
workflows.view     GET    /api/v1/workflows/:id/versions
workflows.view     GET    /api/v1/workflows/:id/versions/:version
workflows.view     GET    /api/v1/runs
workflows.view     GET    /api/v1/runs/:id
workflows.view     GET    /api/v1/approvals
workflows.view     GET    /api/v1/notices
workflows.view     GET    /api/v1/system/pause
workflows.view     GET    /api/v1/system/mode
site.mode          PUT    /api/v1/system/mode
workflows.view     GET    /api/v1/stream
workflows.view     GET    /api/v1/media/:id
workflows.manage   POST   /api/v1/workflows
workflows.manage   PUT    /api/v1/workflows/:id
workflows.manage   DELETE /api/v1/workflows/:id
workflows.manage   POST   /api/v1/workflows/:id/state
workflows.manage   POST   /api/v1/workflows/:id/rollback
workflows.manage   POST   /api/v1/workflows/:id/snooze
workflows.manage   POST   /api/v1/workflows/:id/try
workflows.manage   POST   /api/v1/workflows/try
workflows.manage   POST   /api/v1/workflows/draft
workflows.manage   POST   /api/v1/runs/:id/stop
workflows.manage   POST   /api/v1/runs/:id/case
workflows.view     GET    /api/v1/workflows/:id/cases
workflows.view     GET    /api/v1/workflows/:id/cases/:case/picture
workflows.manage   DELETE /api/v1/workflows/:id/cases/:case
workflows.manage   POST   /api/v1/workflows/:id/cases/try
workflows.manage   GET    /api/v1/workflows/:id/cases/export
workflows.manage   PUT    /api/v1/system/pause
workflows.manage   POST   /api/v1/cameras/:id/snooze
workflows.press    POST   /api/v1/workflows/:id/press
workflows.message  POST   /api/v1/workflows/:id/message
workflows.message  GET    /api/v1/runs/:id/reply
workflows.approve  POST   /api/v1/approvals/:id
workflows.approve  POST   /api/v1/runs/:id/settle
workflows.approve  POST   /api/v1/runs/:id/release
workflows.approve  POST   /api/v1/workflows/runs/:id/mark
events.send        POST   /api/v1/events
site.manage        GET    /api/v1/site-rules
site.manage        PUT    /api/v1/site-rules
site.manage        PUT    /api/v1/site-rules/parts/:part
site.manage        GET    /api/v1/site-rules/versions
site.manage        GET    /api/v1/site-rules/versions/:version
site.manage        POST   /api/v1/site-rules/rollback
site.manage        GET    /api/v1/site-rules/entries/:list
site.manage        PUT    /api/v1/site-rules/entries/:list
site.manage        GET    /api/v1/site-rules/lists/:file
site.manage        PUT    /api/v1/site-rules/lists/:file
site.manage        DELETE /api/v1/site-rules/lists/:file
site.manage        GET    /api/v1/audit
system.view        GET    /api/v1/system/hardware
system.view        GET    /api/v1/system/machine
system.view        GET    /api/v1/system/models
system.view        GET    /api/v1/system/health
system.view        GET    /api/v1/system/update
system.view        GET    /api/v1/openapi.json
system.view        GET    /metrics
system.manage      GET    /api/v1/system/backups
system.manage      POST   /api/v1/system/backup
system.manage      PUT    /api/v1/system/restore
system.manage      POST   /api/v1/system/restore
system.manage      POST   /api/v1/system/bundle
system.manage      POST   /api/v1/system/safe-mode/leave
system.manage      GET    /api/v1/system/log
system.manage      GET    /api/v1/system/log/file
system.manage      POST   /api/v1/privacy/forget/preview
system.manage      POST   /api/v1/privacy/forget
system.manage      POST   /api/v1/system/update
system.manage      GET    /api/v1/system/http
system.manage      PUT    /api/v1/system/http
system.manage      POST   /api/v1/system/http/confirm
users.manage       GET    /api/v1/users
users.manage       POST   /api/v1/users
users.manage       PUT    /api/v1/users/:id
users.manage       PUT    /api/v1/users/:id/password
users.manage       POST   /api/v1/users/:id/unlock
users.manage       DELETE /api/v1/users/:id
`

const LOOKS = ['account', 'workflows.view', 'system.view']
const WORKS = ['workflows.manage', 'workflows.press', 'workflows.message', 'workflows.approve', 'site.mode']
const RULES = ['events.send', 'site.manage', 'system.manage', 'users.manage']
/** What each may, by the design and not by the code. */
const MAY: Record<string, readonly string[]> = {
  nobody: [],
  viewer: LOOKS,
  operator: [...LOOKS, ...WORKS],
  admin: [...LOOKS, ...WORKS, ...RULES],
  console: [...LOOKS, 'workflows.manage', 'workflows.message', ...RULES],
  'token read': ['workflows.view', 'system.view'],
  'token approve': ['workflows.approve'],
  'token workflows.press': ['workflows.press'],
  'token workflows.message': ['workflows.message'],
  'token workflows.manage': ['workflows.manage'],
  'token events.write': ['events.send'],
  'token site.manage': ['site.manage'],
}

/** Bodies that would do something, by the end of the path. */
const BODIES: Record<string, object> = {
  '/workflows': { yaml: watch('yard', 'Another') },
  '/state': { state: 'off' },
  '/rollback': { version: 1 },
  '/snooze': { for: '1h' },
  '/pause': { paused: true },
  '/approvals/:id': { reply: 'Yes' },
  '/settle': { happened: true },
  '/release': { do: true },
  '/mark': { right: true },
  '/message': { text: 'hello' },
  '/events': { schema: 'picture.arrived.v1', camera_id: 'yard', payload: {} },
  '/site-rules': { set: { facts: 'x' } },
  '/users': { name: 'Eve', role: 'admin', password: PASSWORD },
  '/users/:id': { role: 'admin' },
  '/users/:id/password': { password: 'five other words in a row' },
  '/session/password': { password: PASSWORD, next: 'five other words in a row' },
  '/tokens': { name: 'x', scopes: ['read'], user: 'Ada' },
  '/system/http': { port: 1 },
}
const bodyFor = (path: string) =>
  Object.entries(BODIES).find(([end]) => path.endsWith(end))?.[1] ?? { yaml: watch('yard', 'Another') }

interface Line {
  permission: string
  method: string
  path: string
}

let dataDir: string
let box: Appliance
let at: { port: number; access: Appliance['access'] }
let everybody: Record<string, Asks>
let ids: Record<'yard' | 'gate', { workflow: number; run: number; media: number; question: number }>
let lines: Line[]

const fill = (path: string, id: string | number) =>
  path
    .replace(':file', 'residents.csv')
    .replace(':list', 'residents')
    .replace(':part', 'facts')
    .replace(':version', '1')
    .replace(':name', 'x')
    .replace(':id', String(id))

async function code(response: Response): Promise<string | null> {
  if (response.headers.get('content-type') === 'application/problem+json')
    return ((await response.json()) as { code: string }).code
  await response.body?.cancel()
  return null
}

/** Everything that is stored, but for when somebody was last seen. */
function stored(): string {
  const db = new Database(join(dataDir, 'gatehouse.db'), { readonly: true })
  try {
    const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    const rows = tables.map(({ name }) => [name, db.query(`SELECT * FROM "${name}"`).all()])
    return JSON.stringify(rows, (key, value) => (/^(seen|used)_at$/.test(key) ? undefined : value))
  } finally {
    db.close()
  }
}

async function asked(camera: 'yard' | 'gate') {
  const [admission] = await box.engine.submit({
    ...{ kind: 'event', id: crypto.randomUUID(), at: Date.now(), cameraId: camera, severity: null },
    ...{
      schema: 'picture.arrived.v1',
      source: 'test',
      payload: {},
      correlationId: null,
      chain: [],
      by: null,
    },
    ...{ workflowId: null, pictures: [{ bytes: PICTURE, takenAt: Date.now(), source: 'test' }] },
  })
  const run = admission?.run ?? 0
  const question = () => box.engine.approvals({ open: true }).find(each => each.run === run)
  while (!question()) await Bun.sleep(10)
  return {
    workflow: box.engine.run(run)?.workflow.id ?? 0,
    run,
    media: box.engine.run(run)?.pictures[0]?.media ?? 0,
    question: question()?.id ?? 0,
  }
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-table-'))
  const site = Site.load(SITE, 'site.yaml')
  box = new Appliance({ dataDir, resources: resources(), site, log: noLog, port: 0 })
  const { url } = await box.start()
  at = { port: Number(new URL(url ?? '').port), access: box.access }
  lines = (box.web?.routes ?? []).map(({ permission, method, path }) => ({ permission, method, path }))
  await box.engine.save(watch('yard', 'Yard'))
  await box.engine.save(watch('gate', 'Secret gate'))
  ids = { yard: await asked('yard'), gate: await asked('gate') }
  const admin = await claimed(at)
  const people = {
    nobody: browser(at),
    viewer: await somebody(at, 'Vera', 'viewer'),
    operator: await somebody(at, 'Otto', 'operator'),
    admin,
    console: (async (method, path, body) =>
      // A host that is this short trips the router.
      fetch(`http://x${path}`, {
        unix: join(dataDir, 'gatehouse.sock'),
        method,
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })) as Asks,
  }
  const tokens = await Promise.all(
    Object.keys(MAY)
      .filter(name => name.startsWith('token '))
      .map(async name => {
        const scopes = [name.slice('token '.length)]
        const { token } = await box.access.tokens.add(
          box.access.users.known('Ada'),
          { name: 'x', scopes },
          'x',
        )
        return [name, program(at, token)] as const
      }),
  )
  everybody = { ...people, ...Object.fromEntries(tokens) }
}, 60_000)
afterAll(async () => {
  await box.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the table of routes', () => {
  it('takes of each what is written here, and of one that is not at least something', () => {
    const told = new Map(
      TABLE.trim()
        .split('\n')
        .map(line => line.split(/\s+/))
        .map(([permission = '', method, path]) => [`${method} ${path}`, permission]),
    )
    for (const { permission, method, path } of lines) {
      const known = told.get(`${method} ${path}`)
      // A view of the page shows nothing by itself.
      if (known === undefined && path.startsWith('/api/'))
        expect([path, ['public', 'hook'].includes(permission)]).toEqual([path, false])
      if (known !== undefined) expect([method, path, permission]).toEqual([method, path, known])
    }
    const there = new Set(lines.map(({ method, path }) => `${method} ${path}`))
    expect([...told.keys()].filter(key => !there.has(key))).toEqual([])
  })

  it.each(Object.keys(MAY))('refuses %s what is not theirs, and changes nothing by that', async name => {
    const asks = everybody[name] as Asks
    const before = stored()
    let refused = 0
    for (const { permission, method, path } of lines) {
      if (['public', 'hook'].includes(permission) || MAY[name]?.includes(permission)) continue
      const address = fill(path, path.includes('/users') ? 1 : path.includes('/runs/') ? ids.yard.run : 1)
      const body = method === 'GET' ? undefined : bodyFor(path)
      const response = await asks(method, address, body)
      const expected = name === 'nobody' ? [401, 'login_needed'] : [403, 'forbidden']
      expect([method, path, response.status, await code(response)]).toEqual([method, path, ...expected])
      if (method === 'GET') {
        const head = await asks('HEAD', address)
        expect([path, head.status]).toEqual([path, expected[0]])
      }
      refused++
    }
    if (name !== 'admin') expect(refused).toBeGreaterThan(0)
    expect(stored()).toBe(before)
  })

  it.each(Object.keys(MAY))('lets %s do what is theirs', async name => {
    const asks = everybody[name] as Asks
    for (const { permission, method, path } of lines) {
      const isOpen = permission === 'public' || permission === 'hook'
      if (!isOpen && !MAY[name]?.includes(permission)) continue
      // What is not there, so that nothing is taken away from those who come later.
      if (/session\/(logout|claim|login)$/.test(path)) continue
      const response = await asks(method, fill(path, 999_999), method === 'GET' ? undefined : {})
      const said = [response.status, await code(response)]
      expect([method, path, said[0] === 401 || said[1] === 'forbidden' ? said : 'let in']).toEqual([
        method,
        path,
        'let in',
      ])
    }
  })

  it('shows and does nothing of a camera to whoever may not see it', async () => {
    for (const role of ['viewer', 'operator'] as const) {
      const asks = await somebody(at, `Bound ${role}`, role, ['yard'])
      const before = stored()
      for (const { permission, method, path } of lines) {
        if (['public', 'hook', 'account'].includes(permission) || !MAY[role]?.includes(permission)) continue
        const id = /approvals/.test(path)
          ? ids.gate.question
          : /media/.test(path)
            ? ids.gate.media
            : /runs\/:id/.test(path)
              ? ids.gate.run
              : /cameras/.test(path)
                ? 'gate'
                : ids.gate.workflow
        const isOne = path.includes(':id')
        const body = method === 'GET' ? undefined : bodyFor(path)
        if (!isOne && method !== 'GET') continue
        const response = await asks(method, fill(path, id), body)
        if (isOne) {
          expect([role, method, path, response.status]).toEqual([role, method, path, 404])
          await response.body?.cancel()
        } else if (path === '/api/v1/stream') {
          const reader = response.body?.getReader()
          const init = new TextDecoder().decode((await reader?.read())?.value)
          expect([init.includes('event: init'), /gate/i.test(init)]).toEqual([true, false])
          await reader?.cancel()
        } else if (!/registry|schema|templates|openapi|hardware|models|metrics/.test(path))
          expect([role, path, /gate/i.test(await response.text())]).toEqual([role, path, false])
        else await response.body?.cancel()
      }
      expect(stored()).toBe(before)
    }
  })
})

describe('the known mistakes of such systems', () => {
  /** Ports on which this process listens. */
  function listening(): number[] {
    const own = new Set(
      readdirSync('/proc/self/fd').flatMap(fd => {
        try {
          return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1]]
        } catch {
          return []
        }
      }),
    )
    return ['tcp', 'tcp6'].flatMap(kind =>
      readFileSync(`/proc/self/net/${kind}`, 'utf8')
        .split('\n')
        .slice(1)
        .map(line => line.trim().split(/\s+/))
        .filter(fields => fields[3] === '0A' && own.has(fields[9]))
        .map(fields => Number.parseInt(fields[1]?.split(':')[1] ?? '', 16)),
    )
  }

  it('a second port without a login: there is one port', () => {
    expect(listening()).toEqual([at.port])
  })

  it('a permission that is declared and never asked for: an unknown route has none, and is none', async () => {
    for (const path of [
      '/api/v1/runs/',
      '/API/v1/runs',
      '//api/v1/runs',
      '/api/v1/./runs',
      '/api/v1/runs%2f1',
    ])
      expect([path, [401, 404].includes((await browser(at)('GET', path)).status)]).toEqual([path, true])
    for (const [name, value] of [
      ['x-original-url', '/api/v1/users'],
      ['x-http-method-override', 'DELETE'],
      ['x-forwarded-for', '127.0.0.1'],
      ['x-real-ip', '127.0.0.1'],
      ['host', 'localhost'],
    ] as const)
      expect([
        name,
        (await browser(at)('GET', '/api/v1/users', undefined, { [name]: value })).status,
      ]).toEqual([name, 401])
  })

  it('scripts in names, plates, texts and reasons: nothing that people or cameras say is a page', async () => {
    const evil = '<script>alert(1)</script>'
    const admin = everybody.admin as Asks
    const saved = await admin('POST', '/api/v1/workflows', {
      yaml: watch('yard', 'X').replace('name: X', `name: "${evil}"`).replace('Who is', evil),
    })
    expect([201, 422]).toContain(saved.status)
    await saved.body?.cancel()
    await admin('POST', '/api/v1/events', {
      schema: 'plate.recognized.v1',
      camera_id: evil,
      payload: { plate_text: evil, confidence: 0.9 },
    })
    for (const { method, path } of lines) {
      if (method !== 'GET' || path === '/api/v1/stream') continue
      const response = await admin('GET', fill(path, 1))
      const type = response.headers.get('content-type') ?? ''
      const policy = response.headers.get('content-security-policy') ?? ''
      const isPage = !/^\/(api|assets|health|ready|metrics)\b/.test(path)
      expect([path, type.startsWith('text/html')]).toEqual([path, isPage])
      expect([path, response.headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      expect([path, policy.startsWith("default-src 'none'")]).toEqual([path, true])
      expect([path, /unsafe|\*|data:|https?:/.test(policy)]).toEqual([path, false])
      if (isPage) expect([path, (await response.text()).includes('alert(1)')]).toEqual([path, false])
      else await response.body?.cancel()
    }
  })

  it('paths that lead out of a folder: in pictures, files of the page, lists', async () => {
    const admin = everybody.admin as Asks
    for (const way of ['..%2f..%2fetc%2fpasswd', '%2e%2e%2f%2e%2e%2fgatehouse.db', '..%5c..%5cx', 'x%00.csv'])
      for (const folder of [
        '/api/v1/media/',
        '/assets/',
        '/api/v1/site-rules/lists/',
        '/api/v1/workflows/',
      ]) {
        const response = await admin('GET', folder + way)
        expect([folder, way, response.status >= 400 && response.status < 500]).toEqual([folder, way, true])
        expect((await response.text()).includes('root:')).toBe(false)
      }
  })

  it('JSON that forges the path of a file, or where something is sent', async () => {
    const admin = everybody.admin as Asks
    const before = stored()
    for (const set of [
      { cameras: { spy: { source: { folder: '/etc' } } } },
      { destinations: { x: { url: 'file:///etc/passwd', class: 'read' } } },
      { destinations: { x: { url: 'http://169.254.169.254/latest', class: 'read', headers: { x: 1 } } } },
      { lists: { '../../x': ['a'] } },
      { lists: 'file:///etc/passwd' },
      { __proto__: { facts: 'x' }, constructor: {} },
      { language: { file: '/etc/passwd' } },
    ]) {
      const response = await admin('PUT', '/api/v1/site-rules', { set })
      expect([set, response.status]).toEqual([set, 422])
      await response.body?.cancel()
    }
    for (const https of ['/etc/ssl/private/key.pem', { cert: '/etc/passwd' }, ['files']])
      expect((await admin('PUT', '/api/v1/system/http', { https })).status).toBe(422)
    expect(stored()).toBe(before)
  })

  it('a GET that decides: by nobody, and by no method that pretends to be one', async () => {
    const admin = everybody.admin as Asks
    const before = stored()
    for (const { path } of lines) {
      if (path === '/api/v1/stream') continue
      const address = fill(path, ids.yard.question)
      for (const query of ['', '?reply=Yes&state=off&paused=true&do=true&right=true&_method=POST']) {
        const response = await admin('GET', address + query)
        await response.body?.cancel()
        expect([path, response.status < 500]).toEqual([path, true])
      }
    }
    expect(stored()).toBe(before)
    expect(box.engine.approvals({ open: true }).length).toBe(2)
  })

  it('a setting that is carried out as a command', async () => {
    const admin = everybody.admin as Asks
    const marker = join(dataDir, 'marker')
    const command = `$(touch ${marker}); \`touch ${marker}\` | touch ${marker}`
    await admin('PUT', '/api/v1/site-rules', { set: { facts: command, lists: { residents: [command] } } })
    await admin('POST', '/api/v1/workflows', {
      yaml: watch('yard', 'X').replace('name: X', `name: "${command}"`),
    })
    await admin('PUT', '/api/v1/system/http', { host: `127.0.0.1; touch ${marker}` })
    await admin('POST', '/api/v1/users', { name: command, role: 'viewer', password: PASSWORD })
    await admin('POST', '/api/v1/tokens', { name: command, scopes: ['read'] })
    expect(existsSync(marker)).toBe(false)
    expect(await (await admin('GET', '/api/v1/site-rules')).text()).toContain('touch')
  })

  it('YAML that makes objects, or more of itself', async () => {
    const admin = everybody.admin as Asks
    const before = box.engine.workflows().length
    for (const value of [
      '!!js/function "function () { return 1 }"',
      '!!python/object/apply:os.system ["id"]',
      '!<tag:yaml.org,2002:js/regexp> /a/',
      '!!binary aGk=',
      '&a [*a]',
      '{ <<: { x: 1 } }',
    ]) {
      const yaml = watch('yard', 'Y').replace('name: Y', `name: ${value}`)
      const response = await admin('POST', '/api/v1/workflows', { yaml })
      expect([value, response.status]).toEqual([value, 422])
      await response.body?.cancel()
    }
    expect(box.engine.workflows().length).toBe(before)
  })

  it('a secret in an address, or in what is shown of one', async () => {
    const { token } = await box.access.tokens.add(
      box.access.users.known('Ada'),
      { name: 'y', scopes: ['read'] },
      'Ada',
    )
    for (const query of [`?token=${token}`, `?access_token=${token}`, `?authorization=Bearer%20${token}`])
      expect((await browser(at)('GET', `/api/v1/runs${query}`)).status).toBe(401)
    const viewer = everybody.viewer as Asks
    for (const path of [
      '/api/v1/audit',
      '/api/v1/users',
      '/api/v1/tokens',
      '/api/v1/sessions',
      '/api/v1/session',
    ])
      for (const asks of [viewer, everybody.admin as Asks]) {
        const text = await (await asks('GET', path)).text()
        expect([path, /ght_|argon2|\b[0-9a-f]{64}\b/.test(text)]).toEqual([path, false])
      }
  })
})
