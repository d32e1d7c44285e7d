/** What the contract and the box say, in the language of the page. They speak English themselves. */
import { language } from './language.ts'
import type { Translated } from './translate.ts'

let translate: ((text: string) => Translated | null) | null = null

/** Resolves when the words are there, or cannot be had: then it stays English. Nothing is loaded where English serves. */
export const wordsReady: Promise<void> =
  language === 'en'
    ? Promise.resolve()
    : import('./words/de/said/index.ts').then(
        words => {
          translate = words.translate
        },
        () => undefined,
      )

/** A message, a title or a description, as far as there are words for it. */
export const said = (text: string): string => translate?.(text)?.text ?? text
