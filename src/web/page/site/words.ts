/** The texts of the site's screens. */
import { speaker } from '../language.ts'
import { site as de } from '../words/de/site.ts'
import { site as en } from '../words/en/site.ts'

export const { say, sayCount, sayTerm } = speaker({ en, de })
