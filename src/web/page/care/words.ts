/** The texts of what keeps the box in order. */
import { speaker } from '../language.ts'
import { care as de } from '../words/de/care.ts'
import { care as en } from '../words/en/care.ts'

export const { say, sayCount, sayTerm } = speaker({ en, de })
