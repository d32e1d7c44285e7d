import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder, gatehouse, serve } from './gatehouse.ts'

it('gatehouse try: a changed file on what the box saw, beside what came of it then', async () => {
  const data = folder()
  const box = await serve(['--data', data])
  try {
    await box.until(/Yard watch just decided: person/)
    const { port } = new URL(box.url)
    const get = async (path: string) => (await fetch(`${box.url}/api/v1/${path}`)).json()
    const { workflows } = await get('workflows')
    const { id } = workflows.find(({ name }: { name: string }) => name === 'Yard watch')
    const { yaml } = await get(`workflows/${id}`)
    const file = join(data, 'draft.yaml')
    writeFileSync(file, yaml.replace(/at_least: \d+/, 'at_least: 5'))
    expect(yaml).toMatch(/at_least: \d+/)
    const { code, out, err } = await gatehouse('try', file, '--workflow', String(id), '--port', port)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^≠ .* person → /m)
    expect(out).toContain('1 event, 1 comes out differently.')
    const alone = await gatehouse('try', file, '--port', port)
    expect(alone.out).toMatch(/--workflow ID$/m)
    writeFileSync(file, 'contract: workflow.v1\n')
    const broken = await gatehouse('try', file, '--port', port)
    expect(broken.code).toBe(1)
    expect(broken.err).toContain('draft.yaml:1:')
    expect((await get('runs')).runs).toHaveLength(2)
  } finally {
    await box.stop('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  }
  const alone = await gatehouse(
    'try',
    join(import.meta.dirname, '../../templates/yard-watch.yaml'),
    '--port',
    '9',
  )
  expect([alone.code, alone.err]).toEqual([1, expect.stringContaining('no Gatehouse answers on port 9')])
  expect((await gatehouse('try')).code).toBe(2)
}, 180_000)
