/** The texts of what starts a workflow. */
import { speaker } from '../language.ts'
import { events as de } from '../words/de/events.ts'
import { events as en } from '../words/en/events.ts'

export const { say, sayTerm } = speaker({ en, de })
