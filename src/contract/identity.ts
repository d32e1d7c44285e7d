/** How texts are compared: identities exactly, everything else as a person would. */

/** An identity (plate, decision, list entry) in comparable form: NFC, trimmed, ASCII letters without case. */
export const identity = (text: string): string =>
  text
    .normalize('NFC')
    .trim()
    .replace(/[A-Z]/g, letter => letter.toLowerCase())

/** Whether two identities are the same; an empty one is the same as nothing. */
export function sameIdentity(a: string, b: string): boolean {
  const one = identity(a)
  return one !== '' && one === identity(b)
}

/** A text in comparable form, without case, accents and superfluous white space. */
export const foldText = (text: string): string =>
  text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '').replace(/\s+/gu, ' ').trim()
