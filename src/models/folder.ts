/** Models that are a folder: ONNX parts, a tokenizer and settings. What of it is used is looked at, copied and hashed. */
import { createHash, randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GatehouseError } from '../core/index.ts'
import { pictureFamilies, pictureNeedOf, picturePartsOf } from '../inference/index.ts'
import { inspectOnnx } from './onnx.ts'
import { copyIn, hashOf, moveIn, openPlain } from './place.ts'
import type { ModelRecord } from './record.ts'

/** Without these it is none. */
const NEEDED = ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json']
/** Taken where they are there. */
const MORE = [
  'generation_config.json',
  'processor_config.json',
  'chat_template.jinja',
  'LICENSE',
  'LICENSE.txt',
]
/** Tokenizers of a quarter of a million words take some 35 MB. */
const MOST_SETTINGS = 64 * 1024 * 1024

/** The library's own idea of a name, less what could be taken for a file here. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,94}[A-Za-z0-9])?$/

export function isFolderName(name: string): boolean {
  return NAME.test(name) && !/\.\.|--|\.(gguf|onnx|json|git|ipynb)$/i.test(name)
}

export type FolderFile = NonNullable<ModelRecord['files']>[number]

export interface LookedFolder extends Pick<ModelRecord, 'facts' | 'warnings'> {
  /** What of it is used, relative paths. */
  files: string[]
  bytes: number
}

/** Looks at a folder without trusting it. Throws `GatehouseError` `model_invalid` or `model_unreadable`. */
export async function inspectFolder(path: string, name: string): Promise<LookedFolder> {
  const no = (why: string) => new GatehouseError('model_invalid', `${name} ${why}`)
  const top = await namesIn(path)
  const lacks = NEEDED.find(file => !top.includes(file))
  if (lacks !== undefined)
    throw no(`has no ${lacks}: bring the whole folder of a model that sees, with its ONNX files`)
  const settings = [...NEEDED, ...MORE].filter(file => top.includes(file))
  let bytes = 0
  const read = new Map<string, unknown>()
  for (const file of settings) {
    const { handle, bytes: size } = await openPlain(join(path, file), `${name}/${file}`)
    try {
      if (size > MOST_SETTINGS)
        throw no(`has a ${file} larger than any model's: it is damaged, copy it again`)
      bytes += size
      if (file.endsWith('.json')) read.set(file, parsed(await handle.readFile('utf8')))
    } finally {
      await handle.close()
    }
    if (read.get(file) === null) throw no(`has a ${file} that is no JSON object: copy it again`)
  }
  const { model_type: kind } = read.get('config.json') as { model_type?: unknown }
  if (typeof kind !== 'string' || !Object.hasOwn(pictureFamilies, kind))
    throw no(
      `is of a kind that is not known here (model_type): choose one of ${Object.keys(pictureFamilies).join(', ')}`,
    )
  const template = (read.get('tokenizer_config.json') as { chat_template?: unknown }).chat_template
  if (template === undefined && !top.includes('chat_template.jinja'))
    throw no('has no chat template: choose one that was made to follow instructions')
  const parts = picturePartsOf(await namesIn(join(path, 'onnx')))
  if ('missing' in parts) throw no(`has no ${parts.missing}: bring the whole folder, with its ONNX files`)
  const graphs = parts.flatMap(({ files }) => files)
  let weights = 0
  for (const { files } of parts) {
    for (const [i, file] of files.entries()) {
      const { handle, bytes: size } = await openPlain(join(path, file), `${name}/${file}`)
      await handle.close()
      weights += size
      if (i === 0) inspectOnnx(join(path, file), `${name}/${file}`)
    }
  }
  const stored = [...new Set(parts.map(part => part.stored))].join(', ')
  const facts = { architecture: kind, quantisation: stored, parameters: null, context: null }
  return {
    facts: { format: 'folder', task: 'answer', ...facts, needBytes: pictureNeedOf(weights) },
    warnings: [`${name} is not known here: what it can do is not tested, try it on pictures of your own`],
    files: [...settings, ...graphs],
    bytes: bytes + weights,
  }
}

/** Copies what is used into a new folder of `dir`, synced. What fails leaves nothing behind. */
export async function copyFolder(
  path: string,
  files: readonly string[],
  dir: string,
): Promise<{ path: string; files: FolderFile[] }> {
  const target = join(dir, `.copying-${randomUUID()}`)
  await mkdir(join(target, 'onnx'), { recursive: true, mode: 0o700 })
  try {
    const copied: FolderFile[] = []
    for (const file of files) {
      const { handle } = await openPlain(join(path, file), file)
      try {
        const folder = join(target, dirname(file))
        const { path: copy, sha256, bytes } = await copyIn(handle, folder)
        await moveIn(copy, target, file)
        copied.push({ path: file, bytes, sha256 })
      } finally {
        await handle.close()
      }
    }
    await sync(join(target, 'onnx'))
    await sync(target)
    return { path: target, files: copied }
  } catch (error) {
    await rm(target, { recursive: true, force: true })
    throw error
  }
}

/** Size and hash of each file. */
export async function hashFolder(path: string, files: readonly string[]): Promise<FolderFile[]> {
  const hashed: FolderFile[] = []
  for (const file of files) {
    const { handle, bytes } = await openPlain(join(path, file), file)
    try {
      hashed.push({ path: file, bytes, sha256: await hashOf(handle) })
    } finally {
      await handle.close()
    }
  }
  return hashed
}

/** One hash for all of them. */
export function fingerprintOf(files: readonly FolderFile[]): string {
  const lines = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).sort()
  return createHash('sha256').update(lines.join('')).digest('hex')
}

/** Plain names in a folder that is none by a link only; none where there is no such folder. */
async function namesIn(path: string): Promise<string[]> {
  const found = await lstat(path).catch(() => null)
  return found?.isDirectory() ? await readdir(path) : []
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
