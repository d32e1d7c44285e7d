/** Model servers on loopback that speak the real protocols and refuse what the real ones refuse. */
import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { JsonValue } from '../../../src/core/index.ts'

type Json = { [key: string]: JsonValue }

/** What a server was asked, in the words of the protocol. */
export interface Asked {
  path: string
  headers: Headers
  body: Json
  /** All bytes of the body, as they came. */
  raw: string
}

/** What a server answers instead of an answer to the question: a status, or a whole response. */
export type Turn = string | number | Response

interface ModelServer {
  port: number
  asked: Asked[]
}

/** `turns` are taken one by one, the last one again and again; a text is what the model says. */
function modelServer(
  turns: readonly Turn[],
  problemOf: (asked: Asked) => string | null,
  answer: (text: string, asked: Asked) => Json,
): ModelServer {
  const asked: Asked[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const raw = await request.text()
      const one: Asked = {
        path: new URL(request.url).pathname,
        headers: request.headers,
        body: JSON.parse(raw),
        raw,
      }
      asked.push(one)
      const turn = turns[Math.min(asked.length, turns.length) - 1] ?? 500
      if (turn instanceof Response) return turn.clone() as Response
      if (typeof turn === 'number') return Response.json({ error: { message: 'no' } }, { status: turn })
      const problem = problemOf(one)
      if (problem)
        return Response.json({ error: { message: problem, type: 'invalid_request_error' } }, { status: 400 })
      return Response.json(answer(turn, one))
    },
  })
  onTestFinished(() => server.stop(true))
  return { port: server.port ?? 0, asked }
}

/** As llama-server and vLLM do. */
export function openAiServer(turns: readonly Turn[], paths = ['/v1/chat/completions']): ModelServer {
  return modelServer(
    turns,
    ({ path, body }) => {
      if (!paths.includes(path)) return `no route ${path}`
      const { model, messages, max_tokens: most, stream, response_format: format } = body
      if (typeof model !== 'string' || stream !== false) return 'model or stream'
      if (!Number.isInteger(most) || !Number.isInteger(body.seed) || typeof body.temperature !== 'number')
        return 'numbers'
      if (!Array.isArray(messages) || !messages.every(isOpenAiMessage)) return 'messages'
      if (!takeTurns(messages)) return 'Conversation roles must alternate user/assistant/user/assistant/...'
      if (format === undefined) return null
      const { type, json_schema: schema } = format as Json
      const fine = type === 'json_schema' && (schema as Json)?.name && (schema as Json)?.schema
      return fine ? null : 'response_format'
    },
    (text, { body }) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model: body.model ?? null,
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 120, completion_tokens: 17, total_tokens: 137 },
    }),
  )
}

/** As the templates of many models have it: instructions first, then user and assistant in turn. */
function takeTurns(messages: readonly JsonValue[]): boolean {
  const roles = messages.map(message => (message as Json).role)
  if (roles[0] === 'system') roles.shift()
  return roles.every((role, index) => role === (index % 2 ? 'assistant' : 'user'))
}

function isOpenAiMessage(message: JsonValue): boolean {
  const { role, content } = message as Json
  if (!['system', 'user', 'assistant'].includes(String(role))) return false
  if (typeof content === 'string') return true
  return (
    Array.isArray(content) &&
    content.every(part => {
      const { type, text, image_url: image } = part as Json
      if (type === 'text') return typeof text === 'string'
      return (
        type === 'image_url' &&
        /^data:image\/(jpeg|png|webp);base64,[\w+/]+=*$/.test(String((image as Json).url))
      )
    })
  )
}

/** As Ollama does. */
export function ollamaServer(turns: readonly Turn[]): ModelServer {
  return modelServer(
    turns,
    ({ path, body }) => {
      if (path !== '/api/chat') return `no route ${path}`
      const { model, messages, stream, format, options } = body
      if (typeof model !== 'string' || stream !== false || !Array.isArray(messages))
        return 'model, stream, messages'
      if (format !== undefined && (format === null || typeof format !== 'object')) return 'format'
      const { num_ctx: size, num_predict: most, seed } = options as Json
      if (![size, most, seed].every(Number.isInteger)) return 'options'
      const plain = messages.every(message => {
        const { role, content, images = [] } = message as Json
        return (
          typeof role === 'string' &&
          typeof content === 'string' &&
          Array.isArray(images) &&
          images.every(isBase64)
        )
      })
      return plain ? null : 'messages'
    },
    (text, { body }) => ({
      model: body.model ?? null,
      created_at: '2026-11-30T12:00:00Z',
      message: { role: 'assistant', content: text },
      done: true,
      done_reason: 'stop',
      total_duration: 12_000_000,
      prompt_eval_count: 98,
      eval_count: 15,
    }),
  )
}

function isBase64(value: JsonValue): boolean {
  return typeof value === 'string' && /^[\w+/]+=*$/.test(value)
}

/** As the NVR's inference server answers questions about pictures. */
export function kaicServer(turns: readonly Turn[], adapter = 'vqa'): ModelServer {
  return modelServer(
    turns,
    ({ path, body }) => {
      if (path !== `/api/v1/infer/${adapter}`) return `no route ${path}`
      const { task, camera_id: camera, frame_b64: frame, question } = body
      if (task !== 'vqa' || typeof camera !== 'string' || typeof question !== 'string')
        return 'task, camera_id, question'
      return isBase64(frame ?? null) ? null : 'frame_b64'
    },
    text => ({
      status: 'ok',
      model_name: 'smolvlm',
      model_version: '1',
      inference_ms: 80,
      result: { answer: text },
    }),
  )
}

/** A server that does on the bare socket what no honest one does. */
export async function rawServer(
  answer: (socket: Socket) => void,
): Promise<{ port: number; seen: { requests: number; closed: number } }> {
  const seen = { requests: 0, closed: 0 }
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.on('close', () => {
      seen.closed++
    })
    socket.once('data', () => {
      seen.requests++
      answer(socket)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, seen }
}
