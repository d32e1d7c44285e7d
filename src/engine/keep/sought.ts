import { foldText } from '../../contract/index.ts'
import { GatehouseError } from '../../core/index.ts'

/** What somebody wants forgotten. */
export type Forget =
  | { plate: string }
  /** A person, by the name under which a face was recognised. */
  | { face: string }
  /** A span of time (epoch ms), of one camera or of all. */
  | { from: number; until: number; camera: string | null }

/** What a row is looked at for. */
export interface Sought {
  /** Whether a text speaks of it; JSON as it is stored. */
  says(text: string): boolean
  /** Whether something of a camera, which went on from one time to another, is it whatever it says. */
  covers(cameraId: string | null, from: number, until: number): boolean
  /** A text without it. */
  without(text: string): string
}

const LEAST = 2
const MOST = 100
/** What stands between the letters of a plate, by whoever reads it; in an address, too. */
const BETWEEN = '(?:[\\s\\-‐‑–—_.·•:+]|%20){0,3}'
const EDGE = '\\p{L}\\p{N}'
const GONE = '(forgotten)'
/** What users did under their own name is no recognised face. */
const BY_USERS =
  /"(?:answered_by|pressed_by|by)":(?:"(?:[^"\\]|\\.)*"|\{[^{}]*\})|\["pressed_by","(?:[^"\\]|\\.)*"\]/g

/** Throws `bad_body` (422) for what cannot be looked for. */
export function soughtFor(what: Forget): Sought {
  if ('plate' in what) return plateSought(what.plate)
  if ('face' in what) return faceSought(what.face)
  const { from, until, camera } = what
  if (!(from < until)) throw bad('The span must end after it begins.')
  return {
    says: () => false,
    covers: (cameraId, began, ended) =>
      began <= until && ended >= from && (camera === null || cameraId === camera),
    without: text => text,
  }
}

/** As identities are compared, however its letters are set apart, and never a part of a longer word. */
function plateSought(plate: string): Sought {
  const letters = [...plate.normalize('NFC').trim()].filter(each => /[\p{L}\p{N}]/u.test(each))
  if (letters.length < LEAST || letters.length > MOST)
    throw bad(`A plate has ${LEAST} to ${MOST} letters and digits.`)
  const pattern = new RegExp(`(?<![${EDGE}])${letters.join(BETWEEN)}(?![${EDGE}])`, 'giu')
  return {
    says: text => matches(pattern, text.normalize('NFC')),
    covers: () => false,
    without: text => text.normalize('NFC').replace(pattern, GONE),
  }
}

/** The whole name, without case and accents. */
function faceSought(name: string): Sought {
  const folded = foldText(name)
  if (folded.length < LEAST || folded.length > MOST) throw bad(`A name has ${LEAST} to ${MOST} characters.`)
  const words = folded.split(' ').map(word => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  // Accents are let go of letter by letter, so that what is replaced stands where it was.
  const pattern = new RegExp(`(?<![${EDGE}])${words.join('[\\s_.-]+')}(?![${EDGE}])`, 'giu')
  const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return {
    says: text => matches(pattern, plain(text.replaceAll(BY_USERS, ' '))),
    covers: () => false,
    without: text => (matches(pattern, plain(text)) ? plain(text).replace(pattern, GONE) : text),
  }
}

/** In a text as it is, or with what JSON wrote in another way read as it was meant. */
function matches(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0
  if (pattern.test(text)) return true
  if (!text.includes('\\')) return false
  pattern.lastIndex = 0
  return pattern.test(text.replaceAll(/\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g, unescaped))
}

const unescaped = (written: string): string => JSON.parse(`"${written}"`) as string

const bad = (message: string) => new GatehouseError('bad_body', message, { status: 422 })
