import { describe, expect, it, onTestFinished } from 'vitest'
import { askNvr } from '../../../src/connect/index.ts'
import { freePort, hasNats, NatsServer } from '../nats/server.ts'
import { NvrServer } from './server.ts'

const HERE = '127.0.0.1'

describe('asking a machine whether an NVR is there', () => {
  it.skipIf(!hasNats)(
    'finds its API, which wants a key, and its NATS server, which wants a token',
    async () => {
      const nats = await new NatsServer({ config: 'authorization { token: abc }' }).start()
      const nvr = new NvrServer()
      const found = await askNvr(HERE, { api: Number(new URL(nvr.url).port), nats: nats.port })
      expect(found.api?.origin).toBe(new URL(nvr.url).origin)
      expect(found.nats).toMatchObject({ needsAuth: true, needsTls: false })
      expect(found.nats?.version).toMatch(/^\d/)
    },
  )

  it('takes nobody else for one, whatever they say', async () => {
    const page = Bun.serve({ hostname: HERE, port: 0, fetch: () => new Response('<html>', { status: 401 }) })
    const says = (text: string) =>
      Bun.listen({ hostname: HERE, port: 0, socket: { open: socket => void socket.write(text), data() {} } })
    const odd = ['INFO not json\r\n', 'INFO []\r\n', 'SSH-2.0-x\r\n', 'x'.repeat(100_000)].map(says)
    onTestFinished(async () => {
      await page.stop(true)
      for (const each of odd) each.stop(true)
    })
    for (const { port } of odd)
      expect(await askNvr(HERE, { api: page.port ?? 0, nats: port })).toEqual({
        host: HERE,
        api: null,
        nats: null,
      })
    expect(await askNvr(HERE, { api: freePort(), nats: freePort() })).toMatchObject({ api: null, nats: null })
  })
})
