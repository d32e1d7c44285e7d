/** The texts of trying a draft. */
import { speaker } from '../language.ts'
import { trying as de } from '../words/de/trying.ts'
import { trying as en } from '../words/en/trying.ts'

export const { say, sayCount, sayTerm } = speaker({ en, de })
