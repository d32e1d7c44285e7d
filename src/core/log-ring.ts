import { cut } from './text.ts'

/** Lines that are kept, and how long one is at most: two megabytes in all. */
const MOST = 2_000
const LONGEST = 1_000

export const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const
export type Level = (typeof LEVELS)[number]

/** A line of the log. */
export interface LogLine {
  /** Counted up from 1 since the start. */
  seq: number
  at: string
  level: Level
  message: string
  /** What was said with it, as JSON; empty: nothing. */
  more: string
}

/** The last lines of the log, in memory: as they were logged, so that what is not logged is not here either. */
export class LogRing {
  /** The least level of lines that come here. */
  readonly level: Level
  #lines: LogLine[] = []
  #seq = 0

  constructor(level: Level = 'info') {
    this.level = level
  }

  /** Takes a line as pino writes it. */
  add(json: string): void {
    const line = lineOf(json, this.#seq + 1)
    if (!line) return
    this.#seq = line.seq
    this.#lines.push(line)
    if (this.#lines.length > MOST * 1.1) this.#lines = this.#lines.slice(-MOST)
  }

  /** Those behind `after` that say it, from `least` up: the latest `most`, oldest first. */
  lines({ after = 0, least = 'debug', text = '', most = MOST }: LogFilter = {}): LogLine[] {
    const from = LEVELS.indexOf(least)
    const sought = text.toLowerCase()
    const says = ({ message, more }: LogLine) => `${message} ${more}`.toLowerCase().includes(sought)
    const found = this.#lines
      .slice(-MOST)
      .filter(each => each.seq > after && LEVELS.indexOf(each.level) >= from && (!sought || says(each)))
    return found.slice(-most)
  }

  /** The number of the newest line. */
  get last(): number {
    return this.#seq
  }

  /** Lines for which that holds go. */
  forget(which: (text: string) => boolean): void {
    this.#lines = this.#lines.filter(({ message, more }) => !which(`${message}\n${more}`))
  }
}

export interface LogFilter {
  after?: number
  least?: Level
  text?: string
  most?: number
}

/** As text, for a file. */
export function logText(lines: readonly LogLine[]): string {
  return lines
    .map(({ at, level, message, more }) => `${at} ${level.padEnd(5)} ${message}${more && ` ${more}`}\n`)
    .join('')
}

function lineOf(json: string, seq: number): LogLine | null {
  try {
    const {
      level,
      time,
      msg = '',
      ...more
    } = JSON.parse(json) as { level: number; time: string; msg?: string }
    return {
      seq,
      at: String(time),
      level: LEVELS[Math.min(LEVELS.length - 1, Math.max(0, Math.floor(level / 10) - 2))] ?? 'info',
      message: cut(String(msg), LONGEST),
      more: Object.keys(more).length ? cut(JSON.stringify(more), LONGEST) : '',
    }
  } catch {
    return null
  }
}
