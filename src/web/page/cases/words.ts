/** The texts of cases. */
import { speaker } from '../language.ts'
import { cases as de } from '../words/de/cases.ts'
import { cases as en } from '../words/en/cases.ts'

export const { say, sayCount } = speaker({ en, de })
