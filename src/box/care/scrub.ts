import { KnownTexts } from './known-texts.ts'

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
/** Who comes with an address, and what is asked of it. */
const USERINFO = /([a-z][a-z0-9+.-]*:\/\/)[^\s/"'@]+(?::[^\s/"']*)?@/gi
const QUERY = /([a-z][a-z0-9+.-]*:\/\/[^\s"'?#<>]+)[?#][^\s"'<>]*/gi
const HOOK = /(\/hooks\/)[A-Za-z0-9_-]{8,}/g
const TOKEN = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi
/** Capitals and digits together, as plates are: 4 to 10 of them, perhaps set apart. */
const PLATE =
  /(?<![\p{L}\p{N}_/.-])(?=[A-Z0-9 -]*\d)(?=[A-Z0-9 -]*[A-Z])[A-Z]{1,3}[ -]?[A-Z0-9]{1,4}[ -]?[0-9]{1,5}[A-Z]{0,2}(?![\p{L}\p{N}_/.-])/gu

/** A function that does it. */
export function scrubber({ secrets, people, entries }: Private): (text: string) => string {
  const known: [KnownTexts, string][] = [
    [new KnownTexts(secrets, { least: LEAST_SECRET, whole: false }), '(secret)'],
    [new KnownTexts(people, { least: 2, whole: true }), '(person)'],
    [new KnownTexts(entries, { least: 2, whole: true }), '(entry)'],
  ]
  return text => {
    let clean = text
    for (const [texts, put] of known) clean = texts.replaced(clean, put)
    return clean
      .replace(USERINFO, '$1')
      .replace(QUERY, '$1')
      .replace(HOOK, '$1(secret)')
      .replace(TOKEN, '$1 (secret)')
      .replace(PLATE, '(plate?)')
  }
}
