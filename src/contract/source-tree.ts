/** From the YAML library's nodes to our own: keys are texts, values are what JSON can hold. */
import { isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode } from 'yaml'
import { oddCharacter } from './characters.ts'
import { type Reporter, replaceRange } from './reporter.ts'
import type { Entry, Range, Src } from './source.ts'
import { keyPath } from './tree.ts'

/** YAML itself bears no keys much longer than a thousand. */
const LONGEST_KEY = 200

/** More than any list or map of a workflow holds. What comes after is not read. */
const MOST_ITEMS = 500

const UNQUOTED = /^\{\s*[A-Za-z_][A-Za-z0-9_.-]*\s*\}$/

/** A node as a plain tree; what workflow files do without is reported at `path`. */
export function toSrc(node: ParsedNode | null, text: string, reporter: Reporter, path: string, at = 0): Src {
  if (!node) return { type: 'scalar', from: at, to: at, plain: true, value: null }
  const range = rangeOf(node, text)
  if (isAlias(node)) return { type: 'broken', ...range }
  if (isScalar(node)) return scalar(node, range, text, reporter, path)
  if (isSeq(node)) {
    const items = few(node.items, range, reporter, path).map((item, index) =>
      toSrc(item as ParsedNode, text, reporter, `${path}[${index}]`, range.from),
    )
    return { type: 'list', flow: node.flow === true, items, ...range }
  }
  if (!isMap(node)) return { type: 'broken', ...range }
  const raw = text.slice(range.from, range.to)
  if (node.flow && UNQUOTED.test(raw)) {
    const value = raw.replace(/\s/g, '')
    reporter.report({
      severity: 'error',
      code: 'unquoted_placeholder',
      path,
      message: `Put ${value} in quotes: without them YAML reads a map.`,
      ...range,
      fix: replaceRange('Put quotes around it', range.from, range.to, JSON.stringify(value)),
    })
    return { type: 'scalar', plain: true, value, ...range }
  }
  const entries = entriesOf(
    few(node.items as Pair<ParsedNode, ParsedNode | null>[], range, reporter, path),
    text,
    reporter,
    path,
  )
  if (entries.length === 0 && node.items.length > 0) return { type: 'broken', ...range }
  return { type: 'map', flow: node.flow === true, entries, ...range }
}

function few<T>(items: readonly T[], range: Range, reporter: Reporter, path: string): readonly T[] {
  if (items.length <= MOST_ITEMS) return items
  const message = `This holds ${items.length} entries: ${MOST_ITEMS} are the most.`
  reporter.report({ severity: 'error', code: 'too_many_entries', path, message, ...range })
  return items.slice(0, MOST_ITEMS)
}

function entriesOf(
  pairs: readonly Pair<ParsedNode, ParsedNode | null>[],
  text: string,
  reporter: Reporter,
  path: string,
): Entry[] {
  const entries: Entry[] = []
  const seen = new Set<string>()
  for (const { key: keyNode, value } of pairs) {
    const { from, to } = keyNode ? rangeOf(keyNode, text) : { from: 0, to: 0 }
    const raw = text.slice(from, to)
    const refuse = (code: string, message: string, fix?: ReturnType<typeof replaceRange>) =>
      reporter.report({ severity: 'error', code, path, message, from, to, ...(fix && { fix }) })
    if (!isScalar(keyNode)) {
      const line = UNQUOTED.test(raw) ? restOfLine(text, from) : null
      refuse(
        line ? 'unquoted_placeholder' : 'key_not_text',
        line ? 'Put this text in quotes: it begins with a brace.' : 'A key must be plain text.',
        line
          ? replaceRange('Put quotes around it', from, from + line.length, JSON.stringify(line))
          : undefined,
      )
      continue
    }
    if (typeof keyNode.value !== 'string') {
      const fix = raw === '' ? undefined : replaceRange('Put quotes around it', from, to, JSON.stringify(raw))
      refuse(
        'key_not_text',
        raw === '' ? 'A key is missing here.' : `The key ${raw} must be text: put it in quotes.`,
        fix,
      )
      if (raw === '') continue
    }
    const key = typeof keyNode.value === 'string' ? keyNode.value : raw
    const normal = key.normalize('NFC')
    if (normal === '<<')
      refuse('yaml_merge_key', 'Merge keys are not part of workflow files: write the keys out.')
    else if (normal in {}) refuse('reserved_key', `${normal} cannot be a key: give it another name.`)
    else if (normal.length > LONGEST_KEY)
      refuse('key_too_long', `A key has at most ${LONGEST_KEY} characters.`)
    else if (seen.has(normal)) refuse('duplicate_key', `${normal} is here twice: leave one out.`)
    else if (oddCharacter(key) >= 0)
      refuse('control_character', 'Remove the invisible characters from this key.')
    else {
      seen.add(normal)
      entries.push({
        key,
        keyFrom: from,
        keyTo: to,
        value: toSrc(value, text, reporter, keyPath(path, key), to),
      })
    }
  }
  return entries
}

function scalar(
  node: { value: unknown; type?: string | null },
  range: Range,
  text: string,
  reporter: Reporter,
  path: string,
): Src {
  const plain = node.type === 'PLAIN'
  const refuse = (code: string, message: string, replacement?: string): Src => {
    const fix =
      replacement === undefined
        ? {}
        : { fix: replaceRange('Put quotes around it', range.from, range.to, replacement) }
    reporter.report({ severity: 'error', code, path, message, ...range, ...fix })
    return { type: 'broken', ...range }
  }
  const value = node.value
  if (typeof value === 'number') {
    const raw = text.slice(range.from, range.to)
    const safe = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
    if (!safe)
      return refuse(
        'number_out_of_range',
        `${raw.slice(0, 40)} is no number that can be kept: put it in quotes.`,
        JSON.stringify(raw),
      )
    return { type: 'scalar', plain, value: value === 0 ? 0 : value, ...range }
  }
  if (typeof value === 'string') {
    if (oddCharacter(value) >= 0)
      return refuse('control_character', 'Remove the invisible characters from this text.')
    if (plain && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)) {
      reporter.report({
        severity: 'warning',
        code: 'unquoted_time',
        path,
        message: `Put ${value} in quotes: other programs read it as a number.`,
        ...range,
        fix: replaceRange('Put quotes around it', range.from, range.to, JSON.stringify(value)),
      })
    }
    return { type: 'scalar', plain, value, ...range }
  }
  if (value === null || typeof value === 'boolean') return { type: 'scalar', plain, value, ...range }
  return refuse('yaml_syntax', 'This value cannot be read: write text, a number, true or false.')
}

function rangeOf(node: ParsedNode, text: string): Range {
  const [from, end] = node.range
  let to = end
  while (to > from && /\s/.test(text.charAt(to - 1))) to--
  return { from, to }
}

/** What stands from here to the end of the line, without a comment. */
const restOfLine = (text: string, from: number): string =>
  text
    .slice(from)
    .split(/\r?\n/, 1)[0]
    ?.replace(/\s+#.*$/, '')
    .trimEnd() ?? ''
