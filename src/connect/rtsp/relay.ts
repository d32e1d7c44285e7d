import { createServer, type Server, type Socket } from 'node:net'
import { mintSecret } from '../../core/index.ts'
import { bytesOf, headerOf, type Message, type Part, RtspReader, requestLine } from './messages.ts'
import type { RtspPeer } from './peer.ts'

/** The reader, and strangers who are on their way out. */
const MOST_SOCKETS = 4

/**
 * A place on this box where a program finds the stream of a camera without knowing where it is and who asks: it is
 * given neither address nor password, and reaches nothing else. For one reader, whose address nobody guesses.
 */
export class RtspRelay {
  readonly #peer: RtspPeer
  readonly #url: URL
  readonly #token = mintSecret()
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #client: Socket | null = null
  #port = 0

  /** `url`: the stream at the camera. */
  constructor(peer: RtspPeer, url: URL) {
    this.#peer = peer
    this.#url = new URL(url)
    this.#url.hash = ''
    this.#server = createServer(socket => this.#met(socket))
    this.#server.maxConnections = MOST_SOCKETS
  }

  /** What the reader is given. */
  get address(): string {
    return `rtsp://127.0.0.1:${this.#port}/${this.#token}`
  }

  /** Opens the line to the camera first, then the place. Rejects with `camera_offline`. */
  async open(): Promise<string> {
    this.#peer.onEnd = () => this.#client?.destroy()
    await this.#peer.open()
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(0, '127.0.0.1', resolve)
    })
    const bound = this.#server.address()
    this.#port = bound !== null && typeof bound === 'object' ? bound.port : 0
    return this.address
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    this.#peer.close()
  }

  #met(socket: Socket): void {
    const reader = new RtspReader()
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Uint8Array) => {
      try {
        for (const part of reader.push(chunk)) this.#take(part, socket)
      } catch {
        socket.destroy()
      }
    })
  }

  #take(part: Part, socket: Socket): void {
    if (this.#client !== socket && !this.#isReader(part, socket)) {
      socket.destroy()
      return
    }
    if (part.kind === 'frame') {
      this.#peer.frame(part.bytes)
      return
    }
    const { message } = part
    // Answers to what the camera asks are given on its side.
    if (!requestLine(message)) return
    const cseq = headerOf(message, 'cseq')
    this.#peer.request(this.#meant(message)).then(
      answer => socket.write(bytesOf(answer, { cseq })),
      () => socket.destroy(),
    )
  }

  /** Whoever knows the address, first. */
  #isReader(part: Part, socket: Socket): boolean {
    const uri = part.kind === 'message' ? requestLine(part.message)?.uri : undefined
    if (this.#client || uri !== this.address) return false
    this.#client = socket
    socket.setNoDelay(true)
    this.#peer.onFrame = bytes => socket.write(bytes)
    socket.on('drain', () => this.#peer.resume())
    socket.on('close', () => this.#peer.close())
    return true
  }

  /** The same request with the camera's own address. */
  #meant(message: Message): Message {
    const { method, uri } = requestLine(message) ?? { method: '', uri: '' }
    if (!uri.startsWith(this.address)) return message
    return { ...message, start: `${method} ${this.#url.href}${uri.slice(this.address.length)} RTSP/1.0` }
  }
}
