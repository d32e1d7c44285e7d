/** The models that were brought to this box: files in the data folder, each with what is known of it beside it. */
import { lstat, readdir, realpath, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { type Clock, GatehouseError } from '../core/index.ts'
import type { Hardware } from '../hardware/index.ts'
import { ggufName } from '../inference/index.ts'
import type { Catalogue } from './catalogue.ts'
import { misfit } from './fit.ts'
import {
  copyFolder,
  type FolderFile,
  fingerprintOf,
  hashFolder,
  inspectFolder,
  isFolderName,
} from './folder.ts'
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

/** A model in the folder: a file, or a folder of its own. `record` is null where it was put there by hand and never looked at. */
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
    if (!isName(file))
      throw new GatehouseError(
        'model_unknown',
        `${ggufName(file)} is no name of a model: see "gatehouse models list"`,
      )
    return join(this.dir, file)
  }

  /** By name. */
  async list(): Promise<Installed[]> {
    const names = await readdir(this.dir).catch(() => [])
    const found = await Promise.all(
      names
        .filter(isName)
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
   * Takes a copy of a file or of a model's folder, or itself where it lies here already. Unknown ones are taken with a
   * warning. Throws `GatehouseError`: `model_unreadable`, `model_invalid`, `model_misfit`, `model_exists`, `disk_full`.
   * `force`: also what does not fit this box.
   */
  async add(path: string, { force = false } = {}): Promise<ModelRecord> {
    const name = basename(path)
    if (!isModelName(name) && (await lstat(path).catch(() => null))?.isDirectory())
      return this.#addFolder(path, name, force)
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

  async #addFolder(path: string, name: string, force: boolean): Promise<ModelRecord> {
    if (!isFolderName(name)) {
      throw new GatehouseError(
        'model_invalid',
        `${ggufName(name)} cannot be its name here: rename the folder to letters, digits, single dots and dashes`,
      )
    }
    const looked = await inspectFolder(path, name)
    this.#demandFit(name, looked.facts.needBytes, force)
    await makeFolder(this.dir)
    const recordOf = (files: FolderFile[]): ModelRecord => ({
      ...{
        file: name,
        bytes: looked.bytes,
        sha256: fingerprintOf(files),
        addedAt: this.#options.clock.now(),
      },
      ...{ known: null, facts: looked.facts, warnings: looked.warnings, files },
    })
    const [from, here] = await Promise.all([realpath(dirname(path)), realpath(this.dir)])
    if (from === here) {
      const record = recordOf(await hashFolder(path, looked.files))
      await this.#keep(record)
      return record
    }
    await demandRoom(this.dir, looked.bytes)
    const copy = await copyFolder(path, looked.files, this.dir)
    const record = recordOf(copy.files)
    const there = await this.#read(name)
    if (there && there.record?.sha256 !== record.sha256) {
      await rm(copy.path, { recursive: true, force: true })
      throw taken(name)
    }
    // The same once more: what lies there stays.
    if (there) await rm(copy.path, { recursive: true, force: true })
    else await moveIn(copy.path, this.dir, name)
    await this.#keep(record)
    return record
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
    if (file !== undefined) await this.#demand(file)
    const names = file === undefined ? await this.#recorded() : [file]
    const checks: FileCheck[] = []
    for (const name of names) checks.push({ model: name, path: name, ...(await this.#check(name)) })
    return checks
  }

  /** Where its record lies. Throws `GatehouseError` `model_unknown` where there is neither that nor the model. */
  async #demand(file: string): Promise<string> {
    const record = join(this.dir, recordName(file))
    const there = await Promise.all([this.path(file), record].map(each => lstat(each).catch(() => null)))
    if (there.every(each => each === null))
      throw new GatehouseError('model_unknown', `no model ${file} is installed: see "gatehouse models list"`)
    return record
  }

  /** Throws `GatehouseError` `model_unknown` where there is none. */
  async remove(file: string): Promise<void> {
    const path = this.path(file)
    const record = await this.#demand(file)
    // What remains where this breaks off is a record of what is missing, and can be removed again.
    await rm(path, { recursive: true, force: true })
    await rm(record, { force: true })
  }

  async #read(file: string): Promise<Installed | null> {
    const found = await lstat(join(this.dir, file)).catch(() => null)
    if (!(isModelName(file) ? found?.isFile() : found?.isDirectory()) || !found) return null
    const record = await readRecord(this.dir, file)
    const { hardware } = this.#options
    const needBytes = record?.facts.needBytes ?? null
    return {
      file,
      bytes: isModelName(file) ? found.size : (record?.bytes ?? 0),
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
    return [...new Set(models.filter(isName))].sort()
  }

  async #check(file: string): Promise<Pick<FileCheck, 'state' | 'message'>> {
    const path = this.path(file)
    const record = await readRecord(this.dir, file)
    const found = await lstat(path).catch(() => null)
    if (!(isModelName(file) ? found?.isFile() : found?.isDirectory()))
      return { state: 'missing', message: `${file} is missing: add it again` }
    if (!record)
      return { state: 'wrong', message: `${file} was never looked at: run "gatehouse models add ${path}"` }
    if ((await sha256Of(path, file, record)) === record.sha256) return { state: 'ok', message: '' }
    return { state: 'wrong', message: `${file} is not what it was when it came: remove it and add it again` }
  }
}

/** Of a file or a folder as it is now; null: it is not even as large as it was, or cannot be read whole. */
async function sha256Of(path: string, name: string, { bytes, files }: ModelRecord): Promise<string | null> {
  if (files) {
    const paths = files.map(each => each.path)
    return hashFolder(path, paths).then(fingerprintOf, () => null)
  }
  const { handle, bytes: size } = await openPlain(path, name)
  try {
    return size === bytes ? await hashOf(handle) : null
  } finally {
    await handle.close()
  }
}

/** Of a model's file, or of its folder. */
function isName(name: string): boolean {
  return isModelName(name) || isFolderName(name)
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
