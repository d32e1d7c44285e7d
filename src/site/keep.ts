import { type Static, Type } from '@sinclair/typebox'

const days = Type.Optional(
  Type.String({ pattern: '^[1-9]\\d{0,3}d$', expects: 'a number of days, such as 30d' }),
)
const size = Type.Optional(
  Type.String({ pattern: '^[1-9]\\d{0,5}(MB|GB)$', expects: 'a size, such as 500MB or 20GB' }),
)

/** How long runs are kept, by what they were, and how much room they may take. */
export const KeepSchema = Type.Object(
  { dull: days, failed: days, acted: days, marked: days, most: size, free: size },
  { additionalProperties: false, expects: 'what is kept: dull, failed, acted, marked, most, free' },
)

/** What the site file says about it; what it does not say is left to the box. */
export interface Keep {
  /** Days after the end of a run. */
  days: { dull?: number; failed?: number; acted?: number; marked?: number }
  /** Bytes that runs and their pictures may take. */
  maxBytes?: number
  /** Bytes that have to be free on the disk for new work to be taken. */
  minFreeBytes?: number
}

/** What the site file says of keeping, in days and bytes. */
export function keepOf({ most, free, ...spans }: Static<typeof KeepSchema>): Keep {
  const known = Object.entries(spans).map(([kind, text]) => [kind, Number.parseInt(text, 10)])
  return {
    days: Object.fromEntries(known),
    ...(most !== undefined && { maxBytes: bytesOf(most) }),
    ...(free !== undefined && { minFreeBytes: bytesOf(free) }),
  }
}

function bytesOf(text: string): number {
  return Number.parseInt(text, 10) * 1024 ** (text.endsWith('GB') ? 3 : 2)
}
