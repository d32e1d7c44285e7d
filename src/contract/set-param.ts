/** One parameter of a file is changed in its text: every other line and comment stays as it was. */
import { finder } from './locate.ts'
import { ReadContext } from './read-context.ts'
import { readWorkflow } from './read-workflow.ts'
import { applyFix, ProblemList } from './reporter.ts'
import { entryOf, readSource, type Src, type SrcMap, toJson } from './source.ts'
import type { NodePath, TextEdit } from './types.ts'

type Value = string | number | boolean

/** Where it is to be changed: the parameter `key` of a node's kind; `key` null: what the kind itself says (`log`). */
export interface ParamPlace {
  node: NodePath
  kind: string
  key: string | null
}

/**
 * The edits that give a parameter that value, or take it away (null). Null where the text cannot be read, or where no
 * small change does it; what comes out is read again, so the edits change this and nothing else.
 */
export function setParam(text: string, place: ParamPlace, value: Value | null): TextEdit[] | null {
  const problems = new ProblemList(text)
  const root = readSource(text, problems)
  if (!root) return null
  const reading = new ReadContext(text, problems)
  readWorkflow(root, reading)
  const { node, kind, key } = place
  const entry = entryOf(finder(root, reading.inside)(node), kind)
  const src = entry?.value
  if (!src) return null
  const candidates =
    key === null
      ? value === null
        ? []
        : spellings(src, value, text).map(insert => [{ from: src.from, to: src.to, insert }])
      : src.type === 'map'
        ? inMap(src, key, value, text)
        : []
  const wanted = JSON.stringify(sorted(toJson(changed(root, src, key, value))))
  return candidates.find(edits => meaning(applyFix(text, { title: '', edits })) === wanted) ?? null
}

function meaning(text: string): string | null {
  const src = readSource(text, new ProblemList(text))
  return src && JSON.stringify(sorted(toJson(src)))
}

/** Maps by the order of their keys: where a new one stands does not matter. */
function sorted(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(sorted)
  if (json === null || typeof json !== 'object') return json
  const entries = Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, value]) => [key, sorted(value)]))
}

/** The tree as it is meant to be. */
function changed(tree: Src, at: Src, key: string | null, value: Value | null): Src {
  const leaf = (): Src => ({ type: 'scalar', plain: true, value, from: 0, to: 0 })
  if (tree === at) {
    if (key === null) return leaf()
    if (tree.type !== 'map') return tree
    const others = tree.entries.filter(entry => entry.key !== key)
    if (value === null) return { ...tree, entries: others }
    return { ...tree, entries: [...others, { key, keyFrom: 0, keyTo: 0, value: leaf() }] }
  }
  if (tree.type === 'list') return { ...tree, items: tree.items.map(item => changed(item, at, key, value)) }
  if (tree.type !== 'map') return tree
  const entries = tree.entries.map(entry => ({ ...entry, value: changed(entry.value, at, key, value) }))
  return { ...tree, entries }
}

function inMap(map: SrcMap, key: string, value: Value | null, text: string): TextEdit[][] {
  const entry = entryOf(map, key)
  if (!entry) return value === null ? [[]] : added(map, key, value, text)
  if (value === null) return removed(map, key, text)
  const { from, to } = entry.value
  const gap = from === to && text[from - 1] === ':' ? ' ' : ''
  return spellings(entry.value, value, text).map(insert => [{ from, to, insert: gap + insert }])
}

function added(map: SrcMap, key: string, value: Value, text: string): TextEdit[][] {
  const at = (from: number, insert: string): TextEdit[] => [{ from, to: from, insert }]
  const [first] = map.entries
  const last = map.entries.at(-1)
  return spellings(null, value, text).flatMap(spelled => {
    const line = `${key}: ${spelled}`
    if (!first || !last) return [[{ from: map.from, to: map.to, insert: `{ ${line} }` }]]
    if (map.flow) return [at(last.value.to, `, ${line}`)]
    const indent = ' '.repeat(first.keyFrom - lineStart(text, first.keyFrom))
    const behind = map.entries.filter(({ value: it }) => it.type === 'scalar' && it.to > it.from).at(-1)
    return [
      ...(behind ? [at(lineEnd(text, behind.value.to), `\n${indent}${line}`)] : []),
      at(first.keyFrom, `${line}\n${indent}`),
    ]
  })
}

function removed(map: SrcMap, key: string, text: string): TextEdit[][] {
  const index = map.entries.findIndex(entry => entry.key === key)
  const entry = map.entries[index]
  if (!entry) return []
  const [before, after] = [map.entries[index - 1], map.entries[index + 1]]
  const cut = (from: number, to: number): TextEdit[] => [{ from, to, insert: '' }]
  const upToNext = after ? [cut(entry.keyFrom, after.keyFrom)] : []
  if (map.flow)
    return [
      ...upToNext,
      ...(before ? [cut(before.value.to, entry.value.to)] : []),
      cut(entry.keyFrom, entry.value.to),
    ]
  const start = lineStart(text, entry.keyFrom)
  const alone = text.slice(start, entry.keyFrom).trim() === ''
  return [...(alone ? [cut(start, lineEnd(text, entry.value.to) + 1)] : []), ...upToNext]
}

/** How a value may be written, the likeliest first; as it was written before where that goes. */
function spellings(old: Src | null, value: Value, text: string): string[] {
  if (typeof value !== 'string') return [String(value)]
  const quoted = JSON.stringify(value)
  const was = old ? text.slice(old.from, old.to) : ''
  if (was.startsWith('|')) return [literal(was, value), quoted]
  if (was.startsWith('"')) return [quoted]
  if (was.startsWith("'")) return [`'${value.replaceAll("'", "''")}'`, quoted]
  return PLAIN.test(value) ? [value, quoted] : [quoted]
}

/** Without quotes only what nobody, and no other program, reads as anything but a text. */
const PLAIN =
  /^(?!(?:true|false|yes|no|on|off|null|y|n)$)(?:(?:role|person):)?[a-z](?:[\w .!?/-]*[\w.!?])?$|^\d+(?:ms|[smhd])$/i

function literal(was: string, value: string): string {
  const indent = /\n( +)/.exec(was)?.[1] ?? '  '
  const lines = value.replace(/\n$/, '').split('\n')
  const head = value.endsWith('\n') ? '|' : '|-'
  return [head, ...lines.map(line => (line === '' ? '' : indent + line))].join('\n')
}

const lineStart = (text: string, at: number) => text.lastIndexOf('\n', at - 1) + 1

const lineEnd = (text: string, at: number) => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}
