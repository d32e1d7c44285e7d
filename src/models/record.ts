/** What the box remembers of a model that was brought: a small file beside it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableNumber = Type.Union([Type.Number(), Type.Null()])

/**
 * `language`: it answers texts here. `answer`: it answers questions about pictures here. `see`: half of a model that
 * sees, for a server. `other`: nothing here uses it.
 */
type Task = 'language' | 'answer' | 'see' | 'other'

const ModelRecord = Type.Object({
  file: Type.String(),
  bytes: Type.Number(),
  sha256: Type.String(),
  /** ms since 1970. */
  addedAt: Type.Number(),
  /** Its name in the catalogue, whose hash it has; null: an unknown one. */
  known: NullableText,
  facts: Type.Object({
    format: Type.Union([Type.Literal('gguf'), Type.Literal('onnx'), Type.Literal('folder')]),
    task: Type.Union(['language', 'answer', 'see', 'other'].map(task => Type.Literal(task as Task))),
    architecture: NullableText,
    quantisation: NullableText,
    parameters: NullableNumber,
    context: NullableNumber,
    needBytes: NullableNumber,
  }),
  warnings: Type.Array(Type.String()),
  /** Of a folder: what of it is used. Its own hash is that of the list. */
  files: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), bytes: Type.Number(), sha256: Type.String() })),
  ),
})

export type ModelRecord = Static<typeof ModelRecord>
/** What was read of a model. */
export type ModelFacts = ModelRecord['facts']

/** A model's name is its file's: nothing that leads out of the folder, hides in it or is read as a flag. */
const FILE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,119}\.(gguf|onnx)$/i

export function isModelName(file: string): boolean {
  return FILE.test(file) && !file.includes('..')
}

export const recordName = (file: string) => `${file}.json`

/** Null where there is none, or none that can be read. */
export async function readRecord(dir: string, file: string): Promise<ModelRecord | null> {
  try {
    const record: unknown = JSON.parse(await readFile(join(dir, recordName(file)), 'utf8'))
    return Value.Check(ModelRecord, record) && record.file === file ? record : null
  } catch {
    return null
  }
}
