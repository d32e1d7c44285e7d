/** The page's texts in the browser's language. */
import { de } from './words/de/index.ts'
import { en, type Key } from './words/en/index.ts'

const CATALOGUE: Readonly<Record<'en' | 'de', Record<Key, string>>> = { en, de }

type Language = keyof typeof CATALOGUE

/** The first that a browser asks for among those that there are; `['fr', 'de-AT']` → `de`. */
export function languageOf(wanted: readonly string[]): Language {
  const asked = wanted.map(tag => tag.toLowerCase().split('-')[0] ?? '')
  return asked.find((tag): tag is Language => Object.hasOwn(CATALOGUE, tag)) ?? 'en'
}

export const language: Language = languageOf(globalThis.navigator?.languages ?? [])

/** For times and numbers. */
export const locale = { en: 'en-GB', de: 'de-DE' }[language]

type Values = Readonly<Record<string, string | number>>

const filled = (text: string, values: Values) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

/** A text, with what stands in braces filled in once. */
export function t(key: Key, values: Values = {}): string {
  return filled(CATALOGUE[language][key], values)
}

/** The texts of what is loaded later: they come with it, in all languages. */
export function speaker<K extends string>(texts: Readonly<Record<Language, Record<K, string>>>) {
  const say = (key: K, values: Values = {}) => filled(texts[language][key], values)
  return {
    say,
    sayCount: (stem: K extends `${infer Stem}_many` ? Stem : never, n: number, values: Values = {}) =>
      say(`${stem}_${n === 1 ? 'one' : 'many'}` as K, { n, ...values }),
    /** Null: there are no words for it. */
    sayTerm: (key: string) => (Object.hasOwn(texts.en, key) ? say(key as K) : null),
  }
}

type Counted = Key extends infer K ? (K extends `${infer Stem}_many` ? Stem : never) : never

/** A text that says how many. */
export function count(stem: Counted, n: number, values: Values = {}): string {
  return t(`${stem}_${n === 1 ? 'one' : 'many'}` as Key, { n, ...values })
}

/** The catalogue's words for a slug of a group; null: it has none. */
export function term(group: string, slug: string): string | null {
  const key = `${group}.${slug}`
  return Object.hasOwn(en, key) ? t(key as Key) : null
}
