import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gatehouse, root } from '../cli/gatehouse.ts'

const folder = join(root, 'systemd')
const services = readdirSync(folder).filter(name => name.endsWith('.service'))
/** How exposed systemd says that they are. Two are root, for what only root may do: to mount a disk, to change the program. */
const MOST: Record<string, number> = {
  'gatehouse.service': 1.0,
  'gatehouse-inference.service': 0.4,
  'gatehouse-update.service': 1.9,
  'gatehouse-backup.service': 1.6,
}
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

describe('the services', () => {
  it('are all there', () => {
    expect(services.toSorted()).toEqual([
      'gatehouse-backup.service',
      'gatehouse-inference.service',
      'gatehouse-update.service',
      'gatehouse.service',
    ])
  })

  it.skipIf(!Bun.which('systemd-analyze')).each(services)(
    '%s is exposed as little as it can be',
    async name => {
      const command = ['systemd-analyze', 'security', '--offline=true', '--no-pager', join(folder, name)]
      const analyze = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
      const [out, err] = await Promise.all([
        new Response(analyze.stdout).text(),
        new Response(analyze.stderr).text(),
      ])
      // A key that it does not know would be said here, and would protect nobody.
      expect(err).toBe('')
      const level = /Overall exposure level for \S+: ([\d.]+)/.exec(out)?.[1]
      expect(Number(level)).toBeLessThanOrEqual(MOST[name] ?? 0)
    },
  )

  it.each(services)('%s calls a command that is there, with flags that it knows', async name => {
    const [, line = ''] =
      /^ExecStart=\/opt\/gatehouse\/(?:current|updater)\/gatehouse (.*)$/m.exec(read(name)) ?? []
    const [command = '', ...flags] = line.split(' ')
    const { code, out } = await gatehouse(command, '--help')
    expect(code).toBe(0)
    for (const flag of flags.filter(word => word.startsWith('--'))) expect(out).toContain(flag)
  })

  it('let the engine find the socket that inference makes', () => {
    const socket = /^Environment=GATEHOUSE_INFERENCE_SOCKET=(.*)$/m.exec(read('gatehouse.service'))?.[1]
    const inference = read('gatehouse-inference.service')
    expect(inference).toContain(`--listen ${socket}\n`)
    expect(socket).toBe(`/run/${/^RuntimeDirectory=(.*)$/m.exec(inference)?.[1]}/socket`)
  })
})

describe('inference as a service', () => {
  it.each([[['--listen']], [['--listen', 'relative']], [['--listen', '/run/x', 'word']], [['word']]])(
    'is told to go otherwise than %j: exit 2',
    async args => {
      expect((await gatehouse('inference', ...args)).code).toBe(2)
    },
  )

  it('says in one line where it cannot listen', async () => {
    const { code, err } = await gatehouse('inference', '--listen', '/proc/none/socket')
    expect(code).toBe(1)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).toContain('/proc/none/socket')
  })
})
