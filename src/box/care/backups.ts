import { existsSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Clock, GatehouseError, iso, type JsonValue } from '../../core/index.ts'
import type { Site } from '../../site/index.ts'
import { copiesIn, type Store } from '../../store/index.ts'
import { backupName, STAGED } from '../backup/format.ts'
import { backupStatusIn } from '../backup/status.ts'
import { disk } from '../disk.ts'
import { STATE_DIR } from '../update/status.ts'
import type { Restart } from './care.ts'

/** What was sent to be restored, in the data folder. */
export const TAKEN = 'upload.backup'
const UNFINISHED = `${TAKEN}.unfinished`
/** Left free on the disk. */
const SPARE_BYTES = 256 * 1024 * 1024
const LOOK_EVERY = 16 * 1024 * 1024
const SHORTEST = 12
/** Whoever sends nothing for so long is gone: others wait for them. */
const SILENT_MS = 60_000
const MAGIC = 'age-encryption.org/'
const LAST = 'last_backup'

export interface BackupsParts {
  dataDir: string
  /** This program. */
  command: readonly string[]
  store: Store
  clock: Clock
  site: () => Pick<Site, 'backups'>
  /** Absent: this process cannot start anew by itself. */
  restart: Restart | null
  /** Why the last restore by the page came to nothing; null: it did not. */
  problem: string | null
}

/** Backups by the page: each is made, and looked at, by a process of its own, so that the engine goes on meanwhile. */
export class Backups {
  readonly #parts: BackupsParts
  #busy = false

  constructor(parts: BackupsParts) {
    this.#parts = parts
  }

  /** What a former process was sent is gone, and what it had unpacked when it was killed: that holds another box. */
  async start(): Promise<void> {
    const left: readonly string[] = [TAKEN, UNFINISHED, STAGED]
    for (const name of await readdir(this.#parts.dataDir))
      if (left.includes(name) || name.startsWith('looked-at-'))
        await rm(join(this.#parts.dataDir, name), { recursive: true, force: true })
  }

  async view(): Promise<JsonValue> {
    const { dataDir, store, problem, restart, site } = this.#parts
    const copies = copiesIn(dataDir).map(async ({ path, at }) => ({
      at: iso(at),
      bytes: (await stat(path)).size,
    }))
    const aside = await readdir(join(dataDir, 'damaged')).catch(() => [])
    const last = store.meta.get(LAST)
    const { made_at, problem: failed } = backupStatusIn(STATE_DIR)
    return {
      copies: await Promise.all(copies),
      set_aside: aside.sort().map(name => ({ name, at: timeIn(name) })),
      last: last === null ? null : (JSON.parse(last) as JsonValue),
      scheduled: site().backups && { made_at, problem: failed },
      restore_problem: problem,
      restores: restart !== null,
    }
  }

  async make(
    { passphrase, pictures }: { passphrase: string | null; pictures: boolean },
    by: string,
    signal: AbortSignal,
  ): Promise<{ name: string; bytes: ReadableStream<Uint8Array> }> {
    const { dataDir, command, store, clock } = this.#parts
    demandPassphrase(passphrase)
    this.#begin()
    const now = clock.now()
    const flags = [...(passphrase === null ? [] : ['--encrypt']), ...(pictures ? [] : ['--no-pictures'])]
    const child = Bun.spawn([...command, 'backup', '--to', '-', '--data', dataDir, ...flags], {
      stdin: passphrase === null ? 'ignore' : new Blob([`${passphrase}\n`]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const end = () => child.kill()
    signal.addEventListener('abort', end)
    const over = async () => {
      signal.removeEventListener('abort', end)
      // One that was ended in the middle leaves its copy of the database.
      for (const rest of ['', '.unfinished', '.unfinished-journal'])
        await rm(join(dataDir, 'copies', `backup-${child.pid}${rest}`), { force: true })
      this.#busy = false
    }
    const ended = child.exited.then(over).catch(() => undefined)
    const said = new Response(child.stderr).text()
    const reader = child.stdout.getReader()
    const first = await reader.read()
    if (first.done) throw new GatehouseError('backup_failed', lastLine(await said), { status: 500 })
    const what = { at: iso(now), by, encrypted: passphrase !== null, pictures }
    await store.write(() => {
      const target = passphrase === null ? 'not encrypted' : 'encrypted'
      store.audit.add({ at: now, author: by, action: 'backup.download', target, before: null, after: null })
      store.meta.set(LAST, JSON.stringify(what))
    })
    let next: typeof first | null = first
    return {
      name: backupName(store.meta.boxId, now, passphrase !== null),
      bytes: new ReadableStream({
        async pull(controller) {
          const { done, value } = next ?? (await reader.read())
          next = null
          // Whoever has all of it may ask for the next thing at once.
          if (done) await ended
          if (!done) controller.enqueue(value)
          else if ((await child.exited) === 0) controller.close()
          else controller.error(new Error('the backup broke off'))
        },
        cancel: end,
      }),
    }
  }

  async take(bytes: ReadableStream<Uint8Array>): Promise<{ bytes: number; encrypted: boolean }> {
    const { dataDir } = this.#parts
    this.#begin()
    const path = join(dataDir, UNFINISHED)
    try {
      await rm(join(dataDir, TAKEN), { force: true })
      await rm(path, { force: true })
      const [length, start] = await this.#store(bytes, path)
      await rename(path, join(dataDir, TAKEN))
      return { bytes: length, encrypted: start.startsWith(MAGIC) }
    } catch (cause) {
      if (cause instanceof GatehouseError) throw cause
      throw new GatehouseError('broken_off', 'The backup broke off before its end: send it again.', { cause })
    } finally {
      await rm(path, { force: true })
      this.#busy = false
    }
  }

  async restore(
    { passphrase, confirmed }: { passphrase: string | null; confirmed: boolean },
    by: string,
  ): Promise<JsonValue> {
    const { dataDir, store, clock, restart } = this.#parts
    const file = join(dataDir, TAKEN)
    if (!existsSync(file)) throw new GatehouseError('no_backup', 'Send the backup first.', { status: 409 })
    const found = await this.#looked(file, passphrase)
    const about = { ...found, this_box: found.box === store.meta.boxId }
    if (!confirmed) return { ...about, restarting: false }
    if (!restart)
      throw new GatehouseError('no_restart', 'Restore it where the box runs: gatehouse restore FILE.', {
        status: 409,
      })
    const target = `backup of ${String(found.at)}`
    const entry = { at: clock.now(), author: by, action: 'backup.restore', target, before: null, after: null }
    await store.write(() => store.audit.add(entry))
    restart(async () => {
      const { restoreBackup } = await import('../backup/restore.ts')
      try {
        await restoreBackup(
          file,
          dataDir,
          async () => (passphrase === null ? null : { passphrase }),
          clock.now(),
          by,
        )
      } finally {
        await rm(file, { force: true })
      }
    })
    return { ...about, restarting: true }
  }

  /** What it says of itself, once every byte of it was looked at. Throws what is wrong with it. */
  async #looked(file: string, passphrase: string | null): Promise<{ [key: string]: JsonValue }> {
    const { dataDir, command } = this.#parts
    this.#begin()
    try {
      const child = Bun.spawn([...command, 'restore', file, '--check', '--json', '--data', dataDir], {
        // Where it is encrypted and nobody says by what, no passphrase is right.
        stdin: new Blob([`${passphrase ?? '?'.repeat(SHORTEST)}\n`]),
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [out, said, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ])
      if (code !== 0) throw new GatehouseError('bad_backup', lastLine(said), { status: 422 })
      const { data: _, schema: _schema, ...head } = JSON.parse(out) as { [key: string]: JsonValue }
      return head
    } finally {
      this.#busy = false
    }
  }

  async #store(bytes: ReadableStream<Uint8Array>, path: string): Promise<[number, string]> {
    const { dataDir } = this.#parts
    const handle = await open(path, 'wx', 0o600)
    let [length, looked, start] = [0, -LOOK_EVERY, '']
    try {
      for await (const chunk of this.#unlessSilent(bytes)) {
        if (length - looked >= LOOK_EVERY) {
          looked = length
          if ((await disk(dataDir)).free < SPARE_BYTES)
            throw new GatehouseError('disk_full', 'There is no room for it on the disk of the box.', {
              status: 507,
            })
        }
        if (start.length < MAGIC.length) start += Buffer.from(chunk.subarray(0, 64)).toString('latin1')
        await handle.writeFile(chunk)
        length += chunk.length
      }
    } finally {
      await handle.close()
    }
    return [length, start]
  }

  async *#unlessSilent(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
    const reader = bytes.getReader()
    try {
      for (;;) {
        let cancel = () => {}
        const silent = new Promise<never>((_, reject) => {
          cancel = this.#parts.clock.after(SILENT_MS, () => reject(new Error('nothing came any more')))
        })
        const { done, value } = await Promise.race([reader.read(), silent]).finally(() => cancel())
        if (done) return
        yield value
      }
    } finally {
      reader.cancel().catch(() => undefined)
    }
  }

  #begin(): void {
    if (this.#busy)
      throw new GatehouseError(
        'backup_busy',
        'A backup is being made or read already: wait for that to end.',
        {
          status: 409,
        },
      )
    this.#busy = true
  }
}

/** Throws `bad_body` (422). */
function demandPassphrase(passphrase: string | null): void {
  if (passphrase === null || (passphrase.length >= SHORTEST && !/[\r\n]/.test(passphrase))) return
  throw new GatehouseError('bad_body', `The passphrase is one line of at least ${SHORTEST} characters.`, {
    status: 422,
  })
}

/** When something was set aside, by its name. */
function timeIn(name: string): string | null {
  const [, y, m, d, h, min, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(basename(name)) ?? []
  return y ? `${y}-${m}-${d}T${h}:${min}:${s}Z` : null
}

const lastLine = (said: string) =>
  said
    .trim()
    .split('\n')
    .at(-1)
    ?.replace(/^gatehouse: /, '') || 'it came to nothing'
