/** RTSP as it travels (RFC 2326): requests, answers, and `$` frames of media between them on one connection. */

const MOST_HEAD = 16 * 1024
const MOST_BODY = 256 * 1024
/** Bytes between two messages that are neither; more than that is another protocol. */
const MOST_JUNK = 4 * 1024
const FRAME = 0x24
const FRAME_HEAD = 4
const VERSION = 'RTSP/1.0'

/** A request or an answer. */
export interface Message {
  /** `DESCRIBE rtsp://… RTSP/1.0`, or `RTSP/1.0 200 OK`. */
  start: string
  headers: readonly (readonly [name: string, value: string])[]
  body: Uint8Array
}

export type Part =
  | { kind: 'message'; message: Message }
  /** Media, with the four bytes before it. */
  | { kind: 'frame'; bytes: Uint8Array }

/** What arrives is not RTSP, or more than RTSP would ever be. */
export class NotRtsp extends Error {}

/** Takes bytes as they arrive; gives what is whole. */
export class RtspReader {
  #rest: Buffer = Buffer.alloc(0)
  #junk = 0

  /** Throws `NotRtsp`. */
  push(chunk: Uint8Array): Part[] {
    this.#rest = this.#rest.length ? Buffer.concat([this.#rest, chunk]) : Buffer.from(chunk)
    const parts: Part[] = []
    for (let part = this.#next(); part; part = this.#next()) parts.push(part)
    return parts
  }

  #next(): Part | null {
    this.#skip()
    if (!this.#rest.length) return null
    return this.#rest[0] === FRAME ? this.#frame() : this.#message()
  }

  /** Some cameras pad their messages. */
  #skip(): void {
    let at = 0
    while (at < this.#rest.length && !begins(this.#rest[at] ?? 0)) at++
    this.#junk += at
    if (this.#junk > MOST_JUNK) throw new NotRtsp()
    if (at) this.#rest = this.#rest.subarray(at)
  }

  #frame(): Part | null {
    if (this.#rest.length < FRAME_HEAD) return null
    const end = FRAME_HEAD + this.#rest.readUInt16BE(2)
    if (this.#rest.length < end) return null
    this.#junk = 0
    return { kind: 'frame', bytes: this.#take(end) }
  }

  #message(): Part | null {
    const end = this.#rest.indexOf('\r\n\r\n')
    if (end < 0 ? this.#rest.length > MOST_HEAD : end > MOST_HEAD) throw new NotRtsp()
    if (end < 0) return null
    const [start = '', ...lines] = this.#rest.toString('latin1', 0, end).split('\r\n')
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      if (colon < 1) throw new NotRtsp()
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    })
    if (!(start.startsWith(`${VERSION} `) || start.endsWith(` ${VERSION}`))) throw new NotRtsp()
    const length = Number(headerOf({ headers }, 'content-length') ?? 0)
    if (!(Number.isInteger(length) && length >= 0 && length <= MOST_BODY)) throw new NotRtsp()
    const whole = end + 4 + length
    if (this.#rest.length < whole) return null
    this.#junk = 0
    const body = this.#take(whole).subarray(end + 4)
    return { kind: 'message', message: { start, headers, body } }
  }

  #take(end: number): Buffer {
    const taken = this.#rest.subarray(0, end)
    this.#rest = this.#rest.subarray(end)
    return taken
  }
}

/** Messages begin with a method or with the protocol's name, both in capital letters. */
function begins(byte: number): boolean {
  return byte === FRAME || (byte >= 0x41 && byte <= 0x5a)
}

/** The value of a header, by its name in small letters. */
export function headerOf({ headers }: Pick<Message, 'headers'>, name: string): string | null {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? null
}

/** Method and address of a request, or null. */
export function requestLine({ start }: Message): { method: string; uri: string } | null {
  const [, method = '', uri = ''] = /^([A-Z_]+) (\S+) RTSP\/1\.0$/.exec(start) ?? []
  return method ? { method, uri } : null
}

/** The status of an answer, or null. */
export function statusOf({ start }: Message): number | null {
  const [, status] = /^RTSP\/1\.0 (\d{3})\b/.exec(start) ?? []
  return status ? Number(status) : null
}

/** The bytes of a message; its headers are those that it came with, but for `instead`, by their names in small letters. */
export function bytesOf(message: Message, instead: { [name: string]: string | null } = {}): Uint8Array {
  const kept = message.headers.filter(([name]) => !Object.hasOwn(instead, name.toLowerCase()))
  const added = Object.entries(instead).filter(([, value]) => value !== null)
  const lines = [...kept, ...added].map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${message.start}\r\n${lines.join('')}\r\n`, 'latin1'), message.body])
}
