import { connect, isIP, type Socket } from 'node:net'
import { asOffline, offline } from '../cameras/offline.ts'
import { checkedAddresses, type Lookup, unreachable } from '../http/address.ts'
import type { Login } from '../http/login.ts'
import { codecIn } from './key-frame.ts'
import { MediaClock } from './media-clock.ts'
import {
  bytesOf,
  headerOf,
  type Message,
  NotRtsp,
  type Part,
  RtspReader,
  requestLine,
  statusOf,
} from './messages.ts'

const PORT = 554
/** Requests under way at the same time. */
const MOST_PENDING = 16

export interface PeerOptions {
  /** For people, in errors: `camera gate`. */
  label: string
  url: URL
  login: Login
  /** Ends everything. */
  signal: AbortSignal
  now(): number
  lookup?: Lookup
}

interface Pending {
  message: Message
  method: string
  uri: string
  /** The authorization that it bore. */
  sent: string | null
  resolve(answer: Message): void
  reject(error: unknown): void
}

/**
 * A camera at the other end of an RTSP connection. Knows who is asking, so that nobody else has to; goes to a checked
 * address and to no other, whatever the camera answers. Its errors are `camera_offline`, in one line for people.
 */
export class RtspPeer {
  readonly #options: PeerOptions
  readonly #reader = new RtspReader()
  readonly #pending = new Map<number, Pending>()
  #socket: Socket | null = null
  #cseq = 0
  #failed: Error | null = null
  #left = false
  /** When media arrived, and how old it was. */
  readonly media: MediaClock
  /** Media of the stream, with its four bytes; false: no more until `resume`. */
  onFrame: (bytes: Uint8Array) => boolean = () => true
  /** It is over; why. */
  onEnd: (error: Error) => void = () => undefined

  constructor(options: PeerOptions) {
    this.#options = options
    this.media = new MediaClock(options.now)
  }

  /** Why it ended before it was left, or null. */
  get failed(): Error | null {
    return this.#left ? null : this.#failed
  }

  /** Rejects with `camera_offline`. */
  async open(): Promise<void> {
    const { label, url, signal, lookup } = this.#options
    const port = Number(url.port || PORT)
    try {
      const addresses = await checkedAddresses({ label, url, port, signal, ...(lookup && { lookup }) })
      this.#socket = await this.#connect(addresses, port)
    } catch (error) {
      throw asOffline(error)
    }
  }

  /** The camera's answer to a request, which bears everything but the number and who is asking. */
  request(message: Message): Promise<Message> {
    const line = requestLine(message)
    if (this.#failed) return Promise.reject(this.#failed)
    if (!line || this.#pending.size >= MOST_PENDING) return Promise.reject(this.#fail(this.#notRtsp()))
    return new Promise((resolve, reject) => this.#send({ message, ...line, sent: null, resolve, reject }))
  }

  /** Media's way back: what was received is reported to the camera. */
  frame(bytes: Uint8Array): void {
    this.#socket?.write(bytes)
  }

  resume(): void {
    this.#socket?.resume()
  }

  close(): void {
    this.#left ||= this.#failed === null
    this.#fail(offline(`${this.#options.label} was left.`))
  }

  async #connect(addresses: readonly string[], port: number): Promise<Socket> {
    const { label, signal } = this.#options
    let failed: unknown = null
    for (const host of addresses) {
      const socket = connect({ host, port, family: isIP(host) })
      try {
        await opened(socket, signal)
        socket.setNoDelay(true)
        socket.on('data', (chunk: Uint8Array) => this.#read(chunk))
        socket.on('error', () => this.#fail(this.#closed()))
        socket.on('close', () => this.#fail(this.#closed()))
        signal.addEventListener('abort', () => this.close(), { once: true })
        return socket
      } catch (error) {
        socket.destroy()
        failed = error
      }
    }
    throw unreachable(label, signal.aborted ? 'it did not answer in time' : 'nothing answers there', failed)
  }

  #read(chunk: Uint8Array): void {
    if (this.#failed) return
    let parts: Part[]
    try {
      parts = this.#reader.push(chunk)
    } catch (error) {
      this.#fail(error instanceof NotRtsp ? this.#notRtsp() : error)
      return
    }
    let more = true
    for (const part of parts) {
      if (part.kind === 'message') this.#take(part.message)
      else {
        this.media.take(part.bytes)
        more = this.onFrame(part.bytes) && more
      }
    }
    if (!more) this.#socket?.pause()
  }

  #take(message: Message): void {
    const status = statusOf(message)
    if (status === null) {
      this.#asked(message)
      return
    }
    const cseq = Number(headerOf(message, 'cseq'))
    // Some cameras forget to say which request they answer.
    const key = this.#pending.has(cseq) ? cseq : this.#pending.keys().next().value
    const pending = key === undefined ? undefined : this.#pending.get(key)
    if (key === undefined || !pending || status < 200) return
    this.#pending.delete(key)
    try {
      if (status === 401) this.#challenged(message, pending)
      else if (status >= 300) throw this.#refused(status)
      else {
        if (pending.method === 'DESCRIBE')
          this.media.codec = codecIn(Buffer.from(message.body).toString('latin1'))
        pending.resolve(message)
      }
    } catch (error) {
      pending.reject(this.#fail(error))
    }
  }

  #challenged(answer: Message, pending: Pending): void {
    const { label, login } = this.#options
    const offers = answer.headers.filter(([name]) => name.toLowerCase() === 'www-authenticate')
    const header = offers.length ? offers.map(([, value]) => value).join(', ') : null
    if (!login.named) throw offline(`${label} wants a user and a password: write them into the site file.`)
    if (!login.challenged(header, pending.sent))
      throw offline(`${label} refused its user or password: check them.`)
    this.#send({ ...pending, sent: null })
  }

  #send(pending: Pending): void {
    const { message, method, uri } = pending
    try {
      const sent = this.#options.login.header(method, uri)
      const cseq = ++this.#cseq
      this.#pending.set(cseq, { ...pending, sent })
      const head = { cseq: String(cseq), 'user-agent': 'Gatehouse', authorization: sent }
      this.#socket?.write(bytesOf(message, head))
    } catch (error) {
      pending.reject(this.#fail(asOffline(error)))
    }
  }

  /** Cameras ask, too: whether somebody is still there, mostly. */
  #asked(message: Message): void {
    const { method } = requestLine(message) ?? {}
    if (method === 'REDIRECT') this.#fail(this.#refused(302))
    const known = method === 'OPTIONS' || method === 'GET_PARAMETER' || method === 'SET_PARAMETER'
    const start = `RTSP/1.0 ${known ? '200 OK' : '501 Not Implemented'}`
    const answer = { start, headers: [], body: new Uint8Array() }
    this.#socket?.write(bytesOf(answer, { cseq: headerOf(message, 'cseq') ?? '0' }))
  }

  #refused(status: number): Error {
    const { label } = this.#options
    if (status < 400)
      return offline(
        `${label} points elsewhere: write the address at which it really streams into the site file.`,
      )
    if (status === 404)
      return offline(`${label} has no stream at this address: check the path behind its host.`)
    if (status === 453 || status === 503)
      return offline(
        `${label} has no stream to spare (${status}): close other viewers, or allow more streams in it.`,
      )
    return offline(`${label} answered ${status}: check its address.`)
  }

  #notRtsp(): Error {
    return offline(`${this.#options.label} does not speak RTSP there: check address and port.`)
  }

  #closed(): Error {
    const when = this.media.firstAt === null ? ' before a picture came' : ''
    return offline(`${this.#options.label} closed the connection${when}.`)
  }

  #fail(error: unknown): Error {
    if (this.#failed) return this.#failed
    const failed = error instanceof Error ? error : new Error(String(error))
    this.#failed = failed
    this.#socket?.destroy()
    for (const { reject } of this.#pending.values()) reject(failed)
    this.#pending.clear()
    this.onEnd(failed)
    return failed
  }
}

function opened(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      socket.destroy()
      reject(signal.reason)
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    const done = (end: () => void) => {
      signal.removeEventListener('abort', abort)
      end()
    }
    socket.once('connect', () => done(resolve))
    socket.once('error', error => done(() => reject(error)))
  })
}
