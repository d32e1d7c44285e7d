import pino from 'pino'
import type { LogRing } from './log-ring.ts'

/** Structured log lines to stdout. Credentials never; plates, faces and texts read from pictures at debug only. */
export type Log = pino.Logger

/**
 * Options: `level` as pino's; `silent` for commands whose stdout is their answer. `ring`: where the last lines are kept
 * besides, from its own level up.
 */
export function createLog(level: string, ring?: LogRing): Log {
  const base = { base: null, timestamp: pino.stdTimeFunctions.isoTime }
  const out = pino.destination({ fd: 1, sync: true })
  if (!ring) return pino({ ...base, level }, out)
  const least = (name: string) => pino.levels.values[name] ?? Number.POSITIVE_INFINITY
  const [said, kept] = [least(level), least(ring.level)]
  // Every line bears its level at its very beginning.
  const levelOf = (line: string) => Number(/^\{"level":(\d+)/.exec(line)?.[1])
  const write = (line: string) => {
    const its = levelOf(line)
    if (its >= kept) ring.add(line)
    if (its >= said) out.write(line)
  }
  return pino({ ...base, level: said < kept ? level : ring.level }, { write })
}

/** A log that says nothing. */
export const noLog: Log = pino({ level: 'silent' })
