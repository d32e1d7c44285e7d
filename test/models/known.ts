import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { Catalogue } from '../../src/models/index.ts'

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A catalogue in which files are known by what is in them, each a model of its own; made below `dir`. */
export function catalogueWith(dir: string, files: Readonly<Record<string, Uint8Array>>): Catalogue {
  const place = join(dir, 'catalogue')
  mkdirSync(place, { recursive: true })
  const known = Object.entries(files).map(([path, bytes]) => ({
    name: path.replace(/\.gguf$/, ''),
    task: 'language',
    description: 'a test',
    licence: 'none',
    source: 'a test',
    ram_mb: 1,
    boxes: ['n100-8gb'],
    files: {
      model: { path, url: `https://models.test/${path}`, bytes: bytes.length, sha256: sha256(bytes) },
    },
  }))
  writeFileSync(join(place, 'catalog.yaml'), stringify({ catalogue: 1, models: [], known }))
  return Catalogue.load(place)
}
