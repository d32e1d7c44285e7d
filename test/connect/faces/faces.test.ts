import { describe, expect, test } from 'vitest'
import { FileSecrets, SiteFaces, SiteHttp } from '../../../src/connect/index.ts'
import { type JsonValue, systemClock } from '../../../src/core/index.ts'
import { makeTool } from '../../../src/kinds/index.ts'
import { Site } from '../../../src/site/index.ts'
import { rawServer } from '../../ai/clients/servers.ts'
import { jpeg, roomOf, SITE } from '../../kinds/tool-room.ts'
import { face, faceServer, KEY } from './server.ts'

const siteFile = (port: number, { query = '', key = KEY, host = '127.0.0.1' } = {}) => `${SITE}
destinations: { faces: { url: "http://${host}:${port}/${query}", class: read, headers: { x-api-key: ${key} } } }
faces: { at: faces, people: [ann] }
`

function facesOf(file: string, timeoutMs = 5_000): SiteFaces {
  const site = Site.load(file, '/x/site.yaml')
  const secrets = new FileSecrets('/nonexistent', '')
  const http = new SiteHttp({ site: () => site, secrets, ownPorts: () => [], clock: systemClock })
  return new SiteFaces({ site: () => site, http, timeoutMs })
}

const abort = () => new AbortController().signal
const compare = (file: string, timeoutMs?: number) =>
  facesOf(file, timeoutMs).compare(jpeg(), { signal: abort() })

async function use(file: string, args: { [name: string]: JsonValue } = {}, patch = {}) {
  const tool = makeTool('recognize_faces', roomOf({ siteFile: file, faces: facesOf(file), ...patch }))
  expect(tool?.mode).toBe('auto')
  const answer = await tool?.call(args, { signal: abort() })
  return answer && 'result' in answer ? answer.result : answer
}

describe('the tool', () => {
  test('names those who agreed and counts the others, whose names go no further', async () => {
    const all = [face(['Ann', 0.987]), face(['bo', 0.999]), face(['ann', 0.95]), face()]
    const server = faceServer(all)
    const result = await use(siteFile(server.port), { camera: 'gate' })
    expect(result).toEqual({
      camera: 'gate',
      taken: '2 s old',
      people: [{ name: 'ann', sure: 0.98 }],
      others: 3,
    })
    expect(JSON.stringify(result)).not.toContain('bo')
    expect(server.pictures).toEqual([Buffer.from(jpeg().bytes)])
  })

  test('names nobody who is less like them than the site asks', async () => {
    const file = siteFile(faceServer([face(['ann', 0.8999])]).port)
    expect(await use(file)).toMatchObject({ people: [], others: 1 })
    const sure = siteFile(faceServer([face(['ann', 0.9])]).port)
    expect(await use(sure)).toMatchObject({ people: [{ name: 'ann', sure: 0.9 }], others: 0 })
  })

  test('nobody is in a picture without a face', async () => {
    expect(await use(siteFile(faceServer([]).port))).toMatchObject({ people: [], others: 0 })
  })

  test('a camera that is down is not compared', async () => {
    const server = faceServer([face(['ann', 1])])
    await expect(use(siteFile(server.port), { camera: 'cam-3' })).rejects.toThrow(/gives no picture/)
    expect(server.urls).toEqual([])
  })

  test('the site may have it asked for, or off', () => {
    const file = siteFile(1)
    const mode = (more: string) =>
      makeTool('recognize_faces', roomOf({ siteFile: `${file}tools: { recognize_faces: ${more} }` }))?.mode
    expect([mode('ask'), mode('unavailable')]).toEqual(['ask', 'unavailable'])
  })
})

describe('the server', () => {
  test('is asked for whom a face is most like, in whatever order it tells', async () => {
    const server = faceServer([face(['bo', 0.2], ['ann', 0.9], ['cy', 0.3])])
    expect(await compare(siteFile(server.port, { query: '?det_prob_threshold=0.9' }))).toEqual([
      { like: 'ann', similarity: 0.9 },
    ])
    expect(server.urls).toEqual(['/api/v1/recognition/recognize?det_prob_threshold=0.9'])
  })

  test.each([
    ['no list', { a: 1 }],
    ['text', 'faces'],
    ['no face', [null]],
    ['a face without a box', [{ subjects: [] }]],
    ['subjects that are none', [{ ...face(), subjects: 'ann' }]],
    ['a similarity above 1', [face(['ann', 7])]],
    ['a similarity in words', [face(['ann', '1'])]],
    ['a name that is none', [face([{ toString: 'ann' }, 1])]],
    ['too many', Array.from({ length: 201 }, () => face())],
    ['too much', [{ ...face(), landmarks: 'x'.repeat(300_000) }]],
    ['a page', new Response('<html>', { status: 200 })],
    ['nothing', new Response('', { status: 200 })],
  ])('%s is no answer', async (_, answer) => {
    await expect(compare(siteFile(faceServer(answer).port))).rejects.toMatchObject({
      code: 'destination_unanswered',
      message: expect.stringMatching(/^faces answered with .* is it a CompreFace\?$/),
    })
  })

  test.each([
    [400, 'look into its log'],
    [404, 'check the address'],
    [503, 'is starting'],
    [500, 'look into its log'],
  ])('%i is a refusal, and never nobody', async (status, hint) => {
    const { port } = faceServer(Response.json({ code: 20 }, { status }))
    await expect(compare(siteFile(port))).rejects.toMatchObject({
      code: 'destination_refused',
      message: expect.stringContaining(hint),
    })
  })

  test('without its key it says where that belongs, and not which', async () => {
    const { port } = faceServer([])
    const failed = await compare(siteFile(port, { key: 'wrong-key' })).catch((error: Error) => error.message)
    expect(failed).toMatch(/^faces answered 401: .* x-api-key/)
    expect(failed).not.toContain('wrong-key')
  })

  test('may be down, slow, or somewhere else', async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const port = server.port ?? 0
    await server.stop(true)
    await expect(compare(siteFile(port))).rejects.toMatchObject({ code: 'destination_unreachable' })
    const slow = await rawServer(() => undefined)
    await expect(compare(siteFile(slow.port), 50)).rejects.toMatchObject({ code: 'destination_unanswered' })
    await expect(compare(siteFile(80, { host: '8.8.8.8' }))).rejects.toMatchObject({ code: 'egress_denied' })
  })

  test('is let go when the step ends', async () => {
    const step = new AbortController()
    const held = await rawServer(() => step.abort())
    const asked = facesOf(siteFile(held.port)).compare(jpeg(), { signal: step.signal })
    await expect(asked).rejects.toMatchObject({ code: 'destination_unanswered' })
    expect(held.seen.requests).toBe(1)
  })

  test('is sent no picture that it does not take', async () => {
    const { port, urls } = faceServer([])
    const large = { ...jpeg(), bytes: new Uint8Array(5_000_001) }
    await expect(facesOf(siteFile(port)).compare(large, { signal: abort() })).rejects.toMatchObject({
      code: 'picture_too_large',
    })
    expect(urls).toEqual([])
  })
})
