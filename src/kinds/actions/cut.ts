import { plainText } from '../../contract/index.ts'

/** A text for people with at most `most` characters; what was cut off shows. */
export function cut(given: string, most: number): string {
  const text = plainText(given)
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text
}
