import { median } from '../bench/measure.ts'
import type { Sample } from './box-process.ts'

/** What a process has taken more of at its end than when it had been warm. */
export interface Growth {
  seconds: number
  residentMb: number
  files: number
}

/** Of the process that lived longest, from its second fifth to its last. */
export function growth(samples: readonly Sample[]): Growth {
  const lives = [...Map.groupBy(samples, ({ life }) => life).values()]
  const longest = lives.toSorted((a, b) => b.length - a.length)[0] ?? []
  const part = (from: number, to: number) =>
    longest.slice(Math.floor(longest.length * from), Math.ceil(longest.length * to))
  const [warm, end] = [part(0.2, 0.4), part(0.8, 1)]
  const grown = (of: (sample: Sample) => number) => median(end.map(of)) - median(warm.map(of))
  return {
    seconds: ((longest.at(-1)?.at ?? 0) - (longest[0]?.at ?? 0)) / 1000,
    residentMb: grown(sample => sample.residentMb),
    files: grown(sample => sample.files),
  }
}
