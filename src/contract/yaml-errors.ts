/** Says in plain words what the YAML parser found, with a repair for the usual slips. */
import type { YAMLError } from 'yaml'
import { type Reporter, replaceRange } from './reporter.ts'
import type { Fix } from './types.ts'

const MOST = 20

const WORDS: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  TAB_AS_INDENT: 'Indent with spaces, not with tabs.',
  BLOCK_AS_IMPLICIT_KEY: 'Put this text in quotes: it holds a colon.',
  BAD_SCALAR_START: 'Put this text in quotes: it begins with a character that YAML keeps for itself.',
  MULTILINE_IMPLICIT_KEY: 'A key must stand on one line, followed by a colon.',
  MISSING_CHAR: 'A closing quote, bracket or brace, or a colon, is missing here.',
  BAD_INDENT: 'Indent this like its neighbours, and close what was opened.',
  UNEXPECTED_TOKEN: 'This does not belong here: check quotes, brackets and indentation.',
  BAD_DQ_ESCAPE: 'Use a known escape in double quotes, or single quotes.',
  KEY_OVER_1024_CHARS: 'A key is at most 1024 characters long.',
}

export function reportSyntax(errors: readonly YAMLError[], text: string, reporter: Reporter): void {
  for (const { code, pos } of errors.slice(0, MOST)) {
    const [from, to] = pos
    const tab = code === 'TAB_AS_INDENT'
    const fix = tab ? untab(text, from) : quoteValue(text, from)
    reporter.report({
      severity: 'error',
      code: tab ? 'yaml_tab' : 'yaml_syntax',
      path: '',
      message: WORDS[code] ?? 'This is not YAML: check quotes, brackets and indentation.',
      from: Math.min(from, text.length),
      to: Math.min(to, text.length),
      ...(fix && { fix }),
    })
    // What comes after a slip is often a consequence of it.
    if (fix) return
  }
}

const lineAt = (text: string, at: number): { start: number; line: string } => {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  return { start, line: text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '') }
}

/** Two spaces for each tab at the beginnings of all lines. */
function untab(text: string, at: number): Fix | undefined {
  const { line } = lineAt(text, at)
  if (!/^[ \t]*\t/.test(line)) return undefined
  const edits = Array.from(text.matchAll(/^[ ]*\t[ \t]*/gm), match => ({
    from: match.index,
    to: match.index + match[0].length,
    insert: match[0].replaceAll('\t', '  '),
  }))
  return { title: 'Indent with spaces', edits }
}

const VALUE = /^(\s*(?:- +)*[A-Za-z_][\w .-]*: +)([^\s"'[|>#&*!].*)$/

/** Quotes around a value that runs to the end of its line and holds a colon, or begins with a brace or such. */
function quoteValue(text: string, at: number): Fix | undefined {
  const { start, line } = lineAt(text, at)
  const match = VALUE.exec(line)
  const [, before, rest] = match ?? []
  if (before === undefined || rest === undefined) return undefined
  const value = rest.replace(/\s+#.*$/, '').trimEnd()
  const plain = /: |:$/.test(value) && !value.startsWith('{')
  if (!plain && !/^(\{[A-Za-z_][\w.-]*\}.|[@`%,}\]])/.test(value)) return undefined
  const from = start + before.length
  return replaceRange('Put quotes around the text', from, from + value.length, JSON.stringify(value))
}
