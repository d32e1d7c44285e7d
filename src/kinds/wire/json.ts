import { GatehouseError, type JsonValue } from '../../core/index.ts'

/** What JSON from outside may be at most; its bytes are capped by whoever reads them. */
const MAX_DEPTH = 32
const MAX_NODES = 20_000
const MAX_KEY = 256
const MAX_TEXT = 65_536

const refuse = (what: string) => new GatehouseError('bad_event', what, { status: 422 })

/**
 * Parses JSON text from outside, not yet cleaned. Throws `GatehouseError` `bad_json` (400) where it is not JSON or
 * nested deeper than 32 levels (parsers spend their stack and seconds on that).
 */
export function parseJson(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH)
    throw new GatehouseError('bad_json', `The JSON is nested deeper than ${MAX_DEPTH} levels: flatten it.`)
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own words quote the text, which may be private.
    throw new GatehouseError('bad_json', 'The text is not valid JSON.')
  }
}

/** Parses and cleans: throws as `parseJson` and `cleanJson` do. */
export function readJson(text: string): JsonValue {
  return cleanJson(parseJson(text))
}

/** The deepest open bracket outside of quotes; one pass, whatever the text is. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) quoted = !quoted
    else if (quoted) {
      if (code === 0x5c) i++
    } else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x5d || code === 0x7d) depth--
  }
  return deepest
}

/**
 * A copy of `value` that is safe to keep: no `__proto__` keys, no NUL (SQLite ends a text there), no half
 * surrogates, no numbers that JSON cannot write. Throws `bad_event` where it is deeper than 32 levels, has more
 * than 20,000 values, or a text of more than 64 Ki characters.
 */
export function cleanJson(value: unknown): JsonValue {
  let nodes = 0

  const clean = (node: unknown, depth: number): JsonValue => {
    if (++nodes > MAX_NODES) throw refuse(`The JSON holds more than ${MAX_NODES} values: send less.`)
    if (node === null || typeof node === 'boolean') return node
    if (typeof node === 'string') return cleanText(node)
    if (typeof node === 'number') {
      if (Number.isFinite(node)) return node
      throw refuse('A number in the JSON is out of range.')
    }
    if (typeof node !== 'object') throw refuse('The JSON holds something that JSON does not know.')
    if (depth >= MAX_DEPTH) throw refuse(`The JSON is nested deeper than ${MAX_DEPTH} levels: flatten it.`)
    if (Array.isArray(node)) return node.map(item => clean(item, depth + 1))
    const copy: { [key: string]: JsonValue } = {}
    for (const [key, item] of Object.entries(node)) {
      if (key === '__proto__') continue
      if (key.length > MAX_KEY) throw refuse(`A key in the JSON is longer than ${MAX_KEY} characters.`)
      copy[cleanText(key)] = clean(item, depth + 1)
    }
    return copy
  }

  return clean(value, 0)
}

/** A text that is safe to keep: no NUL, no half surrogates. */
export function cleanText(text: string): string {
  if (text.length > MAX_TEXT) throw refuse(`A text in the JSON is longer than ${MAX_TEXT} characters.`)
  return text.toWellFormed().replaceAll('\0', '\u{FFFD}')
}
