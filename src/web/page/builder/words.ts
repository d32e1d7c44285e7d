/** The texts of the builder. */
import { speaker } from '../language.ts'
import { builder as de } from '../words/de/builder.ts'
import { builder as en } from '../words/en/builder.ts'

export const { say, sayTerm } = speaker({ en, de })
