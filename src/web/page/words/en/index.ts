import { box } from './box.ts'
import { editor } from './editor.ts'
import { flow } from './flow.ts'
import { frame } from './frame.ts'
import { home } from './home.ts'
import { live } from './live.ts'
import { run } from './run.ts'
import { runs } from './runs.ts'
import { terms } from './terms.ts'
import { update } from './update.ts'
import { workflow } from './workflow.ts'

/** Every text of the page in English; `{x}` is filled in. */
export const en = {
  ...box,
  ...live,
  ...editor,
  ...runs,
  ...flow,
  ...frame,
  ...home,
  ...run,
  ...terms,
  ...update,
  ...workflow,
}

export type Key = keyof typeof en
