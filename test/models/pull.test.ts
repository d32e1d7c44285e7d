/** Models from a listed host: a real server that breaks off, changes its mind, redirects and lies. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FileSecrets, SiteDownload } from '../../src/connect/index.ts'
import { GatehouseError, systemClock } from '../../src/core/index.ts'
import { InstalledModels, type KnownModel, pull } from '../../src/models/index.ts'
import { Site } from '../../src/site/index.ts'
import { writeModel } from '../inference/llama/gguf.ts'
import { catalogueWith, sha256 } from './known.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

let dir = ''
let bytes: Buffer
let host: Server
let port = 0
let asked: IncomingMessage[] = []
let answers: Answer[] = []

beforeAll(() => {
  const place = mkdtempSync(join(tmpdir(), 'gatehouse-tiny-'))
  writeModel(join(place, 'tiny.gguf'))
  bytes = readFileSync(join(place, 'tiny.gguf'))
  rmSync(place, { recursive: true })
})
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-pull-'))
  asked = []
  answers = []
  host = createServer((request, response) => {
    asked.push(request)
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    ;(answer ?? whole())(request, response)
  })
  await new Promise<void>(resolve => host.listen(0, '127.0.0.1', resolve))
  port = (host.address() as AddressInfo).port
})
afterEach(() => {
  host.closeAllConnections()
  host.close()
  rmSync(dir, { recursive: true, force: true })
})

/** As file hosts answer: a strong ETag, ranges, `If-Range`. */
const whole =
  (etag = '"one"', content = () => bytes): Answer =>
  (request, response) => {
    const body = content()
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const goesOn = from > 0 && request.headers['if-range'] === etag
    const rest = goesOn ? body.subarray(from) : body
    response.writeHead(goesOn ? 206 : 200, {
      etag,
      'content-length': rest.length,
      ...(goesOn && { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` }),
    })
    response.end(rest)
  }

/** Breaks off once so many bytes more have arrived and are stored. */
const broken =
  (after: number, etag = '"one"'): Answer =>
  (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    response.writeHead(from > 0 ? 206 : 200, {
      etag,
      'content-length': bytes.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    })
    response.write(bytes.subarray(from, from + after))
    const poll = setInterval(() => {
      const stored = statSync(join(dir, 'models/.tiny.gguf.part'), { throwIfNoEntry: false })?.size ?? 0
      if (stored < from + after) return
      clearInterval(poll)
      response.destroy()
    }, 5)
  }

const model = (file: { sha256?: string; bytes?: number } = {}, path = '/tiny.gguf'): KnownModel => ({
  name: 'tiny',
  task: 'language',
  description: '',
  licence: '',
  source: 'a test',
  ram_mb: 1,
  boxes: ['n100-8gb'],
  files: { model: { path: 'tiny.gguf', url: `http://127.0.0.1:${port}${path}`, ...file } },
})

const listed = () => `destinations: { files: { url: "http://127.0.0.1:${port}", class: read } }`

function installed() {
  const catalogue = catalogueWith(dir, {})
  return new InstalledModels({ dataDir: dir, catalogue, hardware: { ramBytes: 0 }, clock: systemClock })
}

function fetching(what: KnownModel, site = listed(), signal = new AbortController().signal) {
  const download = new SiteDownload({
    site: () => Site.load(site, 'site.yaml'),
    secrets: new FileSecrets(dir, ''),
    clock: systemClock,
  })
  // Pauses between tries are not what is tested.
  const clock = {
    ...systemClock,
    now: () => systemClock.now(),
    after: (_: number, run: () => void) => systemClock.after(1, run),
  }
  return pull(what, { installed: installed(), download, clock, signal })
}

async function refusal(work: Promise<unknown>): Promise<GatehouseError> {
  const error = await work.then(
    () => new Error('it was fetched'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof GatehouseError)) throw error
  expect(error.message).not.toContain('\n')
  return error
}

const folder = () => readdirSync(join(dir, 'models')).sort()

describe('a model that is pulled', () => {
  it('comes whole, is checked and put in its place', async () => {
    const what = model({ sha256: sha256(bytes), bytes: bytes.length })
    const [record] = await fetching(what)
    expect(record).toMatchObject({ file: 'tiny.gguf', sha256: sha256(bytes), bytes: bytes.length })
    expect(folder()).toEqual(['tiny.gguf', 'tiny.gguf.json'])
    expect(readFileSync(join(dir, 'models/tiny.gguf')).equals(bytes)).toBe(true)
    // What is there is not asked for again.
    await fetching(what)
    expect(asked).toHaveLength(1)
  })

  it('goes on from where it broke off', async () => {
    answers = [broken(100_000), broken(100_000), whole()]
    await fetching(model({ sha256: sha256(bytes) }))
    expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=100000-', 'bytes=200000-'])
    expect(asked[1]?.headers['if-range']).toBe('"one"')
    expect(folder()).toEqual(['tiny.gguf', 'tiny.gguf.json'])
  })

  it('goes on in another process, and says so when it gives up', async () => {
    answers = [broken(100_000), (_, response) => void response.destroy()]
    const error = await refusal(fetching(model({ sha256: sha256(bytes) })))
    expect(error).toMatchObject({ code: 'model_unfetched' })
    expect(error.message).toMatch(/broke off after 0 MB .*: run it again, it goes on from there/)
    expect(folder()).toEqual(['.tiny.gguf.part', '.tiny.gguf.part.json'])
    asked = []
    answers = [whole()]
    await fetching(model({ sha256: sha256(bytes) }))
    expect(asked.map(({ headers }) => headers.range)).toEqual(['bytes=100000-'])
    expect(folder()).toEqual(['tiny.gguf', 'tiny.gguf.json'])
  })

  it('begins anew where the file there is another one by now', async () => {
    answers = [broken(100_000, '"old"'), whole('"new"')]
    await fetching(model({ sha256: sha256(bytes) }))
    expect(asked[1]?.headers['if-range']).toBe('"old"')
    expect(readFileSync(join(dir, 'models/tiny.gguf')).equals(bytes)).toBe(true)
  })

  it('begins anew where what lies there is more than the file has', async () => {
    answers = [broken(100_000), (_, response) => void response.writeHead(416).end(), whole()]
    await fetching(model({ sha256: sha256(bytes) }))
    expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=100000-', undefined])
  })

  it('is thrown away where its hash is another', async () => {
    const error = await refusal(fetching(model({ sha256: '0'.repeat(64) })))
    expect(error).toMatchObject({ code: 'model_invalid' })
    expect(folder()).toEqual([])
  })

  it('is thrown away where it is no model, though nobody knows its hash', async () => {
    answers = [whole('"x"', () => Buffer.from('<html>Log in</html>'))]
    expect((await refusal(fetching(model()))).message).toMatch(/tiny.gguf is no GGUF file/)
    expect(folder()).toEqual([])
  })

  it('is not begun where its size is another, and not taken beyond its size', async () => {
    const error = await refusal(fetching(model({ bytes: 1000 })))
    expect(error.message).toMatch(/has \d+ bytes there, the catalogue says 1000/)
    answers = [
      (_, response) => {
        response.writeHead(200)
        response.end(bytes)
      },
    ]
    expect((await refusal(fetching(model({ bytes: 1000 })))).message).toMatch(/goes on after 1000 bytes/)
    expect(asked).toHaveLength(2)
  })

  it('is not fetched onto a disk without room for it', async () => {
    answers = [
      (_, response) => void response.writeHead(200, { 'content-length': 60 * 1024 ** 4 }).write('GGUF'),
    ]
    expect(await refusal(fetching(model()))).toMatchObject({
      code: expect.stringMatching(/disk_full|model_invalid/),
    })
  })

  it('does not take the place of another file', async () => {
    await fetching(model())
    expect(await refusal(fetching(model({ sha256: '0'.repeat(64) })))).toMatchObject({ code: 'model_exists' })
    expect(asked).toHaveLength(1)
  })

  it('ends at once where that is wanted', async () => {
    const stop = new AbortController()
    answers = [
      (_, response) => {
        response.writeHead(200, { etag: '"one"', 'content-length': bytes.length })
        response.write(bytes.subarray(0, 1000))
        setTimeout(() => stop.abort(), 50)
      },
    ]
    await refusal(fetching(model(), listed(), stop.signal))
    expect(asked).toHaveLength(1)
  })

  it.each([404, 403, 500])('says what its host answered (%i)', async status => {
    answers = [(_, response) => void response.writeHead(status).end('no')]
    expect((await refusal(fetching(model()))).message).toContain(`answered ${status}`)
    expect(asked).toHaveLength(status < 500 ? 1 : 4)
  })
})

describe('nothing is fetched', () => {
  it('from a host that is not listed: the line to add is said', async () => {
    const error = await refusal(fetching(model(), 'destinations: {}'))
    expect(error).toMatchObject({ code: 'egress_denied' })
    const line = /add under destinations in site\.yaml: (.+)$/.exec(error.message)?.[1]
    expect(line).toBe(`host_127_0_0_1: { url: http://127.0.0.1:${port}, class: read }`)
    expect(asked).toHaveLength(0)
    // With just that line it is.
    await fetching(model(), `destinations:\n  ${line}`)
    expect(folder()).toContain('tiny.gguf')
  })

  it('from a destination that moves something', async () => {
    const moving = listed().replace('class: read', 'class: move')
    expect(await refusal(fetching(model(), moving))).toMatchObject({ code: 'egress_denied' })
    expect(asked).toHaveLength(0)
  })

  it('from where a listed host sends on to, unless that is listed too', async () => {
    const other = createServer(whole())
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
    const there = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    answers = [(_, response) => void response.writeHead(302, { location: `${there}/f?key=secret` }).end()]
    try {
      const error = await refusal(fetching(model()))
      expect(error).toMatchObject({ code: 'egress_denied' })
      expect(error.message).toContain(`{ url: ${there}, class: read }`)
      expect(error.message).not.toContain('secret')
      const both = listed().replace(' } }', ` }, more: { url: "${there}", class: read } }`)
      await fetching(model(), both)
      expect(folder()).toEqual(['tiny.gguf', 'tiny.gguf.json'])
    } finally {
      other.closeAllConnections()
      other.close()
    }
  })

  it('by a name that leads to this box', async () => {
    const what = model()
    for (const file of Object.values(what.files)) file.url = `http://localhost:${port}/tiny.gguf`
    const error = await refusal(
      fetching(what, `destinations: { l: { url: "http://localhost:${port}", class: read } }`),
    )
    expect(error).toMatchObject({ code: 'egress_denied' })
    expect(asked).toHaveLength(0)
  })

  it('with what a former try left, if that was of another address', async () => {
    const catalogue = installed()
    await refusal(fetching(model({ sha256: '0'.repeat(64) })))
    asked = []
    writeFileSync(join(catalogue.dir, '.tiny.gguf.part'), 'evil')
    writeFileSync(
      join(catalogue.dir, '.tiny.gguf.part.json'),
      JSON.stringify({ url: 'http://other/', etag: '"one"', total: bytes.length }),
    )
    await fetching(model({ sha256: sha256(bytes) }))
    expect(asked[0]?.headers.range).toBeUndefined()
  })
})
