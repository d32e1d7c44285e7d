import { Database } from 'bun:sqlite'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folder, gatehouse, sample, serve } from './gatehouse.ts'

const WORKFLOW = `contract: workflow.v1
name: Kept
state: on
when: { webhook: {} }
then:
  - log: here
`

let data = ''
let box: Awaited<ReturnType<typeof serve>>
let hook = ''
const pass = join(folder(), 'pass')
beforeAll(async () => {
  data = folder()
  writeFileSync(join(data, 'site.yaml'), 'cameras:\n  yard: { name: Yard }\n')
  mkdirSync(join(data, 'secrets'))
  writeFileSync(join(data, 'secrets/nvr'), 'hunter2-hunter2')
  writeFileSync(pass, 'correct horse battery\n')
  box = await serve(['--data', data, '--no-demo'])
  const saved = await post('/api/v1/workflows', WORKFLOW, 'application/yaml')
  hook = saved.workflow.hook
  const form = new FormData()
  form.set('picture', new Blob([readFileSync(sample('dog.jpg'))], { type: 'image/jpeg' }), 'dog.jpg')
  expect((await fetch(box.url + hook, { method: 'POST', body: form })).ok).toBe(true)
})
afterAll(() => box.stop('SIGKILL'))

async function post(path: string, body: string, type = 'application/json') {
  const answer = await fetch(box.url + path, { method: 'POST', headers: { 'content-type': type }, body })
  const said = await answer.json()
  if (!answer.ok) throw new Error(JSON.stringify(said))
  return said
}

async function back(...args: string[]): Promise<{ file: string; media: number; secrets: boolean }> {
  const { code, out, err } = await gatehouse('backup', '--data', data, '--json', ...args)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

describe('a backup', () => {
  it('of a box at work becomes the same box in another folder, with its pictures and, encrypted, its secrets', async () => {
    // Somebody writes all the time.
    let writing = true
    const writer = (async () => {
      while (writing) await post(hook, '{}')
    })()
    const made = await back('--to', folder(), '--encrypt', '--passphrase-file', pass)
    writing = false
    await writer
    expect(made).toMatchObject({ media: 1, secrets: true })
    expect(statSync(made.file).mode & 0o777).toBe(0o600)
    expect(readFileSync(made.file).includes('hunter2')).toBe(false)

    const other = folder()
    const restored = await gatehouse('restore', made.file, '--passphrase-file', pass, '--data', other)
    expect([restored.code, restored.err]).toEqual([0, ''])
    expect(readFileSync(join(other, 'secrets/nvr'), 'utf8')).toBe('hunter2-hunter2')
    expect(readdirSync(other)).not.toContain('restoring')
    const again = await serve(['--data', other, '--no-demo'])
    try {
      const get = async (path: string) => (await fetch(again.url + path)).json()
      expect((await get('/api/v1/workflows')).workflows).toMatchObject([{ slug: 'kept', state: 'on' }])
      const titles = (await get('/api/v1/notices')).notices.map((each: { title: string }) => each.title)
      expect(titles).toContainEqual(expect.stringContaining('older state'))
      expect((await get('/api/v1/system/health')).cameras).toMatchObject([{ id: 'yard' }])
      const picture = await fetch(`${again.url}/api/v1/media/1`)
      const bytes = Buffer.from(await picture.arrayBuffer())
      expect(bytes.equals(readFileSync(sample('dog.jpg')))).toBe(true)
    } finally {
      await again.stop()
    }
  })

  it('that is not encrypted holds no secret; the newest stay', async () => {
    const to = folder()
    for (let n = 0; n < 3; n++) {
      const made = await back('--to', to, '--keep', '2')
      expect(made.secrets).toBe(false)
      expect(readFileSync(made.file).includes('hunter2')).toBe(false)
      await Bun.sleep(1_000) // Its name has seconds.
    }
    expect(readdirSync(to).filter(name => name.endsWith('.tar'))).toHaveLength(2)
    expect(readdirSync(to)).toHaveLength(2)
  })

  it('for a key is opened by that key only', async () => {
    const identity = await generateIdentity()
    const file = join(folder(), 'key')
    writeFileSync(file, `# a comment\n${identity}\n`)
    const made = await back(
      '--to',
      join(folder(), 'b.tar.age'),
      '--recipient',
      await identityToRecipient(identity),
    )
    const refused = await gatehouse('restore', made.file, '--passphrase-file', pass, '--data', folder())
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('does not open this backup') })
    const opened = await gatehouse('restore', made.file, '--identity', file, '--data', folder())
    expect([opened.code, opened.err]).toEqual([0, ''])
  })

  it('sets aside what was there, and needs the box to be stopped', async () => {
    const made = await back('--to', folder())
    const busy = await gatehouse('restore', made.file, '--data', data)
    expect(busy).toMatchObject({ code: 1, err: expect.stringContaining(String(box.pid)) })
    const other = folder()
    expect((await gatehouse('restore', made.file, '--data', other)).code).toBe(0)
    writeFileSync(join(other, 'site.yaml'), '# changed since\n')
    mkdirSync(join(other, 'copies'), { recursive: true })
    copyFileSync(join(other, 'gatehouse.db'), join(other, 'copies/gatehouse-20990101T000000Z.db'))
    await Bun.sleep(1_000)
    expect((await gatehouse('restore', made.file, '--data', other)).code).toBe(0)
    const [aside = ''] = readdirSync(join(other, 'damaged'))
    expect(readFileSync(join(other, 'damaged', aside, 'site.yaml'), 'utf8')).toContain('changed since')
    expect(readFileSync(join(other, 'site.yaml'), 'utf8')).toContain('yard')
    expect(existsSync(join(other, 'copies'))).toBe(false)
  })

  it('that cannot be written says what to do, and leaves nothing', async () => {
    const nowhere = await gatehouse('backup', '--data', data, '--to', join(folder(), 'usb', 'b.tar'))
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('connected and mounted') })
    const empty = folder()
    const none = await gatehouse('backup', '--data', empty, '--to', folder())
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('There is no box') })
    expect(readdirSync(empty)).toEqual([])
    expect(readdirSync(join(data, 'copies'))).toEqual([])
  })
})

describe('what is no whole backup', () => {
  let good = Buffer.alloc(0)
  beforeAll(async () => {
    good = readFileSync((await back('--to', folder())).file)
  })

  /** Restores it over a box, which has to stay as it was. */
  async function refused(bytes: Uint8Array): Promise<string> {
    const other = folder()
    writeFileSync(join(other, 'site.yaml'), '# mine\n')
    const file = join(folder(), 'b.tar')
    writeFileSync(file, bytes)
    const { code, err } = await gatehouse('restore', file, '--data', other)
    expect(code).toBe(1)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(readdirSync(other).filter(name => !name.startsWith('gatehouse.lock'))).toEqual(['site.yaml'])
    expect(existsSync(join(other, '../evil.yaml'))).toBe(false)
    return err
  }

  /** A backup with these members. */
  async function archive(members: [string, string | Uint8Array, object?][]): Promise<Buffer> {
    const tar = pack()
    for (const [name, bytes, more] of members) tar.entry({ name, ...more }, Buffer.from(bytes))
    tar.finalize()
    const chunks: Uint8Array[] = []
    for await (const chunk of tar) chunks.push(chunk as Uint8Array)
    return Buffer.concat(chunks)
  }
  const head = JSON.stringify({ schema: 'gatehouse.backup.v1', at: '2026-11-30T03:00:00Z', secrets: false })
  const begun: [string, string] = ['gatehouse-backup.json', head]

  it('cut off, changed, or something else', async () => {
    expect(await refused(good.subarray(0, good.length - 20_000))).toContain('no whole backup')
    const changed = Buffer.from(good)
    const picture = readFileSync(sample('dog.jpg'))
    changed.fill(
      0,
      changed.indexOf(picture.subarray(0, 64)) + 1000,
      changed.indexOf(picture.subarray(0, 64)) + 1010,
    )
    expect(await refused(changed)).toContain('is damaged')
    const torn = Buffer.from(good)
    const at = torn.indexOf('SQLite format 3')
    torn.fill(0xa5, at + 4096, at + 40_000)
    expect(await refused(torn)).toContain('database is damaged')
    expect(await refused(Buffer.from('GIF89a'))).toContain('no whole backup')
    expect(await refused(Buffer.alloc(0))).toContain('no whole backup')
  })

  it('made to write elsewhere, or to hold what does not belong there', async () => {
    for (const name of [
      '../evil.yaml',
      '/tmp/evil.yaml',
      'media/../../evil.yaml',
      'secrets/nvr',
      'starts.json',
      'gatehouse.db-wal',
    ])
      expect(await refused(await archive([begun, [name, 'x']]))).toContain('does not belong there')
    expect(
      await refused(await archive([begun, ['site.yaml', '', { type: 'symlink', linkname: '/etc/passwd' }]])),
    ).toContain('does not belong')
    expect(await refused(await archive([['site.yaml', 'x'], begun]))).toContain('does not begin like one')
    expect(await refused(await archive([begun, ['site.yaml', 'x'], ['site.yaml', 'y']]))).toContain('twice')
    expect(
      await refused(await archive([['gatehouse-backup.json', '{"schema":"gatehouse.backup.v9"}']])),
    ).toContain('newer')
  })

  it('with a database of another program', async () => {
    const file = join(folder(), 'x.db')
    const db = new Database(file)
    db.run('CREATE TABLE meta (key TEXT, value TEXT)')
    db.close()
    const end = JSON.stringify({ members: 2, media: 0, missing: 0 })
    expect(
      await refused(await archive([begun, ['gatehouse.db', readFileSync(file)], ['end.json', end]])),
    ).toContain('database is damaged')
  })
})
