/** An error that tells its reader what to do. `code` is stable, `message` is one line for people. */
export class GatehouseError extends Error {
  readonly code: string
  /** HTTP status that fits, where the error reaches a client. */
  readonly status: number

  constructor(code: string, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'GatehouseError'
    this.code = code
    this.status = options.status ?? 400
  }
}

/** One readable line out of whatever was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message.split('\n', 1)[0] ?? error.name
  return String(error).split('\n', 1)[0] ?? ''
}
