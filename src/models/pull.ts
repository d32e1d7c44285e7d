/** Fetches the files of a known model, from where an earlier try broke off. */
import { open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Clock, GatehouseError, messageOf } from '../core/index.ts'
import { gigabytes } from './fit.ts'
import { type InstalledModels, taken } from './installed.ts'
import type { KnownFile, KnownModel } from './known.ts'
import { demandRoom, diskError, hashOf, makeFolder, openPlain, writeAll, writeWhole } from './place.ts'
import type { ModelRecord } from './record.ts'

/** A way to fetch files. The floors above supply it; it goes where the site allows and nowhere else. */
export interface Download {
  /**
   * One GET. A body of 200 or 206 is handed to `take` as it comes; the answer is the status. Rejects with
   * `GatehouseError`: `egress_denied`, `destination_unreachable`, `destination_unanswered`, or what `take` threw.
   */
  get(request: {
    url: URL
    headers: Readonly<Record<string, string>>
    signal: AbortSignal
    take(
      head: { status: number; header(name: string): string | null },
      chunks: AsyncIterable<Uint8Array>,
    ): Promise<void>
  }): Promise<{ status: number }>
}

export interface PullOptions {
  installed: InstalledModels
  download: Download
  clock: Clock
  signal: AbortSignal
  /** Told of every file now and then: bytes that are here, and of how many (0: not known). */
  onProgress?(file: string, bytes: number, total: number): void
}

/** No file that is pulled may be larger, whatever its host says. */
const MOST_BYTES = 64 * 1024 ** 3
/** Pauses before the next try; a try that brought something begins anew. */
const PAUSES_MS = [1_000, 5_000, 20_000]

const Part = Type.Object({ url: Type.String(), etag: Type.String(), total: Type.Number() })
type Part = Static<typeof Part>

/**
 * Fetches what of a model is not there yet, and puts each file in its place once its size and hash are right. Throws
 * `GatehouseError`: what `Download` throws, `model_invalid`, `model_unfetched` (run it again), `disk_full`.
 */
export async function pull(model: KnownModel, options: PullOptions): Promise<ModelRecord[]> {
  const records: ModelRecord[] = []
  for (const file of Object.values(model.files)) {
    const there = await options.installed.get(file.path)
    const same = there?.record && (!file.sha256 || there.record.sha256 === file.sha256)
    if (there && !same) throw taken(file.path)
    records.push(there?.record ?? (await new Pull(file, options).run()))
  }
  return records
}

class Pull {
  readonly #file: KnownFile
  readonly #options: PullOptions
  readonly #part: string

  constructor(file: KnownFile, options: PullOptions) {
    this.#file = file
    this.#options = options
    this.#part = join(options.installed.dir, `.${file.path}.part`)
  }

  async run(): Promise<ModelRecord> {
    const { installed } = this.#options
    await makeFolder(installed.dir)
    await this.#fetch()
    const { handle, bytes } = await openPlain(this.#part, this.#file.path)
    let sha256: string
    try {
      sha256 = await hashOf(handle)
    } finally {
      await handle.close()
    }
    const { path, sha256: wanted } = this.#file
    await this.#forget()
    if (wanted !== undefined && sha256 !== wanted) {
      await rm(this.#part, { force: true })
      throw new GatehouseError(
        'model_invalid',
        `${path} arrived with SHA-256 ${sha256}, the catalogue says ${wanted}: it was thrown away, try again later`,
      )
    }
    return installed.take(this.#part, path, { bytes, sha256 })
  }

  /** Tries until all is there. */
  async #fetch(): Promise<void> {
    const { clock, signal } = this.#options
    for (let tries = 0; ; tries++) {
      const before = await this.#have()
      try {
        if (await this.#once(before)) return
      } catch (error) {
        if (!mayPass(error) || signal.aborted) throw error
        const after = await this.#have()
        if (after > before) tries = 0
        const pause = PAUSES_MS[tries]
        if (pause === undefined) {
          const { path } = this.#file
          throw new GatehouseError(
            'model_unfetched',
            `${path} broke off after ${gigabytes(after)} (${messageOf(error)}): run it again, it goes on from there`,
            { status: 502, cause: error },
          )
        }
        await wait(clock, pause, signal)
      }
    }
  }

  /** One request. True where all is there. */
  async #once(have: number): Promise<boolean> {
    const { download, signal } = this.#options
    const part = await this.#remembered()
    const offset = part ? have : 0
    if (part && part.total > 0 && offset === part.total) return true
    const headers: Record<string, string> = { 'accept-encoding': 'identity' }
    if (part && offset > 0) {
      headers.range = `bytes=${offset}-`
      headers['if-range'] = part.etag
    }
    let whole = false
    const { status } = await download.get({
      url: new URL(this.#file.url),
      headers,
      signal,
      take: async (head, chunks) => {
        whole = await this.#take(head, chunks, offset)
      },
    })
    if (whole) return true
    // Another file than the one that was begun, or more than it has: from the beginning then.
    if (status === 416) await this.#forget()
    const passing = status === 416 || status === 429 || status >= 500 || status === 200 || status === 206
    throw new GatehouseError(
      passing ? 'destination_unanswered' : 'model_unfetched',
      `${new URL(this.#file.url).hostname} answered ${status} for ${this.#file.path}`,
      { status: 502 },
    )
  }

  async #take(
    head: { status: number; header(name: string): string | null },
    chunks: AsyncIterable<Uint8Array>,
    offset: number,
  ): Promise<boolean> {
    const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(head.header('content-range') ?? '')
    const goesOn = head.status === 206 && offset > 0
    if (goesOn && Number(range?.[1]) !== offset) {
      await this.#forget()
      throw new GatehouseError(
        'destination_unanswered',
        'the rest that arrived was another one than was asked for',
      )
    }
    const total = goesOn ? Number(range?.[2]) : Number(head.header('content-length') ?? 0)
    const { path, bytes: wanted } = this.#file
    if (wanted !== undefined && total > 0 && total !== wanted) {
      throw new GatehouseError(
        'model_invalid',
        `${path} has ${total} bytes there, the catalogue says ${wanted}: it is another file, nothing was taken`,
      )
    }
    const most = wanted ?? (total > 0 ? total : MOST_BYTES)
    if (most > MOST_BYTES)
      throw new GatehouseError('model_invalid', `${path} is larger than 64 GB: no such file is taken`)
    const from = goesOn ? offset : 0
    if (total > 0) await demandRoom(this.#options.installed.dir, total - from)
    const etag = head.header('etag')
    // Only what is known to be the same file is gone on with.
    if (etag?.startsWith('"')) await this.#remember({ url: this.#file.url, etag, total })
    else if (!goesOn) await this.#forget()
    const at = await this.#write(chunks, from, most, total)
    return total > 0 ? at === total : wanted === undefined || at === wanted
  }

  async #write(
    chunks: AsyncIterable<Uint8Array>,
    from: number,
    most: number,
    total: number,
  ): Promise<number> {
    const target = await open(this.#part, from > 0 ? 'r+' : 'w', 0o600)
    let at = from
    try {
      for await (const chunk of chunks) {
        if (at + chunk.length > most)
          throw new GatehouseError(
            'model_invalid',
            `${this.#file.path} goes on after ${most} bytes: it is another file`,
          )
        await writeAll(target, chunk, at).catch(error => {
          throw diskError(error, this.#options.installed.dir)
        })
        at += chunk.length
        this.#options.onProgress?.(this.#file.path, at, total)
      }
      return at
    } finally {
      await target.sync().catch(() => {})
      await target.close()
    }
  }

  async #have(): Promise<number> {
    return (await stat(this.#part).catch(() => null))?.size ?? 0
  }

  async #remembered(): Promise<Part | null> {
    try {
      const part: unknown = JSON.parse(await readFile(`${this.#part}.json`, 'utf8'))
      return Value.Check(Part, part) && part.url === this.#file.url ? part : null
    } catch {
      return null
    }
  }

  #remember(part: Part): Promise<void> {
    return writeWhole(this.#options.installed.dir, `.${this.#file.path}.part.json`, JSON.stringify(part))
  }

  #forget(): Promise<void> {
    return rm(`${this.#part}.json`, { force: true })
  }
}

/** Whether another try may bring more. */
function mayPass(error: unknown): boolean {
  return (
    error instanceof GatehouseError &&
    (error.code === 'destination_unanswered' || error.code === 'destination_unreachable')
  )
}

async function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = clock.after(ms, resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  cancel()
}
