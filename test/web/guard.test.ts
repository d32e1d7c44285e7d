import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GatehouseError } from '../../src/core/index.ts'
import { type Box, startBox, workflowView } from './box.ts'

let box: Box
beforeAll(async () => {
  box = await startBox()
  box.engine.all.set(1, workflowView(1))
})
afterAll(() => box.stop())

const status = async (method: string, path: string, headers: Record<string, string>) => {
  const response = await fetch(`http://127.0.0.1:${box.port}${path}`, { method, headers })
  const type = response.headers.get('content-type')
  await response.body?.cancel()
  return response.status >= 400 ? [response.status, type] : response.status
}
const refused = (code: number) => [code, 'application/problem+json']

describe('without a login', () => {
  it('answers to names of this machine only', async () => {
    for (const host of ['localhost', 'LOCALHOST:8088', '127.0.0.1:1', '[::1]:8088'])
      expect([host, await status('GET', '/api/v1/runs', { host })]).toEqual([host, 200])
    for (const host of [
      'evil.example:8088',
      '192.168.1.5',
      'localhost.evil.example',
      '127.0.0.1.nip.io',
      '0.0.0.0',
    ])
      for (const path of ['/api/v1/runs', '/', '/health', '/nothing'])
        expect([host, path, await status('GET', path, { host })]).toEqual([host, path, refused(421)])
  })

  it('takes changes from its own page and from programs, not from other sites', async () => {
    const own = `http://localhost:${box.port}`
    const host = `localhost:${box.port}`
    const hook = '/api/v1/hooks/secret-1'
    expect(await status('POST', hook, {})).toBe(202)
    expect(await status('POST', hook, { host, origin: own })).toBe(202)
    expect(await status('POST', hook, { host, origin: own, 'sec-fetch-site': 'same-origin' })).toBe(202)
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `https://localhost:${box.port}` },
      { origin: 'http://localhost:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign)
      expect([headers, await status('POST', hook, { host, ...headers })]).toEqual([headers, refused(403)])
  })

  it('may be linked to, but not read, by other sites', async () => {
    const cross = { 'sec-fetch-site': 'cross-site' }
    expect(await status('GET', '/runs/1', { ...cross, 'sec-fetch-mode': 'navigate' })).toBe(200)
    expect(await status('GET', '/api/v1/runs', { ...cross, 'sec-fetch-mode': 'cors' })).toEqual(refused(403))
    expect(await status('GET', '/api/v1/stream', { ...cross, 'sec-fetch-mode': 'no-cors' })).toEqual(
      refused(403),
    )
  })

  it('listens on loopback alone', async () => {
    const { networkInterfaces } = await import('node:os')
    const outside = Object.values(networkInterfaces())
      .flat()
      .find(it => it && !it.internal && it.family === 'IPv4')
    if (outside) await expect(fetch(`http://${outside.address}:${box.port}/health`)).rejects.toThrow()
    await expect(fetch(`http://127.0.0.2:${box.port}/health`)).rejects.toThrow()
  })
})

describe('a busy port', () => {
  it('is one line that names it, and the first server keeps it', async () => {
    const second = startBox(box.port)
    await expect(second).rejects.toThrow(GatehouseError)
    await expect(second).rejects.toMatchObject({
      code: 'port_busy',
      message: expect.stringContaining(`${box.port}`),
    })
    expect(await status('GET', '/health', {})).toBe(200)
  })

  it('is free again after a stop', async () => {
    const first = await startBox()
    await first.stop()
    const second = await startBox(first.port)
    expect(second.port).toBe(first.port)
    await second.stop()
  })
})
