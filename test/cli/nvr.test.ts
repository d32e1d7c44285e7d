import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Site } from '../../src/site/index.ts'
import { hasNats, NatsServer } from '../connect/nats/server.ts'
import { folder, gatehouse } from './gatehouse.ts'

it.skipIf(!hasNats)('writes what it found behind a site file, once, as the site reads it', async () => {
  const nats = await new NatsServer({ config: 'authorization { token: abc }' }).start()
  const data = folder()
  const file = join(data, 'site.yaml')
  writeFileSync(file, '# Ours\ncameras: { gate: {} }')
  const ask = () =>
    gatehouse(
      'nvr',
      '127.0.0.1',
      '--nats-port',
      String(nats.port),
      '--api-port',
      '1',
      '--write',
      '--data',
      data,
    )
  expect(await ask()).toMatchObject({ code: 0, out: expect.stringContaining('Written into') })
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('# Ours\ncameras: { gate: {} }\n')
  expect(Site.load(text, file).nats?.servers).toEqual([{ host: '127.0.0.1', port: nats.port, tls: false }])
  expect((await ask()).out).toContain('already')
  expect(readFileSync(file, 'utf8')).toBe(text)
})

it('says what to do where nobody answers', async () => {
  const none = await gatehouse('nvr', '127.0.0.1', '--nats-port', '1', '--api-port', '1')
  expect(none).toMatchObject({ code: 1, out: expect.stringContaining('gatehouse nvr 192.168.1.10') })
})
