import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type ChatRequest,
  LanguageError,
  type LanguageModel,
  OllamaModel,
  OpenAiModel,
} from '../../../src/ai/index.ts'
import { FileSecrets, SiteHttp } from '../../../src/connect/index.ts'
import { type Clock, ManualClock, systemClock } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { eventually, jpeg, temporaryFolder } from '../../connect/helpers.ts'
import { ollamaServer, openAiServer, rawServer } from './servers.ts'

interface How {
  api?: 'openai' | 'ollama'
  sees?: boolean
  clock?: Clock
  dir?: string
  ownPorts?: number[]
  lookup?: (host: string) => Promise<string[]>
}

/** A model behind the real way out of the box, for a site that lists `destinations`. */
function modelFor(
  destinations: string,
  {
    api = 'openai',
    sees = false,
    clock = systemClock,
    dir = '/nonexistent',
    ownPorts = [],
    lookup,
  }: How = {},
): LanguageModel {
  const site = Site.load(`destinations: ${destinations}`, 'site.yaml')
  const secrets = new FileSecrets(dir, '')
  const http = new SiteHttp({
    site: () => site,
    secrets,
    ownPorts: () => ownPorts,
    clock,
    ...(lookup && { lookup }),
  })
  const options = { http, destination: 'llm', model: 'qwen', sees, clock }
  return api === 'ollama' ? new OllamaModel(options) : new OpenAiModel(options)
}

/** Remembers for how long it was asked to wait. */
class NotedClock extends ManualClock {
  readonly waits: number[] = []

  override after(ms: number, callback: () => void): () => void {
    this.waits.push(ms)
    return super.after(ms, callback)
  }
}

const at = (port: number, path = '', more = '') =>
  `{ llm: { url: "http://127.0.0.1:${port}${path}", class: read${more} } }`

const picture = { bytes: jpeg(), takenAt: null, source: 'upload' }
const request = (over: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [
    { role: 'system', text: 'You judge.' },
    { role: 'user', text: 'DATA {}', pictures: [picture] },
  ],
  schema: { type: 'object' },
  grammar: 'root ::= "{}"',
  temperature: 0,
  seed: 7,
  maxTokens: 300,
  timeoutMs: 600_000,
  ...over,
})

const failureOf = async (
  model: LanguageModel,
  over: Partial<ChatRequest> = {},
): Promise<[string, string]> => {
  const error = await model.chat(request(over)).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof LanguageError)) throw new Error(`not a LanguageError: ${error}`)
  expect(error.message).not.toMatch(/\n/)
  return [error.failure, error.message]
}

/** Turns the clock until it is done: the pauses between tries are not waited for. */
async function hurried<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let done = false
  const settled = promise.finally(() => {
    done = true
  })
  settled.catch(() => undefined)
  while (!done) {
    await Bun.sleep(5)
    clock.advance(100)
  }
  return settled
}

describe('a model behind the OpenAI protocol', () => {
  it('is never told two things in a row by one role, and no word and no picture is lost', async () => {
    const { port, asked } = openAiServer(['{}'])
    const said = (role: 'user' | 'assistant', text: string) => ({ role, text })
    const messages: ChatRequest['messages'] = [
      { role: 'system', text: 'You investigate.' },
      { ...said('user', 'DATA {}'), pictures: [picture] },
      said('assistant', '{"tool":"describe_camera"}'),
      { ...said('user', 'DATA {"tool_result":1}'), pictures: [picture] },
      said('user', 'Come to your decision.'),
    ]
    await modelFor(at(port), { sees: true }).chat(request({ messages }))
    const sent = asked[0]?.body.messages as { role: string; content: unknown }[]
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(sent[3]?.content).toMatchObject([
      { text: 'DATA {"tool_result":1}\n\nCome to your decision.' },
      { type: 'image_url' },
    ])
  })

  it('is asked under the schema, and its tokens are counted', async () => {
    const { port, asked } = openAiServer(['{"decision":"a"}'])
    const model = modelFor(at(port))
    expect(await model.chat(request())).toEqual({
      text: '{"decision":"a"}',
      tokensIn: 120,
      tokensOut: 17,
      ms: expect.any(Number),
    })
    expect(model).toMatchObject({ name: 'openai:qwen', sees: false, likelihoods: false, backend: 'server' })
    expect(asked[0]?.body).toEqual({
      model: 'qwen',
      messages: [
        { role: 'system', content: 'You judge.' },
        { role: 'user', content: 'DATA {}' },
      ],
      temperature: 0,
      seed: 7,
      max_tokens: 300,
      stream: false,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', strict: true, schema: { type: 'object' } },
      },
    })
  })

  it('is handed pictures if it sees', async () => {
    const { port, asked } = openAiServer(['{}'])
    await modelFor(at(port), { sees: true }).chat(request())
    const data = Buffer.from(picture.bytes).toString('base64')
    expect(asked[0]?.body.messages).toMatchObject([
      { content: 'You judge.' },
      {
        content: [
          { type: 'text', text: 'DATA {}' },
          { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${data}` } },
        ],
      },
    ])
  })

  it('is found at the base address that is listed, and bears the headers that are listed', async () => {
    const dir = temporaryFolder()
    mkdirSync(join(dir, 'secrets'))
    writeFileSync(join(dir, 'secrets', 'key'), 'Bearer sesame\n', { mode: 0o600 })
    const paths = {
      '': '/v1/chat/completions',
      '/v1/': '/v1/chat/completions',
      '/v3': '/v3/chat/completions',
      '/v3/chat/completions': '/v3/chat/completions',
    }
    for (const [listed, path] of Object.entries(paths)) {
      const { port, asked } = openAiServer(['{}'], [path])
      await modelFor(at(port, listed, ', headers: { Authorization: { secret: key } }'), { dir }).chat(
        request(),
      )
      expect([asked[0]?.path, asked[0]?.headers.get('authorization')]).toEqual([path, 'Bearer sesame'])
    }
  })

  it('that says nothing, or does not come to an end, is malformed', async () => {
    const answers = {
      'not a text': { choices: [{ message: { content: null } }] },
      empty: { choices: [{ message: { content: '' } }] },
      'no choice': { choices: [] },
      'no object': [1],
      cut: { choices: [{ message: { content: '{"a' }, finish_reason: 'length' }] },
    }
    for (const [name, answer] of Object.entries(answers)) {
      const { port, asked } = openAiServer([Response.json(answer)])
      expect((await failureOf(modelFor(at(port))))[0], name).toBe('malformed')
      expect(asked).toHaveLength(1)
    }
  })

  it('that tells no tokens has used none', async () => {
    const { port } = openAiServer([
      Response.json({
        choices: [{ message: { content: '{}' } }],
        usage: { prompt_tokens: -1, completion_tokens: 'x' },
      }),
    ])
    expect(await modelFor(at(port)).chat(request())).toMatchObject({ tokensIn: 0, tokensOut: 0 })
  })
})

describe('a model behind Ollama', () => {
  it('is asked under the format, with pictures and room for all of it', async () => {
    const { port, asked } = ollamaServer(['{"decision":"a"}'])
    const model = modelFor(at(port), { api: 'ollama', sees: true })
    expect(await model.chat(request())).toMatchObject({
      text: '{"decision":"a"}',
      tokensIn: 98,
      tokensOut: 15,
    })
    expect(model.name).toBe('ollama:qwen')
    expect(asked[0]?.body).toMatchObject({
      model: 'qwen',
      messages: [
        { role: 'system', content: 'You judge.' },
        { content: 'DATA {}', images: [Buffer.from(picture.bytes).toString('base64')] },
      ],
      format: { type: 'object' },
      stream: false,
      think: false,
      options: { temperature: 0, seed: 7, num_predict: 300, num_ctx: 8192 },
    })
    await model.chat(request({ messages: [{ role: 'user', text: 'x'.repeat(20_000) }] }))
    expect(asked[1]?.body.options).toMatchObject({ num_ctx: 16_384 })
  })

  it('that is not done is malformed', async () => {
    const message = { role: 'assistant', content: '{"a' }
    for (const answer of [
      { message, done: false },
      { message, done: true, done_reason: 'length' },
      { done: true },
    ]) {
      const { port } = ollamaServer([Response.json(answer)])
      expect((await failureOf(modelFor(at(port), { api: 'ollama' })))[0]).toBe('malformed')
    }
  })

  it('is found where its base is listed, with or without /api', async () => {
    for (const listed of ['/', '/api', '/api/chat']) {
      const { port } = ollamaServer(['{}'])
      expect(await modelFor(at(port, listed), { api: 'ollama' }).chat(request())).toMatchObject({
        text: '{}',
      })
    }
  })
})

describe.each(['openai', 'ollama'] as const)('what goes wrong on the way to %s', api => {
  const serverOf = api === 'openai' ? openAiServer : ollamaServer

  it('is tried again where it may pass, three times at most', async () => {
    const clock = new ManualClock()
    const mended = serverOf([503, 502, '{}'])
    expect(await hurried(clock, modelFor(at(mended.port), { api, clock }).chat(request()))).toMatchObject({
      text: '{}',
    })
    expect(mended.asked).toHaveLength(3)
    for (const [status, failure] of [
      [429, 'overloaded'],
      [503, 'overloaded'],
      [502, 'down'],
      [504, 'down'],
    ] as const) {
      const { port, asked } = serverOf([status])
      expect((await hurried(clock, failureOf(modelFor(at(port), { api, clock }))))[0]).toBe(failure)
      expect(asked).toHaveLength(3)
    }
  })

  it.each([429, 503])('%d is tried again when the server wants it, and not before', async status => {
    for (const header of ['7', 'Mon, 30 Nov 2026 12:00:07 GMT']) {
      const clock = new NotedClock(Date.parse('2026-11-30T12:00:00Z'))
      const busy = new Response('', { status, headers: { 'retry-after': header } })
      const { port, asked } = serverOf([busy, '{}'])
      const answer = modelFor(at(port), { api, clock }).chat(request())
      await eventually(() => clock.waits.includes(7_000))
      clock.advance(6_999)
      expect(asked).toHaveLength(1)
      clock.advance(1)
      expect(await answer).toMatchObject({ text: '{}' })
    }
  })

  it('is given up at once where the server wants more time than there is', async () => {
    for (const [header, words] of [
      ['3600', 'it has time again in 3600 s'],
      ['99999999999999', 'it has time again in 86400 s'],
    ] as const) {
      const busy = new Response('', { status: 429, headers: { 'retry-after': header } })
      const { port, asked } = serverOf([busy, '{}'])
      expect(await failureOf(modelFor(at(port), { api }))).toEqual([
        'overloaded',
        expect.stringContaining(words),
      ])
      expect(asked).toHaveLength(1)
    }
  })

  it('is tried again as usual where the server wants what nobody understands, or is not busy', async () => {
    const clock = new ManualClock()
    for (const [status, header] of [
      [503, 'soon'],
      [503, '-5'],
      [503, '1e9'],
      [503, 'Tue, 99 Nov 2026 12:00:07 GMT'],
      [503, 'Mon, 01 Jan 1900 00:00:00 GMT'],
      [502, '3600'],
    ] as const) {
      const busy = new Response('', { status, headers: { 'retry-after': header } })
      const { port, asked } = serverOf([busy, '{}'])
      expect(await hurried(clock, modelFor(at(port), { api, clock }).chat(request())), header).toMatchObject({
        text: '{}',
      })
      expect(asked).toHaveLength(2)
    }
  })

  it('is not tried again where it stays, and says what to do', async () => {
    for (const [status, hint] of [
      [400, 'log'],
      [401, 'key'],
      [404, 'name of the model'],
      [500, 'log'],
    ] as const) {
      const { port, asked } = serverOf([status])
      const [failure, message] = await failureOf(modelFor(at(port), { api }))
      expect([failure, asked.length]).toEqual(['refused', 1])
      expect(message).toContain(hint)
    }
  })

  it('is not tried again when there is no time left for it', async () => {
    const { port, asked } = serverOf([503])
    expect((await failureOf(modelFor(at(port), { api }), { timeoutMs: 400 }))[0]).toMatch(
      /overloaded|timeout/,
    )
    expect(asked).toHaveLength(1)
  })

  it('is down where nothing listens', async () => {
    const clock = new ManualClock()
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const { port = 0 } = server
    await server.stop(true)
    expect((await hurried(clock, failureOf(modelFor(at(port), { api, clock }))))[0]).toBe('down')
  })

  it('is down where the connection is lost halfway, either way', async () => {
    const clock = new ManualClock()
    const half =
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"choices":'
    for (const end of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const { port, seen } = await rawServer(socket => socket.write(half, () => socket[end]()))
      expect((await hurried(clock, failureOf(modelFor(at(port), { api, clock }))))[0], end).toBe('down')
      expect(seen.requests).toBe(3)
    }
  })

  it('is a timeout where the answer drips, and the connection is let go', async () => {
    const clock = new ManualClock()
    const { port, seen } = await rawServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
      const drip = setInterval(() => socket.write(' '), 5)
      socket.on('close', () => clearInterval(drip))
    })
    const failed = failureOf(modelFor(at(port), { api, clock }), { timeoutMs: 2_000 })
    await eventually(() => seen.requests === 1)
    clock.advance(2_001)
    expect((await failed)[0]).toBe('timeout')
    await eventually(() => seen.closed === 1)
  })

  it('is aborted when it is called off, and the connection is let go', async () => {
    const { port, seen } = await rawServer(() => undefined)
    const abort = new AbortController()
    const failed = failureOf(modelFor(at(port), { api }), { signal: abort.signal })
    await eventually(() => seen.requests === 1)
    abort.abort()
    expect((await failed)[0]).toBe('aborted')
    await eventually(() => seen.closed === 1)
    expect((await failureOf(modelFor(at(port), { api }), { signal: abort.signal }))[0]).toBe('aborted')
    expect(seen.requests).toBe(1)
  })

  it('is malformed where it is no JSON, no HTTP, or without end', async () => {
    const page = serverOf([new Response('<html>Sign in</html>')])
    expect((await failureOf(modelFor(at(page.port), { api })))[0]).toBe('malformed')
    const huge = serverOf([new Response(`{"a":"${'x'.repeat(600_000)}"}`)])
    expect(await failureOf(modelFor(at(huge.port), { api }))).toEqual([
      'malformed',
      expect.stringContaining('512 kB'),
    ])
    const clock = new ManualClock()
    const { port } = await rawServer(socket => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
    expect((await hurried(clock, failureOf(modelFor(at(port), { api, clock }))))[0]).toBe('down')
  })

  it('never leads out of the site', async () => {
    const { port, asked } = serverOf(['{}'])
    const named = `{ llm: { url: "http://models.example:${port}", class: read } }`
    const refused = async (destinations: string, how: How = {}) =>
      failureOf(modelFor(destinations, { api, ...how }))
    const to = (address: string) => ({ lookup: async () => [address] })
    expect(await refused('{}')).toEqual(['refused', expect.stringContaining('not listed')])
    expect(await refused(named, to('93.184.216.34'))).toEqual([
      'refused',
      expect.stringContaining('not in a network of the site'),
    ])
    expect(await refused(named, to('127.0.0.1'))).toEqual(['refused', expect.stringContaining('itself')])
    expect(await refused(named, to('169.254.169.254'))).toEqual(['refused', expect.stringContaining('link')])
    expect(await refused(at(port), { ownPorts: [port] })).toEqual([
      'refused',
      expect.stringContaining('this Gatehouse'),
    ])
    expect(await refused(at(port).replace('read', 'move'))).toEqual([
      'refused',
      expect.stringContaining('move'),
    ])
    expect(asked).toHaveLength(0)
    const away = serverOf([
      new Response(null, { status: 307, headers: { location: `http://127.0.0.2:${port}/` } }),
    ])
    expect(await refused(at(away.port))).toEqual(['refused', expect.stringContaining('redirects')])
    expect(asked).toHaveLength(0)
  })
})
