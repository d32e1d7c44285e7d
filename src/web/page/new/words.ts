/** The texts of new workflows. */
import { speaker } from '../language.ts'
import { fresh as de } from '../words/de/fresh.ts'
import { fresh as en } from '../words/en/fresh.ts'

export const { say, sayTerm } = speaker({ en, de })
