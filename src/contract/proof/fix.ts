/** The smallest repairs of what the proof refuses, as edits of the source text. */
import type { CheckContext } from '../context.ts'
import type { Fix, NodePath } from '../types.ts'

/** Puts an Ask before the step at `path`: it runs when a person says so, and otherwise is left. */
export function wrapInAsk(path: NodePath, { source, site }: CheckContext): Fix | undefined {
  if (!source) return undefined
  const { from, to } = source.locate(path)
  const step = source.text.slice(from, to).trimEnd()
  const before = source.text.slice(0, from)
  const who = site && !site.personRoles.has('guard') ? [...site.personRoles][0] : 'guard'
  if (who === undefined || step === '') return undefined
  const ask = `ask_person: { who: role:${who}, message: "Do it?", replies: [Do it, Leave it], timeout: 60s, default: Leave it }`
  const edit = (insert: string): Fix => ({
    title: 'Ask a person first',
    edits: [{ from, to: from + step.length, insert }],
  })
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (/^ *(- +)+$/.test(line)) {
    const indent = ' '.repeat(line.length)
    // The step moves four columns to the right, and its further lines with it.
    return edit(`${ask}\n${indent}Do it:\n${indent}  - ${step.replaceAll('\n', '\n    ')}`)
  }
  if (/[[,]\s*$/.test(before)) return edit(`{ ${ask}, Do it: [ ${step} ] }`)
  return undefined
}

/** Lowers the severity that stands at `path`. */
export function lowerSeverity(path: string, { source }: CheckContext): Fix | undefined {
  if (!source) return undefined
  const { from, to } = source.locate(path)
  const at = source.text.slice(from, to).lastIndexOf('critical')
  if (at < 0) return undefined
  return {
    title: 'Make it high',
    edits: [{ from: from + at, to: from + at + 'critical'.length, insert: 'high' }],
  }
}
