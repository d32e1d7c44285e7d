/** Texts that somebody else made, put into another language by their patterns. */

type Pairs = Readonly<Record<string, string>>

export interface Translated {
  text: string
  /** All that is filled in and should have been translated was, too. */
  whole: boolean
}

interface Pattern {
  /** What stands there itself: before, between and behind the holes. */
  fixed: string[]
  /** How each hole is filled: as it is, translated (`?`), or with its last words joined as in the other language (`&`). */
  holes: { name: string; how: string }[]
  text: string
  /** How much of it stands there itself: the longest is meant. */
  weight: number
}

const HOLE = /\{(\d)([?&]?)\}/g

function patternOf([from, text]: [string, string]): Pattern {
  const fixed = from.split(/\{\d[?&]?\}/)
  const holes = [...from.matchAll(HOLE)].map(([, name = '', how = '']) => ({ name, how }))
  return { fixed, holes, text, weight: fixed.join('').length }
}

/**
 * What stands in the holes, each as short as can be; null: the text is another one. It takes the time of one reading,
 * whoever wrote the text.
 */
function matched({ fixed, holes }: Pattern, text: string): Map<string, string> | null {
  const [first = '', ...rest] = fixed
  const last = rest.pop() ?? ''
  const end = text.length - last.length
  if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return null
  const found = new Map<string, string>()
  let at = first.length
  for (const [i, { name, how }] of holes.entries()) {
    const next = i < rest.length ? text.indexOf(rest[i] ?? '', at) : end
    if (next < at || next > end) return null
    const given = text.slice(at, next)
    // Names stand in one line; what is translated itself may be several.
    if ((how !== '?' && given.includes('\n')) || (found.get(name) ?? given) !== given) return null
    found.set(name, given)
    at = next + (rest[i] ?? '').length
  }
  return found
}

/** Joins of English lists, in German. */
const joined = (text: string) => text.replaceAll(/ and (?!.* and )/g, ' und ').replaceAll(' or ', ' oder ')

/** A pattern with less of its own could be anybody's text: it counts only where all in it is known. */
const TELLING = 14
/** No text is nested deeper than this. */
const DEEPEST = 4
/** Longer ones are nobody's sentence. */
const LONGEST = 2000
/** Texts whose translation is kept. */
const KEPT = 1000

/**
 * Null: there is no translation. `parts` stand in others only, never by themselves; `other` knows texts that are put
 * together too freely for patterns.
 */
export function translator(
  texts: Pairs,
  parts: Pairs,
  other: (text: string, inner: (text: string) => Translated | null) => Translated | null = () => null,
): (text: string) => Translated | null {
  const sorted = (pairs: Pairs) =>
    Object.entries(pairs)
      .filter(([from]) => /\{\d[?&]?\}/.test(from))
      .map(patternOf)
      .sort((a, b) => b.weight - a.weight)
  const all = { ...texts, ...parts }
  const [whole, nested] = [sorted(texts), sorted(all)]
  const known = new Map<string, Translated | null>()

  function find(text: string, depth: number): Translated | null {
    const pairs = depth === 0 ? texts : all
    const fixed = Object.hasOwn(pairs, text) ? pairs[text] : undefined
    if (fixed !== undefined) return { text: fixed, whole: true }
    if (depth > DEEPEST || text.length > LONGEST) return null
    const free = other(text, given => find(given, depth + 1))
    if (free) return free
    let best: Translated | null = null
    for (const pattern of depth === 0 ? whole : nested) {
      const found = matched(pattern, text)
      if (!found) continue
      const filled = fill(pattern, found, depth)
      if (filled.whole) return filled
      if (pattern.weight >= TELLING) best ??= filled
    }
    return best ?? lines(text, depth) ?? sentences(text, depth)
  }

  function fill({ holes, text }: Pattern, found: ReadonlyMap<string, string>, depth: number): Translated {
    let isWhole = true
    const values = new Map<string, string>()
    for (const { name, how } of holes) {
      const given = found.get(name) ?? ''
      const inner = how === '?' && given !== '' ? find(given, depth + 1) : null
      if (how === '?' && given !== '' && !inner?.whole) isWhole = false
      values.set(name, inner?.text ?? (how === '&' ? joined(given) : given))
    }
    return { text: text.replace(/\{(\d)\}/g, (_, name: string) => values.get(name) ?? ''), whole: isWhole }
  }

  /** Several lines, as far as each is known. */
  function lines(text: string, depth: number): Translated | null {
    const each = text.split('\n')
    if (each.length < 2 || depth > DEEPEST) return null
    const found = each.map(one => find(one, depth + 1))
    if (found.every(one => one === null)) return null
    return {
      text: each.map((one, i) => found[i]?.text ?? one).join('\n'),
      whole: found.every(one => one?.whole),
    }
  }

  /** Several sentences in a row, where each is known. */
  function sentences(text: string, depth: number): Translated | null {
    const each = text.split(/(?<=[.?]) (?=[A-Z])/)
    if (each.length < 2 || depth > DEEPEST) return null
    const found = each.map(one => find(one, depth + 1))
    if (found.some(one => one === null)) return null
    return { text: found.map(one => one?.text).join(' '), whole: found.every(one => one?.whole) }
  }

  return text => {
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size >= KEPT) known.clear()
    const found = find(text, 0)
    known.set(text, found)
    return found
  }
}
