/** Collects problems and gives each its place. */
import type { Fix, Position, Problem } from './types.ts'

export type Found = Omit<Problem, 'file' | 'line' | 'column'> & { from: number; to: number }

export interface Reporter {
  report(found: Found): void
}

export const replaceRange = (title: string, from: number, to: number, insert: string): Fix => ({
  title,
  edits: [{ from, to, insert }],
})

/** Applies a fix to the text that it was made for. */
export function applyFix(text: string, fix: Fix): string {
  const edits = [...fix.edits].sort((a, b) => b.from - a.from || b.to - a.to)
  return edits.reduce((whole, { from, to, insert }) => whole.slice(0, from) + insert + whole.slice(to), text)
}

/** Line and column of each offset of a text. A byte order mark takes no column. */
export function positions(text: string): (offset: number) => Position {
  const starts = [text.startsWith('\ufeff') ? 1 : 0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return offset => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: Math.max(offset - (starts[low] ?? 0), 0) + 1 }
  }
}

/** More problems than anybody reads: the rest is left out. */
const MOST_PROBLEMS = 200
const LONGEST_MESSAGE = 300

export class ProblemList implements Reporter {
  readonly #found: Found[] = []
  readonly #place: (offset: number) => Position
  readonly #file: string | undefined

  constructor(text: string, file?: string) {
    this.#place = positions(text)
    this.#file = file
  }

  report(found: Found): void {
    this.#found.push(found)
  }

  /** Puts the paths of what was reported so far into another notation. */
  rename(path: (path: string) => string): void {
    for (const found of this.#found) found.path = path(found.path)
  }

  get hasErrors(): boolean {
    return this.#found.some(({ severity }) => severity === 'error')
  }

  /** In the order of the file; the same problem at the same place once, errors before warnings where it is cut. */
  problems(): Problem[] {
    const seen = new Set<string>()
    const unique = this.#found.filter(({ code, path, from, message }) => {
      const id = JSON.stringify([code, path, from, message])
      return !seen.has(id) && seen.add(id)
    })
    const gravest = [...unique].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_PROBLEMS)
    gravest.sort((a, b) => a.from - b.from || rank(a) - rank(b))
    return gravest.map(({ from, to: _to, message, ...rest }) => ({
      ...rest,
      message: message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 1)}…` : message,
      ...(this.#file === undefined ? {} : { file: this.#file }),
      ...this.#place(from),
    }))
  }
}

const rank = ({ severity }: Found) => (severity === 'error' ? 0 : 1)
