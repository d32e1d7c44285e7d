import type { TextLine } from './types.ts'

export interface PlateReading {
  /** A to Z and 0 to 9 only. */
  plate: string
  confidence: number
}

const SHORTEST = 4
const LONGEST = 10

/** The line that looks most like a number plate, or null. */
export function bestPlate(lines: readonly TextLine[]): PlateReading | null {
  const readings = lines
    .map(line => ({ plate: normalised(line.text), confidence: line.confidence }))
    .filter(looksLikePlate)
  return readings.reduce<PlateReading | null>(
    (best, one) => (best && likeness(best) >= likeness(one) ? best : one),
    null,
  )
}

/** Upper case without anything between the characters, as plates are compared. */
function normalised(text: string): string {
  return text.toUpperCase().replace(/[\s\-–—.·•:]/gu, '')
}

function looksLikePlate({ plate }: PlateReading): boolean {
  return plate.length >= SHORTEST && plate.length <= LONGEST && /^[A-Z0-9]+$/.test(plate) && /\d/.test(plate)
}

/** Letters and digits together are more of a plate than a bare number (a house, a clock, a phone). */
function likeness({ plate, confidence }: PlateReading): number {
  return confidence + (/[A-Z]/.test(plate) ? 1 : 0)
}
