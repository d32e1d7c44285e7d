/** Why a decision was made, or was not: what the box says itself, not what a model wrote. */
import type { Translated } from '../../../translate.ts'

export const reasons = {
  'there is no picture to look at: send one with the event, or name a camera with look_at':
    'Es gibt kein Bild zum Ansehen: Senden Sie eines mit dem Ereignis, oder nennen Sie mit look_at eine Kamera',
  'the age of the picture from {1?} is not known': 'Das Alter des Bildes von {1} ist nicht bekannt',
  'the picture from {1?} is {2} s old, at most {3} s is allowed (max_age)':
    'Das Bild von {1} ist {2} s alt, erlaubt sind höchstens {3} s (max_age)',
  'the picture from {1?} bears a time in the future': 'Das Bild von {1} trägt eine Zeit in der Zukunft',
  'the picture is too large or no JPEG, PNG or WebP: send another':
    'Das Bild ist zu groß oder kein JPEG, PNG oder WebP: Senden Sie ein anderes',
  'it cannot be told: {1?}': 'Es lässt sich nicht sagen: {1}',
  '“{1}” cannot be told: {2?}': '„{1}“ lässt sich nicht sagen: {2}',
  'no rule matched: nothing known': 'Keine Regel traf zu: Nichts ist bekannt',
  'no rule matched: {1?}': 'Keine Regel traf zu: {1}',
  'no reason was given': 'Ein Grund wurde nicht genannt',
  'no language model on this box, and the step has no rules':
    'Kein Sprachmodell auf dieser Box, und der Schritt hat keine Regeln',
  'no language model on this box to fill “{1}”': 'Kein Sprachmodell auf dieser Box, das „{1}“ füllt',
  '{1?}: {2} % sure, {3} % needed': '{1}: zu {2} % sicher, {3} % sind nötig',
  '{1?}: a picture of {2} could not be looked at': '{1}: Eines von {2} Bildern ließ sich nicht ansehen',
  '{1?}: {2} pictures of {3} could not be looked at': '{1}: {2} von {3} Bildern ließen sich nicht ansehen',
  'there was no time left to ask the language model': 'Es blieb keine Zeit, das Sprachmodell zu fragen',
  'there was no time left to decide': 'Es blieb keine Zeit zu entscheiden',
  'there were no tokens left to decide': 'Es blieben keine Tokens zum Entscheiden',
  'the decision took too long': 'Die Entscheidung dauerte zu lange',
  'the investigation was broken off': 'Die Untersuchung wurde abgebrochen',
  'the AI calls of this hour are used up': 'Die KI-Aufrufe dieser Stunde sind aufgebraucht',
  'the answer of {1} was of no use: {2}': 'Die Antwort von {1} war nicht zu gebrauchen: {2}',
}

/** What a detector counts: alone, several, and with its articles. */
const THINGS: Readonly<Record<string, readonly [one: string, more: string, a: string, no: string]>> = {
  person: ['Person', 'Personen', 'eine', 'keine'],
  vehicle: ['Fahrzeug', 'Fahrzeuge', 'ein', 'kein'],
  animal: ['Tier', 'Tiere', 'ein', 'kein'],
  thing: ['Ding', 'Dinge', 'ein', 'kein'],
}

const LOST = ' – A message was lost: '

/** A reason that is put together; null: it is another text. `inner` translates what it holds. */
export function reasonOf(text: string, inner: (text: string) => Translated | null): Translated | null {
  const at = text.indexOf(LOST)
  if (at < 0) {
    const found = measured(text)
    return found === null ? null : { text: found, whole: true }
  }
  const [reason, lost] = [text.slice(0, at), text.slice(at + LOST.length)]
  const [why, what] = [inner(reason), inner(lost)]
  return {
    text: `${why?.text ?? reason} – Eine Nachricht ging verloren: ${what?.text ?? lost}`,
    whole: why?.whole === true && what?.whole === true,
  }
}

/** What was measured in a picture, such as `2 persons, no vehicle, plate GH27DEMO`; null: it is another text. */
function measured(text: string): string | null {
  const parts = text.split(/, (?![^“]*”)/).map(partOf)
  return parts.every(part => part !== null) ? parts.join(', ') : null
}

function partOf(part: string): string | null {
  if (part === 'no text') return 'kein Text'
  if (part === 'no plate') return 'kein Kennzeichen'
  const text = /^text “([^”]*)”$/.exec(part)
  if (text) return `Text „${text[1]}“`
  const plate = /^plate ([\p{L}\p{N}][\p{L}\p{N}-]*)$/u.exec(part)
  if (plate) return `Kennzeichen ${plate[1]}`
  const [, many = '', name = ''] = /^(no|an?|\d+) (person|vehicle|animal|thing)s?$/.exec(part) ?? []
  const thing = THINGS[name]
  if (!thing) return null
  const [one, more, a, no] = thing
  if (many === 'no') return `${no} ${one}`
  if (many.startsWith('a')) return `${a} ${one}`
  return `${many} ${many === '1' ? one : more}`
}
