import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder, gatehouse, serve } from './gatehouse.ts'

const file = (name: string, then: string) => `contract: workflow.v1
name: ${name}
limits: { cooldown: 0s }
when: { message: {} }
then: ${then}
`

it('gatehouse message: writes to a workflow, and prints what it answers as it comes', async () => {
  const data = folder()
  writeFileSync(join(data, 'site.yaml'), 'cameras: {}\n')
  const box = await serve(['--data', data, '--no-demo'])
  try {
    const api = (path: string, body: string, type: string) =>
      fetch(`${box.url}/api/v1/${path}`, { method: 'POST', headers: { 'content-type': type }, body })
    for (const [name, then] of [
      ['Asked', '[ reply: "{from} by {channel}: {message}", wait: 500ms, reply: that is all ]'],
      ['Mute', '[ log: "{message}" ]'],
    ] as const) {
      const made = await api('workflows', file(name, then), 'application/yaml')
      expect(made.status).toBe(201)
    }
    const ask = (...args: string[]) => gatehouse('message', ...args, '--data', data)
    const tried = await ask('asked', 'Hey', '--from', 'Bo')
    expect(tried.out.split('\n').slice(0, 2)).toEqual([
      'Would have answered: Bo by console: Hey',
      'Would have answered: that is all',
    ])
    expect([tried.code, tried.err, tried.out]).toEqual([0, '', expect.stringContaining('in Test')])
    for (const name of ['asked', 'mute'])
      await api(`workflows/${name}/state`, '{"state":"on"}', 'application/json')
    expect(await ask('asked', 'Hey')).toEqual({
      code: 0,
      out: 'console by console: Hey\nthat is all\n',
      err: '',
    })
    const { port } = new URL(box.url)
    const json = await gatehouse('message', 'asked', 'Hey', '--port', port, '--json')
    expect(JSON.parse(json.out)).toMatchObject({
      status: 'done',
      replies: [{ text: 'this machine by console: Hey' }, { text: 'that is all' }],
    })
    expect(await ask('mute', 'Hey')).toEqual({
      code: 1,
      out: 'The run has ended without an answer.\n',
      err: '',
    })
    const none = await ask('nobody', 'Hey')
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('no such workflow')])
    expect((await ask('asked', '')).code).toBe(2)
    expect((await ask('asked')).code).toBe(2)
    await api('workflows/asked/state', '{"state":"off"}', 'application/json')
    const off = await ask('asked', 'Hey')
    expect([off.code, off.err]).toEqual([1, expect.stringContaining('Asked is Off')])
  } finally {
    await box.stop('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  }
}, 120_000)
