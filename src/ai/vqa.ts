/** Free text of a model that only answers questions about pictures → typed values. In doubt it is unsure. */
import { foldText } from '../contract/index.ts'
import { UNSURE } from './decision/question.ts'

const HEDGES =
  /\b(maybe|perhaps|possibly|probably|might|may be|could be|seems?|appears?|likely|unclear|unsure|uncertain|unknown whether|hard to (?:say|tell)|(?:can ?not|can ?t|cannot|unable to|difficult to) (?:tell|say|see|determine|be determined)|do(?:n ?t| not) know|not (?:sure|clear|certain|possible|visible))\b/
const NEGATIONS =
  /\b(no|not|never|neither|nor|none of|without|isn ?t|aren ?t|wasn ?t|don ?t|doesn ?t|nothing|nobody)\b/
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** The option that a text names, or `unsure`: where it names none or several, denies it, or hedges. */
export function optionIn(answer: string, options: readonly string[]): string {
  const said = plain(answer)
  const exact = options.find(option => plain(option) === said)
  if (exact !== undefined) return exact
  if (HEDGES.test(said)) return UNSURE
  const named = options.filter(option => plain(option) !== '' && holds(said, plain(option)))
  // `truck` is not meant where `fire truck` is said, unless it stands there by itself as well.
  const meant = named.filter(option => {
    const longer = named.filter(other => other !== option && holds(plain(other), plain(option)))
    const rest = longer.reduce((text, other) => text.replaceAll(plain(other), ' '), said)
    return holds(rest, plain(option))
  })
  const [one, ...others] = meant
  if (one === undefined || others.length) return UNSURE
  const around = said.split(plain(one)).join(' ')
  return NEGATIONS.test(around) ? UNSURE : one
}

/** Yes or no by the word that a text begins with, where the rest does not take it back; else `unsure`. */
export function yesNoIn(answer: string): 'yes' | 'no' | typeof UNSURE {
  const said = plain(answer)
  const [, first, rest = ''] = /^(yes|no)\b ?(.*)$/.exec(said) ?? []
  if (first === undefined || HEDGES.test(said)) return UNSURE
  if (holds(rest, first === 'yes' ? 'no' : 'yes')) return UNSURE
  return first === 'yes' && /\b(but|however|although)\b/.test(rest) ? UNSURE : (first as 'yes' | 'no')
}

/** The one number that a text names, in digits or as a word up to twelve; null where it names none or several. */
export function numberIn(answer: string): number | null {
  const said = plain(answer, '.-')
  if (HEDGES.test(said)) return null
  const found = [...said.matchAll(/(?<![\w.])-?\d{1,9}(?:\.\d{1,4})?(?![\w.]*\d)|\b[a-z]+\b/g)].flatMap(
    ([word]) => {
      const number = /\d/.test(word) ? Number(word) : NUMBERS.indexOf(word)
      return number >= 0 || /\d/.test(word) ? [number] : []
    },
  )
  const [one] = found
  return one !== undefined && found.every(each => each === one) ? one : null
}

/** Small letters and digits without accents, one space between words. */
function plain(text: string, also = ''): string {
  const kept = new RegExp(`[^\\p{L}\\p{N}${also.replace('-', '\\-')}]+`, 'gu')
  return foldText(text.slice(0, 2_000)).replace(kept, ' ').trim()
}

function holds(text: string, words: string): boolean {
  return ` ${text} `.includes(` ${words} `)
}
