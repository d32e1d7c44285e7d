import pino from 'pino'

/** Structured log lines to stdout. Credentials never; plates, faces and texts read from pictures at debug only. */
export type Log = pino.Logger

/** Options: `level` as pino's; `silent` for commands whose stdout is their answer. */
export function createLog(level: string): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 1, sync: true }),
  )
}

/** A log that says nothing. */
export const noLog: Log = pino({ level: 'silent' })
