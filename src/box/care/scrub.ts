/** What takes out of a text whatever is nobody's business who helps. */
export interface Private {
  /** Secrets of this box: they appear nowhere, in whatever words. */
  secrets: readonly string[]
  /** Names of people, whether of the site or with a login. */
  people: readonly string[]
  /** Plates, and whatever else stands in lists. */
  entries: readonly string[]
}

const LEAST_SECRET = 4
const EDGE = '\\p{L}\\p{N}'
/** Who comes with an address, and what is asked of it. */
const USERINFO = /([a-z][a-z0-9+.-]*:\/\/)[^\s/"'@]+(?::[^\s/"']*)?@/gi
const QUERY = /([a-z][a-z0-9+.-]*:\/\/[^\s"'?#<>]+)[?#][^\s"'<>]*/gi
const HOOK = /(\/hooks\/)[A-Za-z0-9_-]{8,}/g
const TOKEN = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi
/** Capitals and digits together, as plates are: 4 to 10 of them, perhaps set apart. */
const PLATE =
  /(?<![\p{L}\p{N}_/.-])(?=[A-Z0-9 -]*\d)(?=[A-Z0-9 -]*[A-Z])[A-Z]{1,3}[ -]?[A-Z0-9]{1,4}[ -]?[0-9]{1,5}[A-Z]{0,2}(?![\p{L}\p{N}_/.-])/gu

/** A function that does it. What is long goes first, so that no rest of it stays. */
export function scrubber({ secrets, people, entries }: Private): (text: string) => string {
  const known: [RegExp, string][] = [
    ...longestFirst(secrets, LEAST_SECRET).map((each): [RegExp, string] => [
      literal(each, false),
      '(secret)',
    ]),
    ...longestFirst(people, 2).map((each): [RegExp, string] => [literal(each, true), '(person)']),
    ...longestFirst(entries, 2).map((each): [RegExp, string] => [literal(each, true), '(entry)']),
  ]
  return text => {
    let clean = text
    for (const [pattern, put] of known) clean = clean.replace(pattern, put)
    return clean
      .replace(USERINFO, '$1')
      .replace(QUERY, '$1')
      .replace(HOOK, '$1(secret)')
      .replace(TOKEN, '$1 (secret)')
      .replace(PLATE, '(plate?)')
  }
}

function longestFirst(texts: readonly string[], least: number): string[] {
  const trimmed = texts.map(each => each.trim()).filter(each => each.length >= least)
  return [...new Set(trimmed)].sort((a, b) => b.length - a.length)
}

function literal(text: string, whole: boolean): RegExp {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(whole ? `(?<![${EDGE}])${escaped}(?![${EDGE}])` : escaped, 'giu')
}
