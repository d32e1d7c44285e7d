import { chmod, unlink } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { GatehouseError, type Log, messageOf } from '../core/index.ts'
import { type Child, spawnChild } from './child.ts'
import { FrameReader, frame } from './frames.ts'
import { type FromListener, parseStart, parseToChild } from './protocol.ts'

/** Children at once: one for pictures, one for language, and room for those that are just ending. */
const maxChildren = 4

export interface ListenerOptions {
  /** The Unix socket; its folder says who may connect. What a killed listener left there is removed. */
  path: string
  /** Program and arguments of a child, as a `Supervisor` has them. */
  command: readonly string[]
  log: Log
}

/**
 * Inference as a service of its own: gives each connection a child of its own and passes messages on. It loads nothing
 * native itself, so it outlives its children: one that crashes or runs out of memory ends its connection, one whose
 * connection ends is killed, even where it hangs.
 */
export class InferenceListener {
  readonly #options: ListenerOptions
  readonly #open = new Set<Socket>()
  #server: Server | null = null

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Listens. Rejects where the socket cannot be made. */
  async start(): Promise<void> {
    const { path } = this.#options
    await unlink(path).catch(() => undefined)
    const server = createServer(socket => this.#serve(socket))
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', error =>
        reject(
          new GatehouseError(
            'socket_unusable',
            `${path} cannot be made (${messageOf(error)}): name a socket in a folder that is there and may be written.`,
          ),
        ),
      )
      server.listen(path, resolve)
    })
    await chmod(path, 0o600)
  }

  /** Ends all connections, and so all children. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    for (const socket of this.#open) socket.destroy()
    if (server) await new Promise<void>(resolve => server.close(() => resolve()))
  }

  #serve(socket: Socket): void {
    if (this.#open.size >= maxChildren) {
      socket.destroy()
      return
    }
    this.#open.add(socket)
    const reader = new FrameReader()
    let child: Child | null = null
    const tell = (message: FromListener) => {
      if (socket.writable) socket.write(frame(message))
    }
    const hear = (received: unknown): void => {
      const message = child && parseToChild(received)
      if (message) child?.send(message)
      else child ??= this.#spawn(received, socket, tell)
    }
    socket.on('data', chunk => {
      try {
        for (const received of reader.push(chunk as Buffer)) hear(received)
      } catch (error) {
        this.#options.log.warn({ error: messageOf(error) }, 'a connection to inference spoke out of turn')
        socket.destroy()
      }
    })
    // `close` follows, and does what there is to do.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#open.delete(socket)
      void child?.kill()
    })
  }

  #spawn(received: unknown, socket: Socket, tell: (message: FromListener) => void): Child {
    const start = parseStart(received)
    if (!start) throw new Error('its first message does not say where models lie')
    const { modelsDir, dropAfterMs, threads } = start
    const { command, log } = this.#options
    const child = spawnChild(
      { command, modelsDir, dropAfterMs, threads: threads ?? undefined, log },
      {
        message: message => {
          if (socket.writable) socket.write(frame(message))
        },
        exit: how => {
          tell({ kind: 'ended', how })
          socket.end()
        },
      },
    )
    tell({ kind: 'child', pid: child.pid ?? 0 })
    return child
  }
}
