import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { folder, serve } from './gatehouse.ts'

/** Debian's libfaketime: another wall clock for one process, by a file that may be changed. */
const [LIBRARY] = ['x86_64', 'aarch64']
  .map(machine => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .filter(path => existsSync(path))

const running: { stop(signal?: NodeJS.Signals): Promise<number | null> }[] = []
afterEach(async () => {
  for (const box of running.splice(0)) await box.stop('SIGKILL')
})

const WORKFLOW = `contract: workflow.v1
name: Asks
state: on
limits: { cooldown: 0s }
when: { webhook: {} }
then:
  - ask_person: { who: role:guard, message: "Well?", timeout: 1h, replies: [Let in, Refuse], default: Refuse }
`
const HOUR = 3_600_000

/** A box whose machine says another time; `set` changes that while it runs. */
async function up(data: string, time: string) {
  const file = join(folder(), 'time')
  writeFileSync(file, time)
  const box = await serve(['--data', data, '--no-demo'], {
    LD_PRELOAD: LIBRARY ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  running.push(box)
  const ask = async (path: string, init?: RequestInit) => (await fetch(box.url + path, init)).json()
  return { ...box, ask, set: (other: string) => writeFileSync(file, other) }
}

type Asked = Awaited<ReturnType<typeof up>>
const question = async (box: Asked) => (await box.ask('/api/v1/approvals?open=true')).approvals?.[0]
const clockSet = async (box: Asked): Promise<string | undefined> =>
  (await box.ask('/api/v1/notices')).notices
    .map(({ title }: { title: string }) => title)
    .find((title: string) => title.startsWith('The clock was set'))

describe.skipIf(!LIBRARY)('a box whose clock', () => {
  it('leaps three hours lets nobody have less time to answer', async () => {
    const data = folder()
    writeFileSync(
      join(data, 'site.yaml'),
      'cameras:\n  yard: { name: Yard }\npeople:\n  ann: { roles: [guard] }\n',
    )
    const box = await up(data, '+0')
    const headers = { 'content-type': 'application/yaml' }
    const saved = await box.ask('/api/v1/workflows', { method: 'POST', headers, body: WORKFLOW })
    await box.ask(saved.workflow.hook, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    await expect.poll(() => question(box)).toMatchObject({ status: 'open' })
    box.set('+3h')
    await expect.poll(() => clockSet(box), { timeout: 15_000 }).toBe('The clock was set 3 hours forward')
    const { status, deadline } = await question(box)
    expect(status).toBe('open')
    expect(Math.abs(Date.parse(deadline) - (Date.now() + 4 * HOUR))).toBeLessThan(60_000)
  })

  it('was never set goes on from what it has seen, says so, and is right once it is told', async () => {
    const data = folder()
    writeFileSync(join(data, 'site.yaml'), 'cameras:\n  yard: { name: Yard }\n')
    const before = await up(data, '+0')
    const headers = { 'content-type': 'application/yaml' }
    const saved = await before.ask('/api/v1/workflows', {
      method: 'POST',
      headers,
      body: WORKFLOW.replace(/ {2}- ask.*\n/, '  - log: here\n'),
    })
    const hook = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    await before.ask(saved.workflow.hook, hook)
    await before.stop()

    const box = await up(data, '@1970-01-01 00:00:05')
    expect((await box.ask('/api/v1/system/health')).clock).toEqual({ unset: true })
    await box.ask(saved.workflow.hook, hook)
    const [run] = (await box.ask('/api/v1/runs')).runs
    expect(Math.abs(Date.parse(run.started_at) - Date.now())).toBeLessThan(60_000)
    box.set('+5h')
    await expect.poll(() => clockSet(box), { timeout: 15_000 }).toBe('The clock was set 5 hours forward')
    expect((await box.ask('/api/v1/system/health')).clock).toEqual({ unset: false })
  })
})
