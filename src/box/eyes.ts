import { runLook } from '../ai/index.ts'
import type { Look } from '../engine/index.ts'
import type { Supervisor } from '../inference/index.ts'
import type { Catalogue } from '../models/index.ts'
import { calibrationOf, detectorOf, Eyes, measure, readerOf } from '../vision/index.ts'
import type { SiteLanguage } from './language.ts'

/** The eyes of this box. */
export function eyesOf(inference: Supervisor, catalogue: Catalogue): Eyes {
  const detector = detectorOf(catalogue.forTask('detect'))
  return new Eyes(inference, { detector, reader: readerOf(catalogue.forTask('read')) })
}

/** The Look of this box: its eyes, what their scores are worth, and whom it asks what it cannot see. */
export function lookWith(eyes: Eyes, catalogue: Catalogue, language: SiteLanguage): Look {
  const calibration = calibrationOf(catalogue.forTask('detect'), catalogue.forTask('read'))
  return (spec, input, options) =>
    runLook(spec, input, {
      vision: eyes,
      measure: (field, seen) => measure(field, seen, calibration),
      language: language.for(input),
      ...options,
    })
}
