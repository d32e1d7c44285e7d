import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { folder, gatehouse, serve } from './gatehouse.ts'

const running: { stop(signal?: NodeJS.Signals): Promise<number | null> }[] = []
afterEach(async () => {
  for (const box of running.splice(0)) await box.stop('SIGKILL')
})

async function up(data: string) {
  const box = await serve(['--data', data, '--no-demo'])
  running.push(box)
  const get = async (path: string) => (await fetch(`${box.url}${path}`)).json()
  return { ...box, get }
}

const SITE = 'cameras:\n  yard: { name: Yard }\n'
const WORKFLOW = `contract: workflow.v1
name: Every minute
state: on
when: { schedule: { every: 1m } }
then:
  - log: here
`

describe('a box that helps itself', () => {
  it('goes into safe mode after three starts that came to nothing, shows why, and leaves it when told', async () => {
    const data = folder()
    writeFileSync(join(data, 'site.yaml'), SITE)
    const first = await up(data)
    const saved = await fetch(`${first.url}/api/v1/workflows`, {
      method: 'POST',
      headers: { 'content-type': 'application/yaml' },
      body: WORKFLOW,
    })
    expect(saved.status).toBe(201)
    expect(await first.stop()).toBe(0)
    expect(existsSync(join(data, 'starts.json'))).toBe(false)

    for (let n = 0; n < 3; n++) {
      const box = await up(data)
      expect((await box.get('/api/v1/system/health')).safe_mode).toBeNull()
      await box.stop('SIGKILL')
    }
    const safe = await up(data)
    await safe.until(/SAFE MODE, nothing runs: 3 starts in a row came to nothing/)
    expect(await safe.get('/api/v1/system/health')).toMatchObject({
      ready: false,
      safe_mode: expect.stringMatching(/^3 starts in a row/),
    })
    expect((await fetch(`${safe.url}/ready`)).status).toBe(503)
    expect((await safe.get('/api/v1/workflows')).workflows).toMatchObject([{ slug: 'every-minute' }])
    expect((await safe.get('/api/v1/notices')).notices[0]).toMatchObject({ title: 'Safe mode: nothing runs' })
    const event = await fetch(`${safe.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ schema: 'plate.recognized.v1', payload: { plate_text: 'B', confidence: 0.9 } }),
    })
    expect(event.status).toBe(503)
    expect(await event.json()).toMatchObject({ detail: expect.stringContaining('safe mode') })

    const found = await gatehouse('doctor', '--data', data)
    expect(found).toMatchObject({
      code: 1,
      out: expect.stringContaining('Starts: 3 in a row came to nothing'),
    })
    const cleared = await gatehouse('doctor', '--clear', '--data', data)
    expect(cleared).toMatchObject({ code: 0, out: expect.stringContaining('leaves it now') })
    const url = (await safe.until(/SAFE MODE[\s\S]*Gatehouse is up: (http:\S+)/))[1] ?? ''
    const health = await (await fetch(`${url}/api/v1/system/health`)).json()
    expect(health).toMatchObject({ ready: true, safe_mode: null })
    expect(await safe.stop()).toBe(0)
  })

  it('puts a copy in the place of a database that was damaged, and says so', async () => {
    const data = folder()
    const first = await up(data)
    const copied = await gatehouse('backup', '--copy', '--data', data)
    expect(copied.code).toBe(0)
    await first.stop('SIGKILL')
    const file = join(data, 'gatehouse.db')
    writeFileSync(file, readFileSync(file).fill(0xa5, 4096, 65_536))
    const again = await up(data)
    expect((await again.get('/api/v1/notices')).notices).toContainEqual(
      expect.objectContaining({ severity: 'high', title: expect.stringContaining('older state') }),
    )
    expect(readdirSync(join(data, 'damaged'))).toHaveLength(1)
    const told = JSON.parse((await gatehouse('rescue', '--json', '--data', data)).out)
    expect(told).toMatchObject({ copies: [{}], damaged: [expect.any(String)] })
  })

  it('a start that the box refuses in words is no failed start', async () => {
    const data = folder()
    writeFileSync(join(data, 'site.yaml'), 'cameras:\n  yard: { rolls: [yard] }\n')
    for (let n = 0; n < 4; n++) expect((await gatehouse('up', '--data', data, '--port', '0')).code).toBe(1)
    writeFileSync(join(data, 'site.yaml'), SITE)
    expect((await (await up(data)).get('/api/v1/system/health')).safe_mode).toBeNull()
  })
})
