/** One figure of a benchmark, as `bun run bench --json` prints it: one line a measure. */
export interface Measure {
  measure: string
  value: number
  unit: string
  /** The bare program's figure of the same run, in the same unit; null where the bar is absolute. */
  against: number | null
  /** `value / against`. */
  ratio: number | null
  /** The bar in words: `>= 0.15`. */
  bar: string
  ok: boolean
}

/** Makes a measure out of a figure and the bar that it has to meet; the ratio is what is held to it, if there is one. */
export function measured(
  measure: string,
  value: number,
  unit: string,
  bar: { atMost: number } | { atLeast: number },
  against: number | null = null,
): Measure {
  const ratio = against === null ? null : value / against
  const held = ratio ?? value
  const ok = 'atMost' in bar ? held <= bar.atMost : held >= bar.atLeast
  const words = 'atMost' in bar ? `<= ${bar.atMost}` : `>= ${bar.atLeast}`
  const round = (n: number) => Number(n.toPrecision(4))
  return {
    measure,
    value: round(value),
    unit,
    against: against === null ? null : round(against),
    ratio: ratio === null ? null : round(ratio),
    bar: words,
    ok,
  }
}

/** The middle one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
