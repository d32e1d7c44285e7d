import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { holdToMemory, pictureNeedOf, picturePartsOf, Refusal } from '../../inference/index.ts'
import type { AnswererModel } from '../answering.ts'
import { Answerer } from './answerer.ts'

/** The one model in memory. */
export class Slot {
  #key = ''
  #loaded: Promise<Answerer> | null = null

  /** The model that is wanted; another one, or the same folder as it was before, is let go first. Throws `Refusal`. */
  async take(model: AnswererModel, threads: number): Promise<Answerer> {
    const { parts, bytes, stamp } = await look(model)
    const key = JSON.stringify([model, threads, stamp])
    if (this.#loaded && this.#key === key) return this.#loaded
    await this.close()
    holdToMemory(model.name, pictureNeedOf(bytes), undefined)
    const loaded = Answerer.load(model, parts, threads)
    this.#key = key
    this.#loaded = loaded
    loaded.catch(() => {
      if (this.#loaded === loaded) this.#loaded = null
    })
    return loaded
  }

  /** Gives its memory back. */
  async close(): Promise<void> {
    const loaded = this.#loaded
    this.#loaded = null
    await loaded?.then(answerer => answerer.unload()).catch(() => {})
  }
}

/** Which parts there are, and by what it is seen that they are still the same. */
async function look({ dir, name }: AnswererModel) {
  const folder = join(dir, name)
  const parts = picturePartsOf(await readdir(join(folder, 'onnx')).catch(() => []))
  if ('missing' in parts)
    throw new Refusal('down', `${name} has no ${parts.missing}: add it again with "gatehouse models add"`)
  const files = parts.flatMap(part => part.files)
  const found = await Promise.all(files.map(file => lstat(join(folder, file))))
  if (found.some(each => !each.isFile()))
    throw new Refusal('down', `${name} holds links: add it again with "gatehouse models add"`)
  return {
    parts,
    bytes: found.reduce((sum, { size }) => sum + size, 0),
    stamp: found.map(({ ino, size, mtimeMs }) => [ino, size, mtimeMs]),
  }
}
