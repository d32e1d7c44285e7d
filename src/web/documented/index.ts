/** What the document says of each route beyond the table: what may be asked of it, and how it refuses. */
import { BOX } from './box.ts'
import { CARE } from './care.ts'
import type { Document } from './form.ts'
import { PEOPLE } from './people.ts'
import { RUNS } from './runs.ts'
import { WORKFLOWS } from './workflows.ts'

export type { Example, Said } from './form.ts'

export const DOCUMENT: Document = { ...WORKFLOWS, ...RUNS, ...PEOPLE, ...BOX, ...CARE }
