import { type ParseArgsConfig, parseArgs } from 'node:util'
import { GatehouseError } from '../core/index.ts'

/** Exit codes of every command. */
export const exit = { done: 0, failed: 1, wrongUse: 2 } as const

export interface Command {
  /** After `gatehouse`: `run FILE --event JSON --picture FILE [--json]`. */
  usage: string
  /** One line for `gatehouse help`. */
  summary: string
  /** Answers with the exit code; what it throws is printed as one line. */
  run(args: string[]): Promise<number>
}

/** The words of the command line were not right: exit code 2. */
export class WrongUse extends GatehouseError {
  constructor(message: string) {
    super('wrong_use', message)
  }
}

type Options = NonNullable<ParseArgsConfig['options']>

/** Flags and words of a command; an unknown flag or a missing value is wrong use. */
export function readArgs<const O extends Options>(args: string[], options: O) {
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true })
    return { values: parsed.values, words: parsed.positionals }
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    throw new WrongUse(message.replace(/^Unknown option/, 'unknown option'))
  }
}

/** A text file that the user named; one that cannot be read is wrong use, one that is not UTF-8 is `bad_encoding`. */
export async function readText(path: string): Promise<string> {
  const bytes = await readBytes(path)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new GatehouseError('bad_encoding', `${path} is not UTF-8 text: save it as UTF-8`)
  }
}

/** A file that the user named, whole. */
export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await Bun.file(path).bytes()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    const why =
      code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : 'it cannot be read'
    throw new WrongUse(`${path}: ${why}`)
  }
}

/** Prints a line to stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Resolves when the process is asked to end. */
export function signalled(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
