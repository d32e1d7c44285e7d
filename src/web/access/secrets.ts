/** What people and programs show to be let in. None of it is stored as it is. */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { mintSecret } from '../../core/index.ts'

/** Marks a token as one of this program's, for whoever finds it somewhere. */
const TOKEN_MARK = 'ght_'
/** Digits and letters that nobody takes for one another. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 12

/** As a secret is stored; secrets are random and long, so that a plain hash does. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export const mintToken = (): string => TOKEN_MARK + mintSecret()

/** `7KQ2-M9XT-4BHW`: short enough to be typed off a screen. */
export function mintCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)])
  return letters.join('').replace(/(.{4})(?!$)/g, '$1-')
}

/** Whether a typed code is that code, however it is grouped. */
export function isCode(typed: string, code: string): boolean {
  const plain = (text: string) => text.toUpperCase().replace(/[^0-9A-Z]/g, '')
  const [a, b] = [typed, code].map(text => createHash('sha256').update(plain(text)).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
