/** The models that were brought to this box: files in the data folder, each with what is known of it beside it. */
import { lstat, readdir, realpath, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { type Clock, GatehouseError } from '../core/index.ts'
import type { Hardware } from '../hardware/index.ts'
import { ggufName } from '../inference/index.ts'
import type { Catalogue } from './catalogue.ts'
import { misfit } from './fit.ts'
import { inspectGguf } from './gguf.ts'
import type { KnownFile, KnownModel } from './known.ts'
import { inspectOnnx } from './onnx.ts'
import { copyIn, demandRoom, hashOf, makeFolder, moveIn, openPlain, writeWhole } from './place.ts'
import { isModelName, type ModelRecord, readRecord, recordName } from './record.ts'
import type { FileCheck } from './verify.ts'

export interface InstalledOptions {
  /** The data folder. */
  dataDir: string
  catalogue: Catalogue
  hardware: Pick<Hardware, 'ramBytes'>
  clock: Clock
}

/** A file in the folder. `record` is null where it was put there by hand and never looked at. */
export interface Installed {
  file: string
  bytes: number
  record: ModelRecord | null
  /** Why it does not fit this box, or null. */
  misfit: string | null
}

export class InstalledModels {
  readonly #options: InstalledOptions

  constructor(options: InstalledOptions) {
    this.#options = options
  }

  get dir(): string {
    return join(this.#options.dataDir, 'models')
  }

  /** Where a model of that name lies, or would. Throws `GatehouseError` `model_unknown` for what is no name. */
  path(file: string): string {
    if (!isModelName(file))
      throw new GatehouseError(
        'model_unknown',
        `${ggufName(file)} is no name of a model file: see "gatehouse models list"`,
      )
    return join(this.dir, file)
  }

  /** By name. */
  async list(): Promise<Installed[]> {
    const names = await readdir(this.dir).catch(() => [])
    const found = await Promise.all(
      names
        .filter(isModelName)
        .sort()
        .map(name => this.#read(name)),
    )
    return found.filter(model => model !== null)
  }

  /** Null where there is none. */
  async get(file: string): Promise<Installed | null> {
    this.path(file)
    return this.#read(file)
  }

  /**
   * Takes a copy of a file, or the file itself where it lies in the folder already. Unknown GGUF files are taken with a
   * warning. Throws `GatehouseError`: `model_unreadable`, `model_invalid`, `model_misfit`, `model_exists`, `disk_full`.
   * `force`: also what does not fit this box.
   */
  async add(path: string, { force = false } = {}): Promise<ModelRecord> {
    const name = basename(path)
    if (!isModelName(name)) {
      throw new GatehouseError(
        'model_invalid',
        `${ggufName(name)} cannot be its name here: rename it to letters, digits, dots and dashes, ending in .gguf`,
      )
    }
    const { handle, bytes } = await openPlain(path, name)
    try {
      const looked = look(path, name)
      this.#demandFit(name, looked.facts.needBytes, force)
      await makeFolder(this.dir)
      if ((await realpath(dirname(path))) === (await realpath(this.dir)))
        return await this.#record(name, bytes, await hashOf(handle), looked)
      await demandRoom(this.dir, bytes)
      const copy = await copyIn(handle, this.dir)
      return await this.take(copy.path, name, copy)
    } finally {
      await handle.close()
    }
  }

  /**
   * Gives a whole file of the folder its name, once it was looked at and its hash held against the catalogue. What is
   * refused is removed.
   */
  async take(
    path: string,
    name: string,
    { bytes, sha256 }: { bytes: number; sha256: string },
  ): Promise<ModelRecord> {
    try {
      const looked = look(path, name)
      const there = await this.#read(name)
      if (there && there.record?.sha256 !== sha256) throw taken(name)
      const record = this.#recordOf(name, bytes, sha256, looked)
      await moveIn(path, this.dir, name)
      await this.#keep(record)
      return record
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  /** Holds every file, or one, against the hash that it had when it came. */
  async verify(file?: string): Promise<FileCheck[]> {
    const names = file === undefined ? await this.#recorded() : [file]
    const checks: FileCheck[] = []
    for (const name of names) checks.push({ model: name, path: name, ...(await this.#check(name)) })
    return checks
  }

  /** Throws `GatehouseError` `model_unknown` where there is none. */
  async remove(file: string): Promise<void> {
    const path = this.path(file)
    const record = join(this.dir, recordName(file))
    const there = await Promise.all([path, record].map(each => lstat(each).catch(() => null)))
    if (there.every(each => each === null))
      throw new GatehouseError('model_unknown', `no model ${file} is installed: see "gatehouse models list"`)
    // What remains where this breaks off is a record of what is missing, and can be removed again.
    await rm(path, { force: true })
    await rm(record, { force: true })
  }

  async #read(file: string): Promise<Installed | null> {
    const found = await lstat(join(this.dir, file)).catch(() => null)
    if (!found?.isFile()) return null
    const record = await readRecord(this.dir, file)
    const { hardware } = this.#options
    const needBytes = record?.facts.needBytes ?? null
    return {
      file,
      bytes: found.size,
      record,
      misfit: needBytes === null ? null : misfit(needBytes, hardware),
    }
  }

  #demandFit(name: string, needBytes: number | null, force: boolean): void {
    const why = needBytes === null ? null : misfit(needBytes, this.#options.hardware)
    if (why && !force)
      throw new GatehouseError(
        'model_misfit',
        `${name} does not fit: ${why}; choose a smaller one, or say --force`,
      )
  }

  async #record(name: string, bytes: number, sha256: string, looked: Looked): Promise<ModelRecord> {
    const record = this.#recordOf(name, bytes, sha256, looked)
    await this.#keep(record)
    return record
  }

  #keep(record: ModelRecord): Promise<void> {
    return writeWhole(this.dir, recordName(record.file), `${JSON.stringify(record, null, 2)}\n`)
  }

  /** Throws `GatehouseError` `model_invalid` where it bears a known file's name and is another. */
  #recordOf(file: string, bytes: number, sha256: string, { facts, warnings }: Looked): ModelRecord {
    const { catalogue, clock } = this.#options
    const byHash = filesOf(catalogue).find(each => each.file.sha256 === sha256)
    const byName = filesOf(catalogue).find(each => each.file.path.toLowerCase() === file.toLowerCase())
    if (!byHash && byName?.file.sha256) {
      throw new GatehouseError(
        'model_invalid',
        `${file} is not the file that the catalogue knows (its SHA-256 is ${sha256}): get it again from ` +
          `${byName.model.source}, or give it another name`,
      )
    }
    const unknown = facts.format === 'gguf' && !byHash
    return {
      file,
      bytes,
      sha256,
      addedAt: clock.now(),
      known: byHash?.model.name ?? null,
      facts,
      warnings: [
        ...warnings,
        ...(unknown
          ? [
              `${file} is not known here: what it can do is not tested, its cases have to pass before it investigates`,
            ]
          : []),
      ],
    }
  }

  async #recorded(): Promise<string[]> {
    const names = await readdir(this.dir).catch(() => [])
    const models = names.map(name => (name.endsWith('.json') ? name.slice(0, -'.json'.length) : name))
    return [...new Set(models.filter(isModelName))].sort()
  }

  async #check(file: string): Promise<Pick<FileCheck, 'state' | 'message'>> {
    const path = this.path(file)
    const record = await readRecord(this.dir, file)
    const found = await lstat(path).catch(() => null)
    if (!found?.isFile()) return { state: 'missing', message: `${file} is missing: add it again` }
    if (!record)
      return { state: 'wrong', message: `${file} was never looked at: run "gatehouse models add ${path}"` }
    const { handle, bytes } = await openPlain(path, file)
    try {
      if (bytes === record.bytes && (await hashOf(handle)) === record.sha256)
        return { state: 'ok', message: '' }
    } finally {
      await handle.close()
    }
    return { state: 'wrong', message: `${file} is not what it was when it came: remove it and add it again` }
  }
}

/** Another file bears that name. */
export function taken(file: string): GatehouseError {
  return new GatehouseError(
    'model_exists',
    `another file is installed as ${file}: remove it first with "gatehouse models remove ${file}"`,
  )
}

type Looked = Pick<ModelRecord, 'facts' | 'warnings'>

function look(path: string, name: string): Looked {
  return extname(name).toLowerCase() === '.onnx' ? inspectOnnx(path, name) : inspectGguf(path, name)
}

function filesOf({ known }: Catalogue): { model: KnownModel; file: KnownFile }[] {
  return known.flatMap(model => Object.values(model.files).map(file => ({ model, file })))
}
