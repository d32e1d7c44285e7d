import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jpeg } from '../connect/helpers.ts'
import { folder, gatehouse, serve } from './gatehouse.ts'

const SITE = `
page_url: "https://gate.lan:8088"
cameras:
  yard: { name: "Yard | <b>", roles: [yard], source: { folder: yard } }
  dark: { name: Dark, roles: [dark], source: { snapshot: "http://127.0.0.1:9/" } }
people:
  ann: { roles: [owner, guard], channels: [{ via: push, at: ann }], quiet_hours: { from: "22:00", to: "06:00" } }
  ben: { roles: [guard] }
channels:
  push: { kind: ntfy, url: "http://127.0.0.1:9/", token: { secret: ntfy } }
destinations:
  gate: { url: "http://192.0.2.9/open", class: move, headers: { authorization: { secret: gate } } }
`
const data = folder()
let box: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  mkdirSync(join(data, 'yard'))
  mkdirSync(join(data, 'secrets'))
  writeFileSync(join(data, 'yard', 'a.jpg'), jpeg())
  writeFileSync(join(data, 'secrets', 'ntfy'), 'tk_very_secret\n')
  writeFileSync(join(data, 'site.yaml'), SITE)
  box = await serve(['--data', data, '--no-demo'])
})
afterAll(async () => {
  await box.stop('SIGKILL')
  rmSync(data, { recursive: true, force: true })
})

const doctor = (...args: string[]) => gatehouse('doctor', '--data', data, ...args)
const lines = (out: string) => out.trim().split('\n')

describe('gatehouse doctor', () => {
  it('says in plain words what is well, what to know and what to do', async () => {
    const { code, out, err } = await doctor()
    expect([code, err]).toEqual([1, ''])
    const all = lines(out)
    expect(all).toContain('ok    Site file: It is in force.')
    expect(all).toContain(
      'BAD   Secret gate: It is named in the site file, and is not there or empty. Write it into the file secrets/gate of the data folder.',
    )
    expect(all).toContain('note  People ben: Has no channel: sees things on the page only.')
    expect(all).toContain('note  Channel push: It was never tried. Try it: gatehouse test channel push')
    expect(all).toContain('note  Camera Dark: It was not asked yet. Ask it: gatehouse test camera dark')
    expect(all.at(-1)).toMatch(/^1 to do, \d+ to know\.$/)
    expect(out).not.toContain('tk_very_secret')
  }, 30_000)

  it('is through with it once everything is in order', async () => {
    writeFileSync(join(data, 'secrets', 'gate'), 'key\n')
    const { code, out } = await doctor()
    expect(out).toContain('ok    Secrets: All 2 are there.')
    expect([code, lines(out).at(-1)]).toEqual([0, expect.stringMatching(/^All is well, \d+ to know\.$/)])
  }, 30_000)

  it('prints the page of a hand-over, with fresh pictures and what was tried', async () => {
    await gatehouse('test', 'channel', 'push', '--data', data)
    await gatehouse('test', 'destination', 'gate', '--data', data)
    const { code, out } = await doctor('--commission')
    expect(code).toBe(1)
    expect(out).toMatch(/^# Gatehouse on \S+\n\nHand-over of \d{4}-\d\d-\d\d \d\d:\d\d/)
    expect(out).toMatch(/\| Yard \\\| \\<b\\> \| yard \| folder \| \d+ s ago \|/)
    expect(out).toContain('| Dark | dark | snapshot | **none** |')
    expect(out).toContain('* **To do:** Camera Dark: camera dark')
    expect(out).toContain('| ann | owner, guard | push | 22:00 to 06:00 |')
    expect(out).toContain('| ben | guard | the page |  |')
    expect(out).toMatch(/\| push \| channel, ntfy \| \*\*does not work, \d+ s ago\*\* \|/)
    expect(out).toMatch(/\| gate \| move \| not tried: it moves, \d+ s ago \|/)
    expect(out).toContain('## Workflows\n\nNone.\n')
    expect(out).toMatch(/\| Hardware \| .*GB of memory \|/)
    expect(out).toContain('Handed over by')
    expect(out.split('\n').length).toBeLessThan(70)
    for (const secret of ['tk_very_secret', '127.0.0.1:9', '192.0.2.9']) expect(out).not.toContain(secret)
  }, 60_000)

  it('is for programs, too', async () => {
    const { out } = await doctor('--json')
    const { checks, report } = JSON.parse(out) as {
      checks: { area: string; state: string }[]
      report: { cameras: unknown[] }
    }
    expect(checks.every(({ state }) => ['good', 'note', 'bad'].includes(state))).toBe(true)
    expect(report.cameras).toHaveLength(2)
    expect((await doctor('what')).code).toBe(2)
  }, 30_000)

  it('says what it can of a box that is not up, and never speaks of another one', async () => {
    const other = folder()
    try {
      const none = await gatehouse('doctor', '--data', join(other, 'none'))
      expect([none.code, lines(none.out).at(-2)]).toEqual([1, expect.stringContaining('There is no folder')])
      writeFileSync(join(other, 'site.yaml'), 'cameras:\n  gate: { roles: gate }\nkeep: { dull: 1 }\n')
      const { code, out } = await gatehouse('doctor', '--data', other)
      expect(code).toBe(1)
      expect(out).toContain('BAD   Box: It is not up. Start it: gatehouse up')
      expect(out).toContain('BAD   Site file: It is not in force: ')
      const page = await gatehouse('doctor', '--commission', '--data', other)
      expect([page.code, page.err]).toEqual([1, expect.stringContaining('the box is not up')])
    } finally {
      rmSync(other, { recursive: true, force: true })
    }
  }, 30_000)
})

it('a box that was cut off says so when it is up again', async () => {
  const before = await notices(box.url)
  expect(before.map(({ title }) => title)).not.toContain('The box is up again')
  await box.stop('SIGKILL')
  box = await serve(['--data', data, '--no-demo'])
  const [newest] = await notices(box.url)
  expect(newest).toMatchObject({ title: 'The box is up again', severity: 'medium', run: null })
  await box.stop('SIGTERM')
  box = await serve(['--data', data, '--no-demo'])
  expect((await notices(box.url)).filter(({ title }) => title === 'The box is up again')).toHaveLength(1)
}, 60_000)

async function notices(url: string): Promise<{ title: string; severity: string; run: number | null }[]> {
  const response = await fetch(`${url}/api/v1/notices`)
  return ((await response.json()) as { notices: { title: string; severity: string; run: number | null }[] })
    .notices
}
