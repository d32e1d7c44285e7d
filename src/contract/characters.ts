/** Control characters, halves of surrogate pairs, and marks that turn the direction of text. */

/** Marks that make a text look other than it is read: U+202A to U+202E and U+2066 to U+2069. */
const turnsText = (code: number) => (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)

/** Where the first character is that no file may hold; -1: none. Line ends and tabs are fine. */
export function oddCharacter(text: string): number {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x20 && code < 0x7f) continue
    if (code === 0x09 || code === 0x0a || code === 0x0d) continue
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || turnsText(code)) return i
    if (code >= 0xd800 && code <= 0xdfff) {
      const next = text.charCodeAt(i + 1)
      if (code >= 0xdc00 || !(next >= 0xdc00 && next <= 0xdfff)) return i
      i++
    }
  }
  return -1
}

/** A text for people without what makes it look other than it is: the characters that no file may hold. */
export function plainText(text: string): string {
  if (oddCharacter(text) < 0) return text
  let plain = ''
  for (const letter of text.toWellFormed()) if (oddCharacter(letter) < 0) plain += letter
  return plain
}
