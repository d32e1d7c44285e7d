/** HTTP as it is written on the line: nothing is put right on its way, as a client would do. */
import { connect } from 'node:net'

export interface Answer {
  status: number
  headers: Map<string, string>
  text: string
}

export type Headers = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

/** Sends one request as it is and answers with what came until the line ended; status 0: nothing did. */
export function send(
  port: number,
  {
    method,
    address,
    headers,
    body,
  }: { method: string; address: string; headers: Headers; body: string | Uint8Array | null },
): Promise<Answer> {
  const bytes = body === null ? null : typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
  const all = Array.isArray(headers) ? headers : Object.entries(headers)
  const named = new Set(all.map(([name]) => name.toLowerCase()))
  const lines = [
    `${method} ${address} HTTP/1.1`,
    ...(named.has('host') ? [] : [`host: localhost:${port}`]),
    ...all.map(([name, value]) => `${name}: ${value}`),
    ...(named.has('connection') ? [] : ['connection: close']),
    ...(bytes && !named.has('content-length') && !named.has('transfer-encoding')
      ? [`content-length: ${bytes.length}`]
      : []),
  ]
  return exchange(
    port,
    Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes ?? Buffer.alloc(0)]),
  )
}

/** The same with any bytes at all. */
export function exchange(port: number, bytes: Uint8Array): Promise<Answer> {
  return new Promise((answered, failed) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    const late = setTimeout(() => {
      socket.destroy()
      failed(new Error(`There was no end of: ${Buffer.from(bytes.subarray(0, 300)).toString('latin1')}`))
    }, 30_000)
    socket.on('data', chunk => {
      chunks.push(Buffer.from(chunk as Uint8Array))
      // Streams have no end, and a line that may be used again is not closed by the box.
      const head = Buffer.concat(chunks).toString('latin1')
      if (/\r\ncontent-type: text\/event-stream/i.test(head) || isWhole(head)) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(late)
      answered(parsed(Buffer.concat(chunks)))
    })
    socket.write(bytes)
  })
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  const length = end < 0 ? null : /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]
  return length != null && text.length >= end + 4 + Number(length)
}

function parsed(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes
    .subarray(0, end < 0 ? bytes.length : end)
    .toString('latin1')
    .split('\r\n')
  const headers = new Map(
    lines.map(line => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
    }),
  )
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0)
  const raw = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 4)
  const whole = headers.get('transfer-encoding') === 'chunked' ? unchunked(raw) : raw
  return { status, headers, text: whole.toString('utf8') }
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16)
    if (end < 0 || !size) break
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 4 + size
  }
  return Buffer.concat(parts)
}
