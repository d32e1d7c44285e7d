import { Composer, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node } from 'yaml'
import { type Position, type Problem, tokensOf } from '../contract/index.ts'

/** Larger is no site file. */
const MAX_CHARS = 512 * 1024
const MAX_DEPTH = 12
const TOO_DEEP = 'This is nested too deeply: see the example of a site file.'

/**
 * Maps, lists and texts: in a site file every scalar is the text as it was written (`0123` keeps its zero), and
 * `!secret name` is `{ secret: name }`. Null is a place with nothing in it.
 */
export type Plain = null | string | Plain[] | { [key: string]: Plain }

export interface ReadYaml {
  /** Null where there are problems. */
  data: Plain
  problems: Problem[]
  /** Where a JSON pointer stands (`/cameras/yard/roles/0`), or its nearest parent that is there. */
  at(pointer: string): Position
}

/** Reads the YAML of a site file. */
export function readYaml(text: string, file: string): ReadYaml {
  const lines = new LineCounter()
  const places = new Map<string, number>()
  const problems: Problem[] = []
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const report = (offset: number, pointer: string, code: string, message: string) => {
    const path = pointer.slice(1).replaceAll('/', '.')
    problems.push({ severity: 'error', file, ...position(offset), path, code, message })
  }
  const at = (pointer: string): Position => {
    let key = pointer
    while (key !== '' && !places.has(key)) key = key.slice(0, key.lastIndexOf('/'))
    return position(places.get(key) ?? 0)
  }
  if (text.length > MAX_CHARS) {
    report(0, '', 'too_large', `The file is larger than ${MAX_CHARS / 1024} kB: shorten its lists.`)
    return { data: null, problems, at }
  }
  const { tokens, tooDeepAt } = tokensOf(text, MAX_DEPTH, lines.addNewLine)
  if (tooDeepAt !== null) {
    report(tooDeepAt, '', 'yaml', TOO_DEEP)
    return { data: null, problems, at }
  }
  // `uniqueKeys` would take time with the square of the keys; the walk below finds them.
  const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false } as const
  const [document, second] = new Composer(options).compose(tokens, true, text.length)
  for (const error of document?.errors.slice(0, 20) ?? []) {
    report(error.pos[0], '', 'yaml', `${error.message.split(/\n/, 1)[0]}.`)
  }
  if (second) {
    report(
      second.range[0],
      '',
      'yaml',
      'A site file holds one document: take out what is behind the line ---.',
    )
  }
  if (!document || problems.length > 0) return { data: null, problems, at }

  const walk = (node: Node | null, pointer: string, depth: number): Plain => {
    if (!node) return null
    const offset = node.range?.[0] ?? 0
    if (!places.has(pointer)) places.set(pointer, offset)
    if (isAlias(node) || ('anchor' in node && node.anchor)) {
      report(offset, pointer, 'yaml', 'Anchors and aliases are not used here: write it out.')
    } else if (node.tag === '!secret' && isScalar(node)) {
      // As Home Assistant writes it.
      return { secret: String(node.value ?? '').normalize('NFC') }
    } else if (node.tag && !node.tag.startsWith('tag:yaml.org,2002:')) {
      report(offset, pointer, 'yaml', 'No tag but !secret is used here: leave it out.')
    } else if (depth > MAX_DEPTH) {
      report(offset, pointer, 'yaml', TOO_DEEP)
    } else if (isScalar(node)) {
      const written = typeof node.value === 'string' ? node.value.normalize('NFC') : ''
      return written === '' && (node.type === 'PLAIN' || !node.type) ? null : written
    } else if (isSeq(node)) {
      return node.items.map((item, i) => walk(asNode(item), `${pointer}/${i}`, depth + 1))
    } else if (isMap(node)) {
      return walkMap(node.items, pointer, depth)
    }
    return null
  }
  const walkMap = (items: { key: unknown; value: unknown }[], pointer: string, depth: number) => {
    const map: { [key: string]: Plain } = Object.create(null)
    const seen = new Set<string>()
    for (const { key, value } of items) {
      const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0
      if (!isScalar(key) || typeof key.value !== 'string' || key.value === '') {
        report(offset, pointer, 'yaml', 'A key has to be a text.')
        continue
      }
      const name = key.value.normalize('NFC')
      const inner = `${pointer}/${escapeKey(name)}`
      if (seen.has(name)) report(offset, inner, 'duplicate_key', `${name} is there twice: keep one.`)
      seen.add(name)
      places.set(inner, offset)
      map[name] = walk(asNode(value), inner, depth + 1)
    }
    return map
  }
  return { data: walk(asNode(document.contents), '', 0), problems, at }
}

function asNode(value: unknown): Node | null {
  return isNode(value) ? value : null
}

/** As JSON pointers write it. */
export function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
