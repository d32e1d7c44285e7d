import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { soughtFor } from '../../src/engine/index.ts'
import { folder, gatehouse, sample, serve } from './gatehouse.ts'

const PLATE = 'B-QX 4711'
const SECRETS = {
  nvr: 'hunter2-hunter2',
  camera: 'cam-Pa55word-x',
  signing: 'whsec_9f8e7d6c5b4a',
}
const SITE = `cameras:
  yard: { name: Yard, source: { snapshot: { url: "http://127.0.0.1:9/snap?auth=urlsecret77", user: cameraman, password: { secret: camera } } } }
people:
  hildegard: { roles: [guard] }
lists:
  residents: [M-ZZ 8812, K-AB 99]
facts: "The porter Ottokar lives in flat 7."
destinations:
  chat: { url: "http://127.0.0.1:9/services/T00PATHSECRET", class: tell }
`
const WORKFLOW = `contract: workflow.v1
name: Plates
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: { webhook: {} }
then:
  - if: [ value: { of: note, is: "H-IJ 123" } ]
    then: [ log: known ]
  - log: "seen {note}"
`

let data = ''
let box: Awaited<ReturnType<typeof serve>>
let hook = ''
const free = () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return String(port)
}
beforeAll(async () => {
  data = folder()
  writeFileSync(join(data, 'site.yaml'), SITE)
  mkdirSync(join(data, 'secrets'))
  for (const [name, value] of Object.entries(SECRETS)) writeFileSync(join(data, 'secrets', name), value)
  box = await serve(['--data', data, '--no-demo', '--port', free()])
  const saved = await call('POST', '/workflows', WORKFLOW, 'text/yaml')
  hook = saved.workflow.hook
})
afterAll(() => box.stop('SIGKILL'))

async function call(method: string, path: string, body?: unknown, type = 'application/json') {
  const answer = await fetch(`${box.url}/api/v1${path}`, {
    method,
    headers: { 'content-type': type },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const said = await answer.json()
  if (!answer.ok) throw new Error(JSON.stringify(said))
  return said
}

async function sees(note: string, picture = 'dog.jpg'): Promise<number> {
  const form = new FormData()
  form.set('picture', new Blob([readFileSync(sample(picture))], { type: 'image/jpeg' }), picture)
  form.set('event', JSON.stringify({ note }))
  const answer = await fetch(box.url + hook, { method: 'POST', body: form })
  const { run } = await answer.json()
  for (;;) if ((await call('GET', `/runs/${run}`)).ended_at) return run
}

/** Every file of the data folder that holds a plate. */
function holding(plate: string, dir = data): string[] {
  const sought = soughtFor({ plate })
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(name => {
    const path = join(dir, name)
    return statSync(path).isFile() && sought.says(readFileSync(path, 'latin1'))
  })
}

describe('what is forgotten', () => {
  it('is in nothing of the data folder: rows, log, pictures, copies and what was set aside', async () => {
    await sees(PLATE)
    await sees('nothing to see', 'person.jpg')
    expect((await gatehouse('backup', '--copy', '--data', data)).code).toBe(0)
    mkdirSync(join(data, 'damaged/20260101T000000Z'), { recursive: true })
    writeFileSync(join(data, 'damaged/20260101T000000Z/gatehouse.db'), `old ${PLATE}`)
    writeFileSync(join(data, 'gatehouse.db.v3'), `older ${PLATE}`)
    mkdirSync(join(data, 'update'))
    writeFileSync(join(data, 'update/before.db'), `of the former release ${PLATE}`)
    writeFileSync(join(data, 'upload.backup'), `sent to be restored ${PLATE}`)
    expect(holding(PLATE).length).toBeGreaterThan(3)
    const media = () =>
      readdirSync(join(data, 'media'), { recursive: true }).filter(each => `${each}`.length > 60)
    expect(media()).toHaveLength(2)

    const preview = await gatehouse('forget', '--plate', 'bqx4711', '--data', data)
    expect(preview.out).toContain('There are 1 runs, 1 pictures')
    expect(preview.out).toContain('--yes')
    expect(await call('POST', '/privacy/forget/preview', { plate: PLATE })).toMatchObject({
      ...{ runs: 1, running: 0, copies: 4, set_aside: 1, written: { workflows: [], rules: false } },
    })
    expect(holding(PLATE).length).toBeGreaterThan(3)
    const refused = await fetch(`${box.url}/api/v1/privacy/forget`, {
      ...{ method: 'POST', body: JSON.stringify({ plate: PLATE }) },
      headers: { 'content-type': 'application/json' },
    })
    expect(refused.status).toBe(422)
    const said = Bun.spawn(
      [process.execPath, 'src/main.ts', 'forget', '--plate', '-', '--yes', '--data', data, '--json'],
      {
        ...{ cwd: join(import.meta.dirname, '../..'), stdin: new Blob([`${PLATE}\n`]), stdout: 'pipe' },
      },
    )
    const gone = JSON.parse(await new Response(said.stdout).text())
    expect(gone).toMatchObject({ runs: 1, pictures: 1, left: [], clean: true, copy_problem: null })
    expect(holding(PLATE)).toEqual([])
    expect(media()).toHaveLength(1)
    expect(readdirSync(join(data, 'copies'))).toHaveLength(1)
    expect(existsSync(join(data, 'damaged'))).toBe(false)
    expect((await call('GET', '/runs')).runs).toHaveLength(1)
    const { entries } = await call('GET', '/audit')
    expect(entries[0]).toMatchObject({ action: 'privacy.forget', by: 'console' })
    expect(JSON.stringify(entries)).not.toContain('4711')
    expect((await gatehouse('forget', '--plate', PLATE, '--face', 'x', '--data', data)).code).toBe(2)
  })
})

it('the log is read on the page, filtered, and as a file; a forgotten plate is not in it', async () => {
  const { lines, level, last } = await call('GET', '/system/log?level=info')
  expect(level).toBe('info')
  expect(lines.map((each: { message: string }) => each.message)).toContain('the page is up')
  expect((await call('GET', '/system/log?text=PAGE+is')).lines).toHaveLength(1)
  expect((await call('GET', `/system/log?after=${last}`)).lines).toEqual([])
  expect((await call('GET', '/system/log?level=fatal')).lines).toEqual([])
  const file = await fetch(`${box.url}/api/v1/system/log/file`)
  expect(file.headers.get('content-disposition')).toContain('attachment')
  expect(await file.text()).toMatch(/^\S+Z info {2}the page is up /m)
})

it('the machine says how it is', async () => {
  const machine = await call('GET', '/system/machine')
  expect(machine.memory.total).toBeGreaterThan(machine.memory.available)
  expect(machine.processes[0]).toMatchObject({ name: 'engine', state: 'ready' })
  expect(machine.processes[0].bytes).toBeGreaterThan(1e6)
})

/** Texts of a tar archive, by name. */
async function filesIn(bytes: Uint8Array): Promise<Record<string, string>> {
  const archive = extract()
  archive.end(Bun.gunzipSync(new Uint8Array(bytes)))
  const files: Record<string, string> = {}
  for await (const entry of archive) {
    const chunks: Uint8Array[] = []
    for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk)
    files[(entry as { header: { name: string } }).header.name] = Buffer.concat(chunks).toString()
  }
  return files
}

const PRIVATE = [
  ...Object.values(SECRETS),
  ...['urlsecret77', 'cameraman', 'T00PATHSECRET', 'ildegard', 'Ottokar', 'flat 7', '8812', 'K-AB'],
  ...['4711', 'H-IJ', 'B-QX', 'logged-in-by'],
]

describe('a file for whoever helps', () => {
  it.each(['up', 'not up'])('of a box that is %s holds what helps, and nothing private', async how => {
    if (how === 'up') await sees(`${PLATE} of Hildegard`)
    else await box.stop()
    const to = join(folder(), 'support.tar.gz')
    const { code, out, err } = await gatehouse('doctor', '--bundle', to, '--data', data)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(to)
    expect(statSync(to).mode & 0o777).toBe(0o600)
    const files = await filesIn(readFileSync(to))
    const all = Object.entries(files)
      .filter(([name]) => !name.endsWith('README.txt'))
      .map(([name, text]) => `${name}\n${text}`)
      .join('\n')
    const [id] = hook.split('/').slice(-1)
    for (const each of [...PRIVATE, id ?? '']) expect([each, all.includes(each)]).toEqual([each, false])
    const said = (name: string) => files[`gatehouse-support/${name}`] ?? ''
    expect(said('site.yaml')).toContain('http://127.0.0.1:9/…')
    expect(said('site.yaml')).toContain('residents: 2')
    expect(JSON.parse(said('checkup.json')).checks.length).toBeGreaterThan(3)
    expect(said('versions.json')).toContain(Bun.version)
    if (how === 'not up') {
      box = await serve(['--data', data, '--no-demo', '--port', free()])
      return
    }
    expect(said('workflows/plates.yaml')).toContain('is: (removed)')
    expect(JSON.parse(said('runs.json'))[0]).toMatchObject({
      ...{ workflow: 'plates', status: 'done', trigger: 'webhook', pictures: 1 },
      steps: [{ kind: 'if' }, { kind: 'log', status: 'done' }],
    })
    expect(said('log.txt')).toContain('the page is up')
  })
})

describe('a backup by the page', () => {
  const passphrase = 'correct horse battery'
  let bytes: Uint8Array
  const make = (body: object) =>
    fetch(`${box.url}/api/v1/system/backup`, {
      ...{ method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    })
  const send = (what: Uint8Array) =>
    fetch(`${box.url}/api/v1/system/restore`, { method: 'PUT', body: new Uint8Array(what) })

  it('comes as a stream, encrypted where a passphrase is given', async () => {
    expect((await make({ passphrase: 'short' })).status).toBe(422)
    await sees('before')
    const answer = await make({ passphrase })
    expect(answer.headers.get('content-disposition')).toMatch(
      /filename="gatehouse-box_\w+-\d+T\d+Z\.tar\.age"/,
    )
    bytes = await answer.bytes()
    expect(Buffer.from(bytes.subarray(0, 21)).toString()).toBe('age-encryption.org/v1')
    const plain = await (await make({ pictures: false })).bytes()
    expect(Buffer.from(plain).includes('gatehouse-backup.json')).toBe(true)
    expect(Buffer.from(plain).includes(SECRETS.nvr)).toBe(false)
    const { last, copies } = await call('GET', '/system/backups')
    expect(last).toMatchObject({ encrypted: false, pictures: false })
    expect(copies).toHaveLength(1)
    expect(readdirSync(join(data, 'copies'))).toHaveLength(1)
  })

  it('that nobody waits for any more leaves nothing behind', async () => {
    const gone = new AbortController()
    const answer = await fetch(`${box.url}/api/v1/system/backup`, {
      ...{ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' }, signal: gone.signal },
    })
    await answer.body?.getReader().read()
    gone.abort()
    await expect
      .poll(() => readdirSync(join(data, 'copies')).filter(name => name.startsWith('backup-')))
      .toEqual([])
    await expect
      .poll(async () => {
        const again = await make({ pictures: false })
        // Until all of it was read it is being made.
        await again.bytes()
        return again.status
      })
      .toBe(200)
  })

  it('comes back: it is looked at first, and only then the box starts anew as it', async () => {
    const after = await sees('after')
    const none = await fetch(`${box.url}/api/v1/system/restore`, {
      ...{ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
    })
    expect(none.status).toBe(409)
    expect(await (await send(bytes.subarray(0, bytes.length - 100))).json()).toMatchObject({
      encrypted: true,
    })
    await expect(call('POST', '/system/restore', { passphrase, confirmed: true })).rejects.toThrow(
      'bad_backup',
    )
    expect((await send(bytes)).status).toBe(200)
    await expect(call('POST', '/system/restore', { passphrase: 'not the passphrase' })).rejects.toThrow(
      'does not open',
    )
    const seen = await call('POST', '/system/restore', { passphrase })
    expect(seen).toMatchObject({ this_box: true, secrets: true, restarting: false })
    expect((await call('GET', `/runs/${after}`)).id).toBe(after)
    writeFileSync(join(data, 'secrets/nvr'), 'changed since')
    const before = await call('GET', '/system/health')
    expect(before.safe_mode).toBeNull()
    expect(await call('POST', '/system/restore', { passphrase, confirmed: true })).toMatchObject({
      restarting: true,
    })
    const titles = async () =>
      (await call('GET', '/notices')).notices.map((each: { title: string }) => each.title) as string[]
    for (;;) if ((await titles().catch(() => [])).some(each => each.includes('older state'))) break
    expect(readFileSync(join(data, 'secrets/nvr'), 'utf8')).toBe(SECRETS.nvr)
    expect((await call('GET', '/system/pause')).paused).toBe(true)
    await expect(call('GET', `/runs/${after}`)).rejects.toThrow('not_found')
    const { set_aside: aside, restore_problem: problem } = await call('GET', '/system/backups')
    expect([aside.length, problem]).toEqual([1, null])
    expect(readdirSync(data).filter(name => /upload|looked-at|restoring/.test(name))).toEqual([])
    const { body } = (await call('GET', '/notices')).notices.find((each: { title: string }) =>
      each.title.includes('older state'),
    )
    expect(body).toContain('by this machine')
  })
})
