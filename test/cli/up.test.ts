import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { folder, gatehouse, root, sample, serve } from './gatehouse.ts'

const running: { stop(signal?: NodeJS.Signals): Promise<number | null> }[] = []
afterEach(async () => {
  for (const box of running.splice(0)) await box.stop('SIGKILL')
})

async function up(...args: string[]) {
  const box = await serve(args)
  running.push(box)
  const get = async (path: string) => (await fetch(`${box.url}${path}`)).json()
  return { ...box, get }
}

async function eventually<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  const until = Date.now() + 20_000
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > until) throw new Error('it did not happen')
    await Bun.sleep(100)
  }
}

describe('gatehouse up', () => {
  it('makes a demo site at a first start, decides about what is dropped, and keeps all over a restart', async () => {
    const data = folder()
    const box = await up('--data', data)
    await box.until(/Yard watch just decided: person \(1 person, no vehicle\)/)
    const { runs } = await box.get('/api/v1/runs')
    expect(runs.map((run: { decision: string }) => run.decision).sort()).toEqual(['delivery', 'person'])

    await Bun.sleep(5_000) // The workflow's cooldown.
    copyFileSync(sample('dog.jpg'), join(data, 'pictures/yard/dog.jpg'))
    const third = await eventually(async () => {
      const [newest] = (await box.get('/api/v1/runs?limit=1')).runs
      return newest.id > 2 && newest.status === 'done' && newest
    })
    expect(third).toMatchObject({ decision: 'vehicle', camera: 'yard' })
    expect(await box.stop()).toBe(0)

    const again = await up('--data', data)
    expect((await again.get('/api/v1/runs')).runs).toHaveLength(3)
    expect((await again.get('/api/v1/workflows')).workflows).toHaveLength(2)
    expect(await again.stop('SIGINT')).toBe(0)
    rmSync(data, { recursive: true })
  })

  it('refuses a second start on the same data folder and says who holds it', async () => {
    const data = folder()
    const box = await up('--data', data, '--no-demo')
    const second = await gatehouse('up', '--data', data, '--port', '0')
    expect(second.code).toBe(1)
    expect(second.err).toContain(String(box.pid))
    expect(second.err.trimEnd().split('\n')).toHaveLength(1)
    await box.stop('SIGKILL')
    // As a try leaves it that was cut off.
    mkdirSync(join(data, 'try', 'gatehouse-try-x', 'media'), { recursive: true })
    const third = await up('--data', data, '--no-demo')
    expect(existsSync(join(data, 'try'))).toBe(false)
    expect(await third.get('/health')).toMatchObject({ status: 'ok' })
  })

  it('refuses a busy port and names it', async () => {
    const holder = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('mine') })
    const port = String(holder.port)
    const { code, err } = await gatehouse('up', '--data', folder(), '--port', port)
    await holder.stop(true)
    expect(code).toBe(1)
    expect(err).toContain(port)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })

  it('stops at once while the demo is being shown, and shows it at the next start', async () => {
    const data = folder()
    const box = await up('--data', data)
    const asked = Date.now()
    expect(await box.stop()).toBe(0)
    expect(Date.now() - asked).toBeLessThan(10_000)
    rmSync(data, { recursive: true })
  })

  it('stops, and says so, when its data folder is removed', async () => {
    const data = folder()
    const box = await up('--data', data, '--no-demo')
    rmSync(data, { recursive: true })
    await box.until(/the data folder was moved or removed/)
    // Killed, not exited: an exit would write to what cannot be trusted any more.
    expect(await box.exited).toBe(137)
  })

  it('starts with nothing where it is told to, and stops at a site file that cannot be used', async () => {
    const data = folder()
    const box = await up('--data', data, '--no-demo')
    await box.until(/No camera is configured: add one at http:.*\/site\/cameras, or name yours in /)
    expect((await box.get('/api/v1/workflows')).workflows).toEqual([])
    expect(existsSync(join(data, 'site.yaml'))).toBe(false)
    await box.stop()
    writeFileSync(join(data, 'site.yaml'), 'cameras:\n  yard: { rolls: [yard] }\n')
    const { code, err } = await gatehouse('up', '--data', data, '--port', '0')
    expect(code).toBe(1)
    expect(err).toMatch(/site\.yaml:2:\d+ .*rolls/)
  })

  it('does not start without its models, and says how to make them', async () => {
    const clone = folder()
    for (const part of ['src', 'package.json', 'tsconfig.json'])
      cpSync(join(root, part), join(clone, part), { recursive: true })
    mkdirSync(join(clone, 'models'))
    copyFileSync(join(root, 'models/catalog.yaml'), join(clone, 'models/catalog.yaml'))
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
    const child = Bun.spawn(
      [process.execPath, join(clone, 'src/main.ts'), 'up', '--data', folder(), '--port', '0'],
      { stdout: 'ignore', stderr: 'pipe' },
    )
    const err = await new Response(child.stderr).text()
    expect(await child.exited).toBe(1)
    expect(err).toMatch(/^gatehouse: model files are missing .*run "bun run models".*\n$/)
  })
})
