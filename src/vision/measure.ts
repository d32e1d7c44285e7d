/** Measured fields: what a detector and a reader saw → a value and how far it can be trusted. Pure. */
import { type Calibration, shareRight, UNKNOWN } from './calibration.ts'
import { FAINTEST, SAME_THING } from './detector.ts'
import { distinct, inside, standsIn } from './geometry.ts'
import { labelsOf } from './labels.ts'
import { bestPlate } from './plate.ts'
import type { Detection, Measured, MeasuredSpec, Seen } from './types.ts'

const NOT_LOOKED: Measured = { value: '', confidence: 0 }
/** Time was up before all was read: what stands in the rest nobody knows. */
const CUT = 0

/** `calibration` belongs to the models that `seen` names. */
export function measure(spec: MeasuredSpec, seen: Seen, calibration: Calibration): Measured {
  switch (spec.measure) {
    case 'count':
    case 'present':
      return things(spec, seen, calibration)
    case 'text':
      return text(spec, seen, calibration)
    case 'plate':
      return plate(spec, seen, calibration)
  }
}

function things(spec: MeasuredSpec, seen: Seen, calibration: Calibration): Measured {
  const labels = labelsOf(spec.of ?? 'person')
  const fits = seen.detections.filter(({ label, box }) => labels.includes(label) && stands(spec, seen, box))
  const counted = distinct(
    fits.filter(({ score }) => score >= (spec.min_score ?? 0)),
    SAME_THING,
  )
  const [best] = counted
  // Of a count it tells how sure it is that anything is there; the number itself is the detector's estimate.
  if (best) {
    const value = spec.measure === 'present' ? true : counted.length
    return { value, confidence: shareRight(calibration.present, best.score) }
  }
  const hints = [FAINTEST, ...labels.map(label => seen.below[label] ?? 0), ...fits.map(({ score }) => score)]
  return { value: spec.measure === 'present' ? false : 0, confidence: 1 - Math.max(...hints) }
}

function stands(
  { region }: MeasuredSpec,
  { width, height }: Seen,
  [left, top, right, bottom]: Detection['box'],
): boolean {
  return !region || standsIn(region, [left / width, top / height, right / width, bottom / height])
}

function linesIn({ region, min_score = 0 }: MeasuredSpec, seen: Seen) {
  return (seen.lines ?? []).filter(({ quad, confidence }) => {
    const x = (quad[0] + quad[2] + quad[4] + quad[6]) / 4 / seen.width
    const y = (quad[1] + quad[3] + quad[5] + quad[7]) / 4 / seen.height
    return confidence >= min_score && (!region || inside(region, x, y))
  })
}

function text(spec: MeasuredSpec, seen: Seen, calibration: Calibration): Measured {
  if (!seen.lines) return NOT_LOOKED
  const lines = linesIn(spec, seen)
  const value = lines.map(line => line.text).join(' ')
  if (seen.cut) return { value, confidence: CUT }
  if (lines.length === 0) return { value, confidence: calibration.no_text ?? UNKNOWN }
  const mean = lines.reduce((sum, { confidence }) => sum + confidence, 0) / lines.length
  return { value, confidence: shareRight(calibration.text, mean) }
}

function plate(spec: MeasuredSpec, seen: Seen, calibration: Calibration): Measured {
  if (!seen.lines) return NOT_LOOKED
  const best = bestPlate(linesIn(spec, seen))
  if (seen.cut) return { value: best?.plate ?? '', confidence: CUT }
  if (!best) return { value: '', confidence: calibration.no_text ?? UNKNOWN }
  return { value: best.plate, confidence: shareRight(calibration.text, best.confidence) }
}
