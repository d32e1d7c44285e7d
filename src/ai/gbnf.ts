/** Pieces that grammars (GBNF) of answers are made of. */

/**
 * One character within quotes: none that JSON forbids there, no other control character, none that is not seen or
 * turns the direction of text.
 */
export const CHARACTER =
  '[^"\\\\\\x00-\\x1F\\x7F-\\x9F\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF] | "\\\\" ["\\\\]'
/** The same of ASCII alone. */
export const ASCII_CHARACTER = '[\\x20-\\x21\\x23-\\x5B\\x5D-\\x7E] | "\\\\" ["\\\\]'
export const LINE_CHARACTER = 'char | "\\\\n"'

/** A text in quotes, of so many signs of a rule. */
export const quoted = (rule: string, most: number, least = 0) => `"\\"" ${rule}{${least},${most}} "\\""`

/** One of these texts, in quotes; `ascii`: other letters by their numbers. */
export const oneOf = (values: readonly string[], ascii = false) =>
  values.map(value => literal(spelled(value, ascii))).join(' | ')

/** A text in JSON; what is not seen is written by its number. */
function spelled(text: string, ascii: boolean): string {
  return JSON.stringify(text).replace(ascii ? /[^ -~]/gu : /[\p{C}\p{Zl}\p{Zp}]/gu, sign =>
    Array.from(
      { length: sign.length },
      (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

/** A text as a literal of the grammar; nothing in it would end a line by now. */
export function literal(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
