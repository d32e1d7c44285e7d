import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'

test('a box takes over a changed site file while it runs, cameras and workflows included, and refuses a wrong one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-site-file-'))
  const file = join(dataDir, 'site.yaml')
  const first = 'cameras: { gate: { roles: [gate] } }\npeople: { ann: { roles: [guard] } }\n'
  const write = (text: string) => writeFileSync(file, text)
  write(first)
  const site = Site.load(first, file)
  const box = new Appliance({
    dataDir,
    resources: resources(),
    site,
    siteFile: { file, text: first },
    log: noLog,
    port: 0,
  })
  onTestFinished(async () => {
    await box.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const { url } = await box.start()
  const health = async () =>
    (await fetch(`${url}/api/v1/system/health`)).json() as Promise<{
      site_problem: string
      cameras: { id: string }[]
    }>
  const saved = await box.engine.save(`
contract: workflow.v1
name: Tell
state: on
when: { event: { schema: picture.arrived.v1 } }
then: [ notify: { who: role:guard, message: "{camera_id}" } ]
`)
  if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
  const view = () => box.engine.workflow('tell')

  // The role is gone, and a camera with a folder is new.
  const folder = join(dataDir, 'pictures')
  mkdirSync(folder)
  const second = `cameras: { gate: { roles: [gate] }, yard: { roles: [yard], source: { folder: "${folder}" } } }\n`
  write(second)
  await expect.poll(() => view()?.needs_attention, { timeout: 8_000 }).toContain('guard')
  await expect.poll(async () => (await health()).cameras.map(({ id }) => id)).toEqual(['gate', 'yard'])

  write('cameras: [gate]\n')
  await expect.poll(async () => (await health()).site_problem, { timeout: 8_000 }).toContain('site.yaml:1:')
  expect((await health()).cameras).toHaveLength(2)
  expect(box.engine.notices({ limit: 9 }).map(({ title }) => title)).toEqual([
    expect.stringContaining('not taken over'),
    'Tell stands still',
  ])

  // It comes back as what it was, and the new camera is watched.
  write(`${second}people: { ann: { roles: [guard] } }\n`)
  await expect.poll(() => view()?.needs_attention, { timeout: 8_000 }).toBeNull()
  await expect.poll(async () => (await health()).site_problem).toBeNull()
  expect(view()?.state).toBe('on')
  writeFileSync(join(folder, 'a.jpg'), new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xd9]))
  await expect
    .poll(() => box.engine.runs({ limit: 5 }).map(({ camera }) => camera), { timeout: 8_000 })
    .toEqual(['yard'])
}, 40_000)
