import type { ToolCallRow } from '../../store/index.ts'

/** Of one call, and of all together. */
const LONGEST_LINE = 800
const LONGEST_TEXT = 6_000

/** What tools were called and what they answered, a line for each call: what a later step can hold claims against. */
export function evidenceText(calls: readonly ToolCallRow[]): string {
  const lines = calls
    .filter(({ kind }) => kind === 'tool')
    .map(({ name, argsAsked, status, result }) => {
      const line = `${name} ${JSON.stringify(argsAsked ?? {})} (${status}): ${JSON.stringify(result ?? null)}`
      return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1).toWellFormed()}…` : line
    })
  const kept: string[] = []
  let length = 0
  for (const [i, line] of lines.entries()) {
    length += line.length + 1
    if (length > LONGEST_TEXT) return [...kept, `and ${lines.length - i} more calls`].join('\n')
    kept.push(line)
  }
  return kept.join('\n')
}
