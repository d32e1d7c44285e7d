import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock, noLog } from '../../src/core/index.ts'
import { Site, SiteRules, selfMapped } from '../../src/site/index.ts'
import { Store } from '../../src/store/index.ts'
import { startBox } from '../web/box.ts'

const FILE = `
facts: The gate is on the north side.
modes: [day, night]
cameras:
  gate: { name: Main gate, roles: [gate] }
people: { ann: { roles: [guard] } }
lists: { residents: [B-AB 123], staff: [M XY 9] }
destinations: { chat: { url: "http://127.0.0.1:9/chat", class: tell } }
`

let dir: string
let store: Store
let clock: ManualClock
let changes: number
let rules: SiteRules

async function open(file = FILE, base = Site.load(file, '/data/site.yaml')) {
  store = new Store({ dir, clock })
  store.start()
  const onChange = async () => {
    changes++
  }
  rules = new SiteRules({ store, clock, log: noLog, base, onChange })
  await rules.start()
}

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-rules-'))
  clock = new ManualClock()
  changes = 0
  await open()
})
afterEach(() => {
  store.stop()
  rmSync(dir, { recursive: true, force: true })
})

const put = (set: unknown, expected: number | null = null) => rules.put(set, 'Ann', expected)

describe('cameras that are set on the box', () => {
  const triangle = [
    [0, 0],
    [0.5, 0.25],
    [0, 1],
  ]
  const source = {
    snapshot: { url: 'http://192.168.1.9/snap?key=x', user: 'box', password: { secret: 'camera-1f' } },
  }

  it('stand beside those of the site file, and say where they are from without what opens them', async () => {
    const { in_force: now } = await put({ cameras: { yard: { name: 'The yard', source } } })
    expect(now.cameras).toMatchObject([
      { camera: 'gate', from: 'file', source: null },
      {
        camera: 'yard',
        name: 'The yard',
        from: 'page',
        source: { kind: 'snapshot', place: 'http://192.168.1.9/snap', user: 'box', password: true },
      },
    ])
    expect(rules.site.rolesOf('yard')).toEqual(['yard'])
    expect(rules.versions()[0]?.change).toBe('cameras: yard')
    await put({})
    expect(rules.site.camera('yard')).toBeNull()
  })

  it('have zones and masks set over those of the file, in a version of their own', async () => {
    const version = rules.site.version
    const view = await put({ zones: { gate: { lawn: triangle } }, masks: { gate: { window: triangle } } })
    expect(view.version).toBe(version + 1)
    expect(rules.site.zone('gate', 'lawn')).toEqual(triangle)
    expect(rules.site.view().zones?.get('gate')).toEqual(new Set(['lawn']))
    expect(rules.site.masksOf('gate')).toEqual([triangle])
    expect(view.in_force.cameras[0]).toMatchObject({
      zones_from: 'page',
      masks_from: 'page',
      masks: { window: triangle },
    })
    expect(rules.versions()[0]?.change).toBe('zones: gate; masks: gate')
    store.stop()
    await open()
    expect(rules.site.masksOf('gate')).toEqual([triangle])
  })

  it('keep their masks where nothing else fits the site file any more', async () => {
    await put({ masks: { gate: { window: triangle } }, facts: 'x' })
    const stored = store.siteRules.current()
    store.stop()
    const db = new Database(join(dir, 'gatehouse.db'))
    db.run('UPDATE site_rules_versions SET rules = ? WHERE version = ?', [
      JSON.stringify({
        ...JSON.parse(stored?.rules ?? ''),
        destinations: { chat: { url: 'ftp://x/', class: 'tell' } },
      }),
      stored?.version ?? 0,
    ])
    db.close()
    await open()
    expect(rules.site.facts).toBe('The gate is on the north side.')
    expect(rules.site.masksOf('gate')).toEqual([triangle])
  })

  it('keep their masks where an older release does not know what else was set', async () => {
    await put({ masks: { gate: { window: triangle } } })
    const stored = store.siteRules.current()
    if (!stored) throw new Error('something was set')
    const later = { ...JSON.parse(stored.rules ?? ''), something_newer: { a: 1 } }
    await store.write(() =>
      store.siteRules.add({ ...stored, version: stored.version + 1, rules: JSON.stringify(later) }),
    )
    store.stop()
    await open()
    expect(rules.site.masksOf('gate')).toEqual([triangle])
  })

  it('are masked by whatever somebody may call them', async () => {
    store.stop()
    await open(
      'nvr: { url: "http://10.0.0.1", key: { secret: key } }\ncameras: { north: { roles: [gate], source: { nvr: cam3 } }, south: { roles: [gate], source: { nvr: cam4 } } }\n',
    )
    const other = triangle.map(([x = 0, y = 0]) => [1 - x, y])
    await put({ masks: { north: { a: triangle }, south: { b: other } } })
    const { site } = rules
    expect([site.masksOf('north'), site.masksOf('3'), site.masksOf('cam-3')]).toEqual(
      Array(3).fill([triangle]),
    )
    expect([site.masksOf('North'), site.masksOf(' NORTH ')]).toEqual(Array(2).fill([triangle]))
    expect(site.masksOf('gate')).toEqual([triangle, other])
    expect(site.masksOf('elsewhere')).toEqual([])
  })

  it('send a password to no other machine than the one that it was given for', async () => {
    const at = (url: string) => ({
      source: { snapshot: { url, user: 'box', password: { secret: 'camera-1f' } } },
    })
    await put({ cameras: { shed: at('http://192.168.1.9/snap') } })
    await put({ cameras: { shed: at('http://192.168.1.9:8080/other') } })
    const refused = { code: 'rules_invalid', message: expect.stringContaining('give its password anew') }
    const elsewhere = at('http://192.168.1.66/snap')
    await expect(put({ cameras: { shed: elsewhere } })).rejects.toMatchObject(refused)
    expect(() => rules.siteWith('other', elsewhere)).toThrow(expect.objectContaining(refused))
    // Nor once the camera is gone.
    await put({})
    await expect(put({ cameras: { new: elsewhere } })).rejects.toMatchObject(refused)
    await put({ cameras: { new: at('http://192.168.1.9/snap') } })
  })

  it.each([
    [{ cameras: { gate: { source } } }, 'gate is a camera of the site file'],
    [{ cameras: { a: { source: { folder: '../../etc' } } } }, 'must be the name of a folder'],
    [{ cameras: { a: { source: { folder: '/etc' } } } }, 'must be the name of a folder'],
    [
      { cameras: { a: { source: { snapshot: { url: 'http://x/', password: { secret: 'chat-token' } } } } } },
      'names the secret',
    ],
    [{ cameras: { a: { source: { snapshot: 'http://u:p@x/' } } } }, 'holds credentials'],
    [{ cameras: { a: { source: { rtsp: 'http://x/' } } } }, 'begins with rtsp://'],
    [{ cameras: { a: { source: { nvr: 'cam1' } } } }, 'needs the NVR'],
    [{ masks: { roof: { a: triangle } } }, 'roof is no camera of this site'],
    [
      {
        masks: {
          gate: {
            a: [
              [0, 0],
              [0.5, 0.5],
              [1, 1],
            ],
          },
        },
      },
      'covers nothing',
    ],
    [
      {
        masks: {
          gate: {
            a: [
              [0, 0],
              [0.5, 0.5],
            ],
          },
        },
      },
      'at least three points',
    ],
    [
      {
        zones: {
          gate: {
            a: [
              [0, 0],
              [2, 0.5],
              [1, 1],
            ],
          },
        },
      },
      'from 0 to 1',
    ],
  ])('are refused as %j', async (set, message) => {
    await expect(put(set)).rejects.toMatchObject({
      code: 'rules_invalid',
      message: expect.stringContaining(message),
    })
  })
})

describe('the rules of a site', () => {
  it('are the site file’s until something is set, which lies over it', async () => {
    expect(rules.site.list('residents')).toEqual(['B-AB 123'])
    const view = await put({
      facts: 'Deliveries come at ten.',
      lists: { residents: ['K-A 1', { value: 'K-A 2', note: 'Bob' }], watchlist: ['X-X 1'] },
      people: { bob: { roles: ['guard', 'owner'] } },
      camera_roles: { gate: ['gate', 'front'] },
      tools: { search_footage: 'unavailable' },
      destinations: { horn: { url: 'http://127.0.0.1:9/horn', class: 'move' } },
    })
    const { site } = rules
    expect(site.facts).toBe('Deliveries come at ten.')
    expect(site.list('residents')).toEqual(['K-A 1', 'K-A 2'])
    expect(site.list('staff')).toEqual(['M XY 9'])
    expect(site.rolesOf('gate')).toEqual(['gate', 'front'])
    expect(site.cameraName('gate')).toBe('Main gate')
    expect(site.destination('horn')?.class).toBe('move')
    expect([site.toolMode('search_footage'), site.toolMode('detect_objects')]).toEqual([
      'unavailable',
      'auto',
    ])
    const seen = site.view()
    expect([...seen.lists]).toEqual(['residents', 'staff', 'watchlist'])
    expect([...seen.people, ...seen.personRoles]).toEqual(['ann', 'bob', 'guard', 'owner'])
    expect(view.in_force.lists).toEqual([
      { name: 'residents', entries: 2, from: 'page', hides_file: true },
      { name: 'staff', entries: 1, from: 'file', hides_file: false },
      { name: 'watchlist', entries: 1, from: 'page', hides_file: false },
    ])
    expect(view.in_force.modes).toEqual({ names: ['day', 'night'], from: 'file' })
    expect(view.in_force.facts.from).toBe('page')
    expect([view.version, site.version, changes]).toEqual([2, 2, 1])
    await put({})
    expect(rules.site.list('residents')).toEqual(['B-AB 123'])
  })

  it('survive a restart, and a changed site file is a version too', async () => {
    await put({ facts: 'Set here.' })
    store.stop()
    await open()
    expect([rules.site.facts, rules.site.version]).toEqual(['Set here.', 2])
    store.stop()
    await open(FILE.replace('M XY 9', 'M XY 10'))
    expect([rules.site.facts, rules.site.version]).toEqual(['Set here.', 3])
    expect(rules.versions().map(({ version, by, change, facts }) => [version, by, change, facts])).toEqual([
      [3, 'site.yaml', 'the site file', 'Set here.'],
      [2, 'Ann', 'facts', 'Set here.'],
      [1, 'site.yaml', 'first start', 'The gate is on the north side.'],
    ])
  })

  it('are audited: who, what, when, and what it was before and after', async () => {
    clock.advance(5_000)
    await put({ lists: { residents: ['B-AB 123', 'K-A 1'] } })
    const [last, first] = store.audit.list({ limit: 9 })
    expect(last).toMatchObject({
      author: 'Ann',
      action: 'site-rules',
      target: 'list residents: 2 added, 0 removed',
      at: clock.now(),
      before: first?.after,
    })
    expect(last?.after).toMatch(/^[0-9a-f]{64}$/)
    expect(last?.after).not.toBe(last?.before)
    // The same again is no change.
    await put({ lists: { residents: ['B-AB 123', 'K-A 1'] } })
    expect([store.audit.list({ limit: 9 }).length, rules.site.version]).toEqual([2, 2])
  })

  it.each([
    ['facts of 301 words', { facts: 'word '.repeat(301) }, 'facts has 301 words: keep it to 300.'],
    ['what is no rule', { time_zone: 'UTC' }, 'time_zone is not known'],
    ['a camera that is not there', { camera_roles: { yard: ['yard'] } }, 'yard is no camera'],
    ['a number for a plate', { lists: { residents: [123] } }, 'lists.residents.0 must be'],
    ['a name that is none', { lists: { __proto: ['a'] } }, '__proto is not a name'],
    ['a wrong address', { destinations: { x: { url: 'ftp://x', class: 'tell' } } }, 'must be an address'],
    [
      'a way to use tools that is none',
      { tools: { a: 'always' } },
      'tools.a must be auto, ask or unavailable',
    ],
    ['nothing', null, '`set` must be rules'],
    [
      'more lists than a site has',
      { lists: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`l${i}`, []])) },
      'more than 64',
    ],
  ])('refuse %s and stay as they are', async (_, set, message) => {
    await expect(put(set)).rejects.toMatchObject({
      code: 'rules_invalid',
      status: 422,
      message: expect.stringContaining(message),
    })
    expect([rules.site.version, changes]).toEqual([1, 0])
    expect((await put({ facts: 'word '.repeat(300) })).version).toBe(2)
  })

  it('are changed one after the other, and not over what somebody else changed', async () => {
    await Promise.all([rules.putList('a', 'one', 'Ann'), rules.putList('b', 'two', 'Bob')])
    expect([rules.site.list('a'), rules.site.list('b'), rules.site.version]).toEqual([['one'], ['two'], 3])
    await expect(put({ facts: 'x' }, 2)).rejects.toMatchObject({ code: 'rules_changed', status: 409 })
    expect((await put({ facts: 'x' }, 3)).version).toBe(4)
  })

  it('change part by part, and what is given back is as the site file says', async () => {
    await put({ facts: 'x', people: { bob: { roles: ['guard'] } } })
    const view = await rules.putPart('people', { eve: { roles: [] } }, 'Bob', 2)
    expect([Object.keys(view.set), view.version, view.by]).toEqual([['facts', 'people'], 3, 'Bob'])
    expect(rules.site.person('bob')).toBeNull()
    const back = await rules.putPart('facts', null, 'Bob', null)
    expect(back.in_force.facts).toEqual({ text: 'The gate is on the north side.', from: 'file' })
    expect(back.in_force.people).toMatchObject([
      { name: 'ann', from: 'file', in_file: true },
      { name: 'eve', from: 'page', in_file: false },
    ])
    await expect(rules.putPart('modes', [], 'Bob', null)).rejects.toMatchObject({ code: 'rules_invalid' })
    await expect(rules.putPart('facts', 'y', 'Ann', 3)).rejects.toMatchObject({ code: 'rules_changed' })
  })

  it('say what each version changed, and bring one back', async () => {
    await put({ facts: 'One.', lists: { residents: ['a', { value: 'b', note: 'B' }] } })
    await put({ facts: 'Two.', lists: { residents: ['b', 'c'], more: ['x'] } })
    expect(rules.version(3)).toMatchObject({
      version: 3,
      by: 'Ann',
      changes: [
        { part: 'facts', before: 'One.', after: 'Two.' },
        {
          ...{ part: 'list', name: 'residents', set: true, added: 1, removed: 1, noted: 1 },
          ...{ first_added: ['c'], first_removed: ['a'] },
        },
        { part: 'list', name: 'more', set: true, added: 1, removed: 0 },
      ],
      back: [],
    })
    expect(rules.version(1)).toMatchObject({
      changes: [],
      back: [
        { part: 'facts', before: 'Two.', after: null },
        { part: 'list', name: 'residents', set: false, removed: 2 },
        { part: 'list', name: 'more', set: false, removed: 1 },
      ],
    })
    expect(rules.version(9)).toBeNull()
    await expect(rules.takeBack(2, 'Bob', 2)).rejects.toMatchObject({ code: 'rules_changed' })
    expect((await rules.takeBack(2, 'Bob', 3)).version).toBe(4)
    expect([rules.site.facts, rules.entries('residents')]).toEqual([
      'One.',
      [{ value: 'a' }, { value: 'b', note: 'B' }],
    ])
    expect(store.audit.list({ limit: 1 })[0]).toMatchObject({ author: 'Bob', action: 'site-rules' })
    await expect(rules.takeBack(9, 'Bob', null)).rejects.toMatchObject({ code: 'not_kept', status: 404 })
  })

  it('say what a list would become before it does, and refuse it over what somebody else set', async () => {
    await put({ lists: { residents: ['a', { value: 'b', note: 'B' }] } })
    const csv = 'value,note\nb,Bob\nc,\nc,\n'
    const change = { entries: 2, duplicates: 1, added: 1, removed: 1, noted: 1 }
    expect(rules.previewList('residents', csv)).toMatchObject({ version: 2, ...change, first_removed: ['a'] })
    expect(rules.previewList('new', csv)).toMatchObject({ added: 2, removed: 0, noted: 0 })
    expect(() => rules.previewList('residents', '"')).toThrow('never closed')
    expect([rules.site.version, rules.entries('new')]).toEqual([2, null])
    await expect(rules.putList('residents', csv, 'Ann', 1)).rejects.toMatchObject({ code: 'rules_changed' })
    expect(await rules.putList('residents', csv, 'Ann', 2)).toMatchObject({ version: 3, ...change })
    await expect(rules.dropList('residents', 'Ann', 2)).rejects.toMatchObject({ code: 'rules_changed' })
  })

  it('change what a destination of the site file does, and leave where it goes and what it is told', async () => {
    store.stop()
    const signed = 'chat: { url: "http://127.0.0.1:9/chat", class: tell, sign: { secret: chat } }'
    await open(FILE.replace(/chat: \{.*?\}/, signed))
    const view = await put({ destinations: { chat: { class: 'move' } } })
    expect(rules.site.destination('chat')).toMatchObject({ class: 'move', sign: { secret: 'chat' } })
    expect(view.in_force.destinations).toMatchObject([
      { name: 'chat', class: 'move', host: '127.0.0.1:9', from: 'page', in_file: true },
    ])
    // One that goes elsewhere is another one: it is told nothing that was meant for the first.
    await put({ destinations: { chat: { url: 'http://127.0.0.1:8/', class: 'tell' } } })
    expect(rules.site.destination('chat')).toMatchObject({ url: new URL('http://127.0.0.1:8/'), sign: null })
    await expect(put({ destinations: { other: { class: 'tell' } } })).rejects.toThrow('needs url')
  })

  it.each([
    { evil: { url: 'http://10.6.6.6/', class: 'tell', headers: { 'X-Key': { secret: 'nvr-key' } } } },
    { evil: { url: 'http://10.6.6.6/', class: 'tell', sign: { secret: 'nvr-key' } } },
    { chat: { class: 'tell', headers: { 'X-Key': { secret: 'nvr-key' } } } },
  ])('send no secret to a destination of somebody’s choice: %j', async destinations => {
    await expect(put({ destinations })).rejects.toMatchObject({
      code: 'rules_invalid',
      message: expect.stringContaining('names a secret'),
    })
  })

  it('do not count before they are on the disk', async () => {
    const write = store.write.bind(store)
    store.write = () => Promise.reject(new Error('full'))
    await expect(rules.putList('a', 'one', 'Ann')).rejects.toThrow('full')
    expect([rules.site.list('a'), rules.site.version]).toEqual([null, 1])
    store.write = write
    await rules.putList('a', 'one', 'Ann')
    expect(rules.site.list('a')).toEqual(['one'])
  })

  it('that do not fit any more leave the site file alone', async () => {
    await put({ facts: 'x' })
    await store.write(() =>
      store.siteRules.add({
        version: 3,
        hash: '',
        rules: '{"facts":7}',
        facts: null,
        author: '',
        change: '',
        at: 0,
      }),
    )
    store.stop()
    await open()
    expect(rules.site.facts).toBe('The gate is on the north side.')
  })

  it('lie over no site that has every name by itself', async () => {
    store.stop()
    await open('', selfMapped())
    expect(rules.site.rolesOf('anything')).toEqual(['anything'])
  })

  it('keep the text of the last hundred versions', async () => {
    for (let i = 0; i < 101; i++) await rules.putList('a', `entry ${i}`, 'Ann')
    const { siteRules } = store
    expect(siteRules.get(2)).toMatchObject({ rules: null, change: 'list a: 1 added, 0 removed' })
    expect(siteRules.get(3)?.rules).not.toBeNull()
    expect([siteRules.say('"entry 0"'), siteRules.say('"entry 1"')]).toEqual([false, true])
    // Who lists versions is given none of these texts, which may be long.
    const versions = siteRules.list(1_000)
    expect(versions.length).toBeGreaterThan(100)
    expect(versions.filter(version => 'rules' in version)).toEqual([])
  })
})

describe('over HTTP', () => {
  it('lists go in and out as CSV, and rules as JSON', async () => {
    const box = await startBox(0, new ManualClock(), rules)
    const url = `http://127.0.0.1:${box.port}/api/v1/site-rules`
    try {
      const csv = '\ufeffvalue,note\r\nK-A 1,Bob\r\nK-A 1,\r\n'
      const send = (file: string, body: string, type = 'text/csv; charset=utf-8') =>
        fetch(`${url}/lists/${file}`, { method: 'PUT', headers: { 'content-type': type }, body })
      const made = await send('expected-visitors.csv', csv)
      expect([made.status, await made.json()]).toMatchObject([
        200,
        { version: 2, entries: 1, duplicates: 1, added: 1, removed: 0 },
      ])
      const read = await fetch(`${url}/lists/expected-visitors.csv`)
      expect(read.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(read.headers.get('content-disposition')).toBe('attachment; filename="expected-visitors.csv"')
      expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(await read.bytes())).toBe(
        '\ufeffvalue,note\r\nK-A 1,Bob\r\n',
      )
      expect(await (await fetch(`${url}/lists/staff.csv`)).text()).toBe('value\r\nM XY 9\r\n')
      for (const [file, body, type, status] of [
        ['staff.csv', '"', 'text/csv', 422],
        ['staff.csv', 'a', 'image/png', 415],
        ['staff.txt', 'a', 'text/csv', 404],
        ['..%2fx.csv', 'a', 'text/csv', 404],
        ['staff.csv', 'a'.repeat(1024 * 1024 + 1), 'text/csv', 413],
      ] as const)
        expect([file, (await send(file, body, type)).status]).toEqual([file, status])
      expect((await fetch(`${url}/lists/nobody.csv`)).status).toBe(404)
      // What is empty by accident takes nobody away; what is set here can be given back to the file.
      for (const nothing of ['', ' \r\n', '\ufeff']) {
        const refused = await send('staff.csv', nothing)
        expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'empty_file' }])
      }
      expect(rules.site.list('staff')).toEqual(['M XY 9'])
      expect(await (await send('staff.csv?empty=true', '')).json()).toMatchObject({ version: 3, entries: 0 })
      expect(rules.site.list('staff')).toEqual([])
      const drop = () => fetch(`${url}/lists/staff.csv`, { method: 'DELETE' })
      expect(await (await drop()).json()).toEqual({ version: 4 })
      expect(rules.site.list('staff')).toEqual(['M XY 9'])
      expect(rules.site.list('expected-visitors')).toEqual(['K-A 1'])
      const again = await drop()
      expect([again.status, await again.json()]).toMatchObject([404, { code: 'not_set' }])

      const json = (body: unknown, path = '', method = 'PUT') =>
        fetch(url + path, {
          method,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      expect((await json({ set: { facts: 'x '.repeat(301) } })).status).toBe(422)
      expect((await json({ version: 1, set: {} })).status).toBe(409)
      expect((await json({ version: 'x', set: {} })).status).toBe(422)
      expect(await (await json({ version: 4, set: { facts: 'New.' } })).json()).toMatchObject({ version: 5 })
      expect(await (await fetch(url)).json()).toMatchObject({
        version: 5,
        by: 'this machine',
        set: { facts: 'New.' },
        in_force: { facts: { text: 'New.', from: 'page' } },
      })
      expect(await (await fetch(`${url}/versions`)).json()).toMatchObject({
        versions: [{ version: 5 }, {}, {}, {}, {}],
      })
      expect(await (await fetch(`${url}/versions/5`)).json()).toMatchObject({
        changes: [{ part: 'facts', before: null, after: 'New.' }, { name: 'expected-visitors' }],
      })
      for (const [version, status] of [
        ['0', 404],
        ['99', 404],
        ['x', 404],
      ] as const)
        expect((await fetch(`${url}/versions/${version}`)).status).toBe(status)
      const tools = { value: { search_footage: 'ask' }, version: 5 }
      expect(await (await json(tools, '/parts/tools')).json()).toMatchObject({ version: 6 })
      expect((await json(tools, '/parts/tools')).status).toBe(409)
      expect((await json(tools, '/parts/lists')).status).toBe(404)
      expect((await json({ version: 6 }, '/parts/tools')).status).toBe(422)
      expect((await json({ to: 4, version: 5 }, '/rollback', 'POST')).status).toBe(409)
      expect((await json({}, '/rollback', 'POST')).status).toBe(422)
      expect(await (await json({ to: 4, version: 6 }, '/rollback', 'POST')).json()).toMatchObject({
        version: 7,
        set: { lists: { 'expected-visitors': [{ value: 'K-A 1', note: 'Bob' }] } },
      })
      expect(await (await fetch(`${url}/entries/expected-visitors`)).json()).toEqual({
        version: 7,
        entries: [{ value: 'K-A 1', note: 'Bob' }],
      })
      expect((await fetch(`${url}/entries/nobody`)).status).toBe(404)
      expect(await (await fetch(`${url}?without=lists`)).json()).toMatchObject({ version: 7, set: {} })
      const look = await send('expected-visitors.csv?preview=true', 'K-A 2')
      expect(await look.json()).toMatchObject({ version: 7, added: 1, removed: 1 })
      expect(rules.site.list('expected-visitors')).toEqual(['K-A 1'])
      expect((await send('expected-visitors.csv?version=6', 'K-A 2')).status).toBe(409)
    } finally {
      await box.stop()
    }
  })
})

it('a site file whose version cannot be stored is not in force, and is when it can', async () => {
  const { write } = store
  store.write = () => Promise.reject(new Error('the disk is gone'))
  const base = Site.load(FILE.replace('[day, night]', '[day, dusk]'), '/data/site.yaml')
  await expect(rules.rebase(base)).rejects.toThrow('the disk is gone')
  expect([rules.site.modes, rules.view().version, changes]).toEqual([['day', 'night'], 1, 0])
  store.write = write
  await put({ facts: 'New.' })
  expect([rules.site.modes, rules.view().version]).toEqual([['day', 'night'], 2])
  await rules.rebase(base)
  expect([rules.site.modes, rules.site.facts, rules.view().version]).toEqual([['day', 'dusk'], 'New.', 3])
})

it('the site file that changes under them is in force at once, with what was set over it, and is a version', async () => {
  await put({ lists: { residents: ['K-A 1'] } })
  const before = rules.view().version
  await rules.rebase(
    Site.load(FILE.replace('[day, night]', '[day, dusk]').replace('B-AB 123', 'B-AB 9'), '/data/site.yaml'),
  )
  expect(rules.site.modes).toEqual(['day', 'dusk'])
  expect(rules.site.list('residents')).toEqual(['K-A 1'])
  expect(rules.view()).toMatchObject({ version: before + 1, by: 'site.yaml' })
  expect(changes).toBe(2)
  await put({})
  expect(rules.site.list('residents')).toEqual(['B-AB 9'])
})
