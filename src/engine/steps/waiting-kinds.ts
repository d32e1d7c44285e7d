import { CALL } from '../call-came.ts'
import { askPerson } from './ask_person.ts'
import { call } from './call.ts'
import { HELD, held } from './held.ts'
import { INVESTIGATE, investigating } from './investigate.ts'
import { wait } from './wait.ts'
import { waitFor } from './wait_for.ts'
import type { WaitingKind } from './waiting.ts'

/** Every kind of waiting, under the name that its `due` rows bear: for a step that waits that is its own kind. */
const kinds: ReadonlyMap<string, WaitingKind> = new Map([
  ['ask_person', askPerson],
  [CALL, call],
  ['wait', wait],
  [HELD, held],
  [INVESTIGATE, investigating],
  ['wait_for', waitFor],
])

/** The waiting kind of a step or of a `due` row; undefined: it is none. */
export const waitingKind = (kind: string): WaitingKind | undefined => kinds.get(kind)
