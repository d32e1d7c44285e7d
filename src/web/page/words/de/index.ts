import type { Key } from '../en/index.ts'
import { frame } from './frame.ts'
import { home } from './home.ts'
import { run } from './run.ts'
import { terms } from './terms.ts'
import { workflow } from './workflow.ts'

/** The same in German. */
export const de: Record<Key, string> = { ...frame, ...home, ...run, ...terms, ...workflow }
