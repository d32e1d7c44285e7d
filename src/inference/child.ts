import { writeFileSync } from 'node:fs'
import { type Log, messageOf } from '../core/index.ts'
import { type FromChild, parseFromChild, settings, type ToChild } from './protocol.ts'

/** The only variables of this process that its child may see. */
const inherited = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR'] as const

/** Bytes of a child's stderr that reach the log, at debug. */
const maxStderr = 64 * 1024

/**
 * The kernel's score of who goes first when memory runs out: a child, before whoever started it. It is the most there is,
 * for a service may have a score of its own, and with the same one the larger process would go.
 */
const oomScore = '1000'

export interface ChildOptions {
  command: readonly string[]
  modelsDir: string
  dropAfterMs: number
  /** Cores that a job may use; default all but one. */
  threads?: number | undefined
  log: Log
}

export interface ChildEvents {
  message(message: FromChild): void
  /** Called once; `how` says how it ended, for the log. */
  exit(how: string): void
}

export interface Child {
  /** Null until it is known. */
  readonly pid: number | null
  /** Throws where the message cannot be cloned; to a child that is gone it sends nothing, `exit` tells of that. */
  send(message: ToChild): void
  /** SIGKILL: it holds nothing that an orderly end would save, and may hang. Resolves once it is gone. */
  kill(): Promise<unknown>
}

/** The child's environment: a short list, and what keeps ONNX Runtime from telling its maker about the machine. */
function environment(options: ChildOptions): Record<string, string> {
  const env: Record<string, string> = {
    ORT_DISABLE_TELEMETRY: '1',
    [settings.modelsDir]: options.modelsDir,
    [settings.dropAfterMs]: String(options.dropAfterMs),
    ...(options.threads !== undefined && { [settings.threads]: String(options.threads) }),
  }
  for (const name of inherited) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return env
}

/** Starts one child. Throws where the command cannot be started. */
export function spawnChild(options: ChildOptions, events: ChildEvents): Child {
  const child = Bun.spawn([...options.command], {
    // Bun reads `.env` files of the working directory: there are none of ours at the root.
    cwd: '/',
    env: environment(options),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    serialization: 'advanced',
    ipc(received) {
      const message = parseFromChild(received)
      if (message) events.message(message)
    },
    onExit(_, code, signal) {
      events.exit(signal === null ? `exit code ${code}` : `signal ${signal}`)
    },
  })
  // Not by the child itself: it may be out of memory before it could.
  goesFirst(child.pid)
  void readStderr(child.stderr, options.log)
  return {
    pid: child.pid,
    send(message) {
      try {
        child.send(message)
      } catch (error) {
        if (error instanceof DOMException && error.name === 'DataCloneError') throw error
        options.log.debug({ error: messageOf(error) }, 'the inference process hears no more')
      }
    },
    kill() {
      child.kill('SIGKILL')
      return child.exited
    },
  }
}

function goesFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, oomScore)
  } catch {
    // Not Linux, or it has ended again: the default score then.
  }
}

/** Reads all of it, so that the child never blocks on a full pipe, and logs the beginning. */
async function readStderr(stream: ReadableStream<Uint8Array>, log: Log): Promise<void> {
  const decoder = new TextDecoder()
  let logged = 0
  try {
    for await (const chunk of stream) {
      if (logged >= maxStderr) continue
      const part = chunk.subarray(0, maxStderr - logged)
      logged += part.length
      log.debug({ stderr: decoder.decode(part, { stream: true }) }, 'inference process')
    }
  } catch (error) {
    log.debug({ error: messageOf(error) }, 'the error output of the inference process broke off')
  }
}
