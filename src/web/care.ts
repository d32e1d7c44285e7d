/** What keeps the box and what it remembers in order, as the composition root gives it to this floor. */
import type { JsonValue, LogFilter, LogLine } from '../core/index.ts'
import type { Forget } from '../engine/index.ts'

export interface CarePort {
  privacy: {
    /** What would go. Rejects with `bad_body`. */
    preview(what: Forget): Promise<object>
    forget(what: Forget, by: string): Promise<object>
  }
  log: {
    lines(filter: LogFilter): LogLine[]
    readonly last: number
    /** The least level that comes here. */
    readonly level: string
  }
  backups: {
    /** The copies that the box made of itself, what was set aside, and the last backup by the page. */
    view(): Promise<JsonValue>
    /** A backup as it is being made; encrypted where there is a passphrase. Rejects before its first byte, or breaks off. */
    make(
      options: { passphrase: string | null; pictures: boolean },
      by: string,
      signal: AbortSignal,
    ): Promise<{ name: string; bytes: ReadableStream<Uint8Array> }>
    /** Takes one in, to be looked at; the one before is gone. */
    take(bytes: ReadableStream<Uint8Array>): Promise<{ bytes: number; encrypted: boolean }>
    /** Looks at every byte of what was taken in, says whose it is and, where `confirmed`, has the box become that. */
    restore(options: { passphrase: string | null; confirmed: boolean }, by: string): Promise<JsonValue>
  }
  /** How the machine and the processes of the box are right now. */
  machine(): JsonValue
  /** A file for whoever helps: no secret, no plate, no name of a person in it. */
  bundle(by: string): Promise<Uint8Array<ArrayBuffer>>
  /** Has a box in safe mode start as usual; false: it is not in safe mode. */
  leaveSafeMode(by: string): Promise<boolean>
}
