import { GatehouseError } from '../core/index.ts'
import type { Calibration } from './calibration.ts'
import type { DetectorModel, ReaderModel } from './protocol.ts'

/** What a model catalogue says of a model, as far as the eyes need it. */
export interface ListedModel {
  name: string
  threshold: number
  /** Role of the file → the file, in the folder of models. */
  files: Readonly<Record<string, { path: string }>>
  calibration: Calibration
}

/** Throws `GatehouseError` `catalogue_invalid` where a file's role is not listed. */
export function detectorOf(model: ListedModel): DetectorModel {
  return { name: model.name, threshold: model.threshold, graph: fileOf(model, 'graph') }
}

/** Throws `GatehouseError` `catalogue_invalid` where a file's role is not listed. */
export function readerOf(model: ListedModel): ReaderModel {
  return {
    name: model.name,
    threshold: model.threshold,
    find: fileOf(model, 'find'),
    recognise: fileOf(model, 'recognise'),
    keys: fileOf(model, 'keys'),
  }
}

/** What the scores of the two are worth together. */
export function calibrationOf(detector: ListedModel, reader: ListedModel): Calibration {
  const { present } = detector.calibration
  const { text, no_text } = reader.calibration
  return { ...(present && { present }), ...(text && { text }), ...(no_text !== undefined && { no_text }) }
}

function fileOf(model: ListedModel, role: string): string {
  const file = model.files[role]
  if (!file)
    throw new GatehouseError(
      'catalogue_invalid',
      `model ${model.name}: the catalogue lists no file "${role}"`,
    )
  return file.path
}
