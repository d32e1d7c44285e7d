/** Texts that somebody else made, put into another language by their patterns. */

type Pairs = Readonly<Record<string, string>>

export interface Translated {
  text: string
  /** All that is filled in and should have been translated was, too. */
  whole: boolean
}

interface Pattern {
  match: RegExp
  /** How each hole is filled: as it is, translated (`?`), or with its last words joined as in the other language (`&`). */
  holes: { name: string; how: string }[]
  text: string
  /** How much of it stands there itself: the longest is meant. */
  weight: number
}

const HOLE = /\{(\d)([?&]?)\}/g

const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

function patternOf([from, text]: [string, string]): Pattern {
  const holes = [...from.matchAll(HOLE)].map(([, name = '', how = '']) => ({ name, how }))
  const seen = new Set<string>()
  const fixed = from.split(/\{\d[?&]?\}/)
  const source = fixed.map(quoted).reduce((all, after, i) => {
    const { name = '' } = holes[i - 1] ?? {}
    const hole = seen.has(name) ? `\\k<h${name}>` : `(?<h${name}>[^]*?)`
    seen.add(name)
    return all + hole + after
  })
  return { match: new RegExp(`^${source}$`), holes, text, weight: fixed.join('').length }
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

/** Null: there is no translation. `parts` stand in others only, never by themselves. */
export function translator(texts: Pairs, parts: Pairs): (text: string) => Translated | null {
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
    let best: Translated | null = null
    for (const pattern of depth === 0 ? whole : nested) {
      const found = pattern.match.exec(text)?.groups
      if (!found) continue
      const filled = fill(pattern, found, depth)
      if (filled.whole) return filled
      if (pattern.weight >= TELLING) best ??= filled
    }
    return best ?? sentences(text, depth)
  }

  function fill({ holes, text }: Pattern, found: Record<string, string>, depth: number): Translated {
    let isWhole = true
    const values = new Map<string, string>()
    for (const { name, how } of holes) {
      const given = found[`h${name}`] ?? ''
      const inner = how === '?' && given !== '' ? find(given, depth + 1) : null
      if (how === '?' && given !== '' && !inner?.whole) isWhole = false
      values.set(name, inner?.text ?? (how === '&' ? joined(given) : given))
    }
    return { text: text.replace(/\{(\d)\}/g, (_, name: string) => values.get(name) ?? ''), whole: isWhole }
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
