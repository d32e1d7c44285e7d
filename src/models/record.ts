/** What the box remembers of a model that was brought: a small file beside it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableNumber = Type.Union([Type.Number(), Type.Null()])

const ModelRecord = Type.Object({
  file: Type.String(),
  bytes: Type.Number(),
  sha256: Type.String(),
  /** ms since 1970. */
  addedAt: Type.Number(),
  /** Its name in the catalogue, whose hash it has; null: an unknown one. */
  known: NullableText,
  facts: Type.Object({
    format: Type.Union([Type.Literal('gguf'), Type.Literal('onnx')]),
    task: Type.Union([Type.Literal('language'), Type.Literal('see'), Type.Literal('other')]),
    architecture: NullableText,
    quantisation: NullableText,
    parameters: NullableNumber,
    context: NullableNumber,
    needBytes: NullableNumber,
  }),
  warnings: Type.Array(Type.String()),
})

export type ModelRecord = Static<typeof ModelRecord>

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
