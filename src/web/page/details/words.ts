/** The texts of what a step was given and did. */
import { speaker } from '../language.ts'
import { details as de } from '../words/de/details.ts'
import { details as en } from '../words/en/details.ts'

export const { say, sayTerm } = speaker({ en, de })
