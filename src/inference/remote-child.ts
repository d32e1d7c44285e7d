import { connect } from 'node:net'
import { messageOf } from '../core/index.ts'
import type { Child, ChildEvents, ChildOptions } from './child.ts'
import { FrameReader, frame } from './frames.ts'
import { type FromListener, parseFromChild, parseFromListener, type Start } from './protocol.ts'

/**
 * A child that the listener at a Unix socket starts and ends for us: where each service has its own limits, the engine
 * cannot start it inside of its own. As long as the connection stands there is a child; to close it kills the child.
 */
export function connectChild(
  path: string,
  options: Omit<ChildOptions, 'command'>,
  events: ChildEvents,
): Child {
  const { modelsDir, dropAfterMs, threads, log } = options
  const socket = connect({ path })
  const reader = new FrameReader()
  const { promise: gone, resolve: setGone } = Promise.withResolvers<void>()
  let pid: number | null = null
  let how = 'its service closed the connection'

  const hear = (received: unknown): void => {
    const own: FromListener | null = parseFromListener(received)
    if (own?.kind === 'child') pid = own.pid
    if (own?.kind === 'ended') how = own.how
    const message = own ? null : parseFromChild(received)
    if (message) events.message(message)
  }
  socket.on('data', chunk => {
    try {
      for (const received of reader.push(chunk as Buffer)) hear(received)
    } catch (error) {
      how = messageOf(error)
      socket.destroy()
    }
  })
  socket.on('error', error => {
    how = `${path}: ${messageOf(error)}`
  })
  socket.on('close', () => {
    setGone()
    events.exit(how)
  })
  const start: Start = { kind: 'start', modelsDir, dropAfterMs, threads: threads ?? null }
  socket.write(frame(start))
  return {
    get pid() {
      return pid
    },
    send(message) {
      const bytes = frame(message)
      if (socket.writable) socket.write(bytes)
      else log.debug('the inference service hears no more')
    },
    kill() {
      how = 'killed'
      socket.destroy()
      return gone
    },
  }
}
